# shellcheck shell=bash
# Puts images into the store of a node's containerd before there is a node, with a containerd of our own over the
# node's folder: it needs no engine and no privileged container.

readonly STORE_START_SECONDS=20

# store_images NODE_ROOT ARCHIVE
store_images() {
  local store=$1/var/lib/containerd archive=$2 state status=0
  state=$(mktemp -d)
  mkdir -p "$store"
  store_config "$store" "$state" >"$state/config.toml"
  "$CONTAINERD_DIR/containerd" --config "$state/config.toml" &
  local pid=$!
  await_store "$state/containerd.sock" "$pid" && import_images "$state/containerd.sock" "$archive" || status=$?
  kill "$pid"
  wait "$pid" || true
  rm -rf "$state"
  return "$status"
}

# Content and its names are all that is wanted of it.
store_config() {
  cat <<CONFIG
version = 3
root = "$1"
state = "$2"
disabled_plugins = ["io.containerd.cri.v1.images", "io.containerd.cri.v1.runtime", "io.containerd.grpc.v1.cri",
  "io.containerd.internal.v1.opt", "io.containerd.nri.v1.nri"]
[grpc]
address = "$2/containerd.sock"
CONFIG
}

await_store() {
  local deadline=$((SECONDS + STORE_START_SECONDS))
  until "$CONTAINERD_DIR/ctr" --address "$1" version >/dev/null 2>&1; do
    if [[ ! -d /proc/$2 ]] || ((SECONDS > deadline)); then return 1; fi
    sleep 0.2
  done
}

# Unpacked on the node, at first use. Pinned, so that kubelet's clean-up of images spares them.
import_images() {
  "$CONTAINERD_DIR/ctr" --address "$1" --namespace k8s.io images import --label io.cri-containerd.pinned=pinned \
    --all-platforms --no-unpack --digests "$2"
}
