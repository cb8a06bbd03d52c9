# shellcheck shell=bash
# The folder that the machine boots on: a Debian root that nothing ever writes to, and empty places for what is
# mounted in it.

root_dir() { printf '%s/root/%s' "$CACHE_DIR" "$(cat "$KERNEL_LAB"/{versions,root}.sh | fingerprint)"; }

build_root() {
  if [[ -d $(root_dir) ]]; then return; fi
  need_packages mmdebstrap debian-archive-keyring
  long_step "making a Debian $MACHINE_SUITE root for the machine" build_once "$(root_dir)" make_root
  remove_others "$(root_dir)"
}

# make_root DIR
make_root() {
  debian_root "$MACHINE_SUITE" "$1" "${MACHINE_PACKAGES[@]}"
  mkdir -p "$1"/{machine,postern,jdk,root/.m2,etc/java-25-openjdk}
  # Where modprobe looks.
  rm -rf "$1/usr/lib/modules"
  ln -s uml/modules "$1/usr/lib/modules"
}

# remove_others DIR: what older versions of this tree built beside it.
remove_others() {
  local other
  for other in "$(dirname "$1")"/*; do
    if [[ $other != "$1" ]]; then rm -rf "$other"; fi
  done
}
