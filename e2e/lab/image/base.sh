# shellcheck shell=bash
# The builder, and the base image where no registry can be reached.

readonly BASE_IMAGE=debian:trixie-slim

# Sets BUILDER. Docker serves only if it can have the base image.
choose_builder() {
  if docker info >/dev/null 2>&1 && timeout 60 docker pull --quiet "$BASE_IMAGE" >/dev/null 2>&1; then
    BUILDER=docker
    return
  fi
  BUILDER=buildah
  need_packages buildah mmdebstrap jq
  # No user namespace and no network of its own: works as root in any container.
  export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=overlay
  if ! buildah inspect --type image "localhost/$BASE_IMAGE" >/dev/null 2>&1; then
    long_step "making $BASE_IMAGE from Debian's packages" make_base
  fi
}

make_base() {
  local dir
  dir=$(mktemp -d)
  debian_root trixie "$dir/base.tar" ca-certificates
  printf 'FROM scratch\nADD base.tar /\nCMD ["bash"]\n' >"$dir/Containerfile"
  buildah bud --tag "localhost/$BASE_IMAGE" "$dir"
  rm -rf "$dir"
}
