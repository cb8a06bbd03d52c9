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
  in_cluster helm upgrade --install "$RELEASE" "$ROOT_DIR/helm" --namespace "$RELEASE_NAMESPACE" \
    --create-namespace --values "$E2E_DIR/lab/demo/values.yaml" --wait --timeout 3m
}

in_cluster() { "$E2E_DIR/cluster" in "$@"; }
