# shellcheck shell=bash
# From the tree to an installed release on the local cluster; demo and test share it.

readonly RELEASE=postern RELEASE_NAMESPACE=postern-system

install_postern() {
  long_step "building the jars" build_jars
  "$E2E_DIR/lab/image/build.sh" all
  "$E2E_DIR/cluster" up
  local name
  for name in "${IMAGE_NAMES[@]}"; do
    "$E2E_DIR/cluster" load "$(image_archive "$name")"
  done
  step "installing the chart" install_chart
}

install_chart() {
  local was_there=
  if in_cluster helm status "$RELEASE" --namespace "$RELEASE_NAMESPACE" >/dev/null 2>&1; then was_there=yes; fi
  in_cluster helm upgrade --install "$RELEASE" "$ROOT_DIR/helm" --namespace "$RELEASE_NAMESPACE" \
    --create-namespace --values "$E2E_DIR/lab/demo/values.yaml" --wait --timeout 3m
  if [[ -n $was_there ]]; then restart_release; fi
}

# The images' tag stays the same when they change, so Helm restarts nothing.
restart_release() {
  in_cluster kubectl --namespace "$RELEASE_NAMESPACE" rollout restart deployment
  local name
  for name in operator webhook; do
    in_cluster kubectl --namespace "$RELEASE_NAMESPACE" rollout status "deployment/$RELEASE-$name" --timeout 3m
  done
}

in_cluster() { "$E2E_DIR/cluster" in "$@"; }
