# shellcheck shell=bash
# The node image: kind's own where the engine can have it, else one built of Go modules and Debian packages.

readonly NODE_PACKAGES=(
  systemd conntrack iptables nftables iproute2 ethtool util-linux mount kmod libseccomp2 pigz e2fsprogs bash
  ca-certificates curl jq procps runc containernetworking-plugins
)
readonly OWN_IMAGE_REPOSITORY=$CLUSTER_NAME/node

# Sets NODE_IMAGE, and has the engine hold it.
provide_node_image() {
  if is_kind_image_fit; then
    NODE_IMAGE=$(kind_image)
    if has_or_pulls "$NODE_IMAGE"; then return; fi
  fi
  NODE_IMAGE=$(own_image)
  if has_image "$NODE_IMAGE"; then return; fi
  build_node_root
  step "importing the node image" import_node_image
}

is_own_node_image() { [[ $1 == "$OWN_IMAGE_REPOSITORY":* ]]; }

has_image() { docker image inspect "$1" >/dev/null 2>&1; }

# The one that this version of kind was released with.
kind_image() { sed -n 's/^const Image = "\(.*\)"/\1/p' "$(kind_module)/pkg/apis/config/defaults/image.go"; }

kind_module() {
  need_go
  module_dir sigs.k8s.io/kind@$KIND_VERSION
}

kind_files() { printf '%s/images/base/files' "$(kind_module)"; }

# Its systemd wants cgroups version 2, its services all of root's capabilities; and a private engine reaches nothing.
is_kind_image_fit() {
  [[ $ENGINE == machine && $(engine_cgroup_version) == 2 && -z $(missing_capabilities) ]]
}

has_or_pulls() {
  if has_image "$1"; then return; fi
  say "... pulling $1"
  docker pull --quiet "$1" >/dev/null 2>&1
}

own_image() { printf '%s:%s-%s' "$OWN_IMAGE_REPOSITORY" "$KUBERNETES_VERSION" "$(own_image_fingerprint)"; }

# Everything that the image is made of.
own_image_fingerprint() {
  { cat "$CLUSTER_LAB"/{node-image.sh,component-images.sh,pause.c,versions.sh} "$CLUSTER_LAB"/node/{main.go,go.mod,go.sum}
    missing_capabilities; } | fingerprint
}

node_root_dir() { printf '%s/node-image/%s' "$CACHE_DIR" "$(own_image_fingerprint)"; }

debian_base() { printf '%s/debian/%s-%s.tar' "$CACHE_DIR" "$NODE_SUITE" "$(fingerprint <<<"${NODE_PACKAGES[*]}")"; }

# Leaves the root as one tar file in the cache, so that another engine can import it too.
build_node_root() {
  if [[ -d $(node_root_dir) ]]; then return; fi
  need_root_for_node_image
  need_go
  build_kubernetes
  build_containerd
  need_packages mmdebstrap debian-archive-keyring gcc libc6-dev jq
  if [[ ! -e $(debian_base) ]]; then
    long_step "making a Debian $NODE_SUITE root" make_debian_base
  fi
  long_step "building the node image" build_once "$(node_root_dir)" assemble_node
}

need_root_for_node_image() {
  if ((EUID != 0)); then fail_missing "kind's node image cannot be pulled, and only root can build one"; fi
}

make_debian_base() {
  local base
  base=$(debian_base)
  mkdir -p "$(dirname "$base")"
  debian_root "$NODE_SUITE" "$base.unfinished.tar" "${NODE_PACKAGES[@]}"
  mv "$base.unfinished.tar" "$base"
}

# assemble_node DIR
assemble_node() {
  local root=$1/root
  mkdir "$root"
  tar -C "$root" -xf "$(debian_base)"
  add_kind_files "$root"
  settle_systemd "$root"
  add_programs "$root"
  component_images "$root" "$1/images"
  store_images "$root" "$1/images/images.tar"
  tar -C "$root" --numeric-owner -cf "$1/root.tar" .
  rm -rf "$root" "$1/images"
}

# What kind's own Dockerfile copies, from kind's own module.
add_kind_files() {
  local root=$1
  cp -r --no-preserve=mode,ownership "$(kind_files)/." "$root/"
  chmod -R u=rwX,go=rX "$root/kind"
  chmod 755 "$root"/usr/local/bin/* "$root"/kind/bin/*
}

# What kind's own Dockerfile does to systemd: a node starts containerd and kubelet, and nothing of a whole machine.
settle_systemd() {
  local root=$1 wants=lib/systemd/system
  rm -f "$root/$wants/sysinit.target.wants/systemd-tmpfiles-setup.service" \
    "$root/$wants"/{multi-user,local-fs,basic}.target.wants/* "$root"/etc/systemd/system/*.wants/* \
    "$root/$wants"/sockets.target.wants/*{udev,initctl}*
  # These set up a whole machine, and a node shares the machine's kernel. What its network needs is in kind's own files.
  rm -f "$root"/usr/lib/sysctl.d/*
  echo 'ReadKMsg=no' >>"$root/etc/systemd/journald.conf"
  ln -sf /lib/systemd/systemd "$root/sbin/init"
  chroot "$root" systemctl enable kubelet.service containerd.service undo-mount-hacks.service
  chroot "$root" systemctl mask systemd-binfmt.service
  if [[ -n $(missing_capabilities) ]]; then do_without_low_oom_scores "$root"; fi
}

# A lower OOM score needs CAP_SYS_RESOURCE.
do_without_low_oom_scores() {
  mkdir -p "$1/etc/systemd/system/containerd.service.d"
  printf '[Service]\nOOMScoreAdjust=\n' >"$1/etc/systemd/system/containerd.service.d/oom-score.conf"
  sed -i 's/restrict_oom_score_adj = false/restrict_oom_score_adj = true/' "$1/etc/containerd/config.toml"
}

add_programs() {
  local root=$1 name
  cp "$CONTAINERD_DIR"/* "$KUBERNETES_DIR/kubernetes" "$root/usr/local/bin/"
  for name in kubeadm kubelet kubectl; do ln -s /usr/local/bin/kubernetes "$root/usr/bin/$name"; done
  echo "$KUBERNETES_VERSION" >"$root/kind/version"
  mkdir -p "$root"/{etc/kubernetes/manifests,opt/cni/bin,etc/cni/net.d}
  cp "$root"/usr/lib/cni/* "$root/opt/cni/bin/"
  "$CONTAINERD_DIR/ctr" oci spec |
    jq '.hooks.createContainer += [{path: "/kind/bin/mount-product-files.sh"}] | del(.process.rlimits)' \
      >"$root/etc/containerd/cri-base.json"
}

import_node_image() {
  docker import --change 'ENV container=docker' --change 'ENTRYPOINT ["/usr/local/bin/entrypoint", "/sbin/init"]' \
    "$(node_root_dir)/root.tar" "$NODE_IMAGE"
  remove_older_images
}

# One is 700 MB, in the cache and in the engine.
remove_older_images() {
  local older
  docker image list --format '{{.Repository}}:{{.Tag}}' "$OWN_IMAGE_REPOSITORY" | while read -r older; do
    if [[ $older != "$NODE_IMAGE" ]]; then docker image rm "$older" || true; fi
  done
  for older in "$CACHE_DIR"/node-image/*; do
    if [[ $older != "$(node_root_dir)" ]]; then rm -rf "$older"; fi
  done
}
