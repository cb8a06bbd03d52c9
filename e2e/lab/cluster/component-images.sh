# shellcheck shell=bash
# The images of the pods that kubeadm starts, as one docker-archive: a layer with the one Kubernetes program, which
# they all share, one with nft for kube-proxy, and one with pause.

# component_images NODE_ROOT DIR: writes DIR/images.tar.
component_images() {
  local root=$1 dir=$2
  mkdir -p "$dir"/{kubernetes,nft,pause,archive}
  kubernetes_layer "$dir/kubernetes"
  nft_layer "$root" "$dir/nft"
  gcc -Os -static -o "$dir/pause/pause" "$CLUSTER_LAB/pause.c"
  local layer
  for layer in kubernetes nft pause; do
    pack "$dir/$layer" "$dir/archive/$layer.tar"
  done
  write_manifest "$dir/archive"
  tar -C "$dir/archive" -cf "$dir/images.tar" .
}

# The same folder gives the same bytes, so that a layer keeps its name.
pack() { tar -C "$1" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -cf "$2" .; }

kubernetes_layer() {
  local bin=$1/usr/local/bin component
  mkdir -p "$bin" "$1/tmp"
  cp "$KUBERNETES_DIR/kubernetes" "$bin/"
  for component in etcd kube-apiserver kube-controller-manager kube-proxy kube-scheduler; do
    ln -s kubernetes "$bin/$component"
  done
  ln -s usr/local/bin/kubernetes "$1/coredns"
}

# nft and the libraries that it loads, out of the node's own root.
nft_layer() {
  local root=$1 layer=$2 file
  for file in /usr/sbin/nft $(chroot "$root" ldd /usr/sbin/nft | grep -o '/[^ ]*'); do
    install -D "$root$(chroot "$root" readlink -f "$file")" "$layer$file"
  done
}

# The names are those that kubeadm and containerd's configuration ask for.
component_names() {
  "$KUBERNETES_DIR/kubernetes" kubeadm config images list --kubernetes-version "$KUBERNETES_VERSION"
  sed -n 's/^ *sandbox_image = "\(.*\)"/\1/p' "$(kind_files)/etc/containerd/config.toml"
}

write_manifest() {
  local archive=$1 name
  for name in $(component_names | sort -u); do
    case $name in
      */pause:*) image_of "$archive" "$name" /pause pause ;;
      */coredns:*) image_of "$archive" "$name" /coredns kubernetes ;;
      */kube-proxy:*) image_of "$archive" "$name" '' kubernetes nft ;;
      *) image_of "$archive" "$name" '' kubernetes ;;
    esac
  done | jq -s . >"$archive/manifest.json"
}

# image_of ARCHIVE NAME ENTRYPOINT LAYER...: writes the image's configuration, prints its line of the manifest.
image_of() {
  local archive=$1 name=$2 entrypoint=$3 layer config
  shift 3
  local -a diffs=()
  for layer in "$@"; do diffs+=("sha256:$(sha256sum "$archive/$layer.tar" | cut -d ' ' -f 1)"); done
  config=$(tr -c '[:alnum:]' - <<<"${name##*/}" | sed 's/-*$//').json
  jq -n --arg architecture "$(go env GOARCH)" --arg entrypoint "$entrypoint" '{
      architecture: $architecture, os: "linux",
      config: {
        Entrypoint: (if $entrypoint == "" then null else [$entrypoint] end),
        Env: ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]
      },
      rootfs: {type: "layers", diff_ids: $ARGS.positional}
    }' --args "${diffs[@]}" >"$archive/$config"
  jq -n --arg config "$config" --arg name "$name" \
    '{Config: $config, RepoTags: [$name], Layers: $ARGS.positional}' --args "${@/%/.tar}"
}
