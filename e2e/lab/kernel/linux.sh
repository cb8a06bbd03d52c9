# shellcheck shell=bash
# The kernels: one built of the source in Debian's backports, one that Debian ships ready-made.

readonly SOURCE_SUITE=trixie-backports
readonly SOURCE_PACKAGE=linux-source-$KERNEL_REKEY
readonly DEBIAN_KEYS=/usr/share/keyrings/debian-archive-keyring.gpg

# linux_file VERSION
linux_file() {
  if [[ $1 == "$KERNEL_NO_REKEY" ]]; then
    printf '%s/usr/bin/linux.uml' "$(root_dir)"
  else
    printf '%s/linux' "$(linux_dir)"
  fi
}

linux_dir() { printf '%s/linux/%s-%s' "$CACHE_DIR" "$KERNEL_REKEY" "$(fingerprint "$KERNEL_LAB"/{config,linux.sh})"; }

# linux_release VERSION: as uname -r says it there.
linux_release() {
  if [[ $1 == "$KERNEL_NO_REKEY" ]]; then
    ls "$(root_dir)/usr/lib/uml/modules"
  else
    cat "$(linux_dir)/release"
  fi
}

# build_linux VERSION: the root folder has Debian's.
build_linux() {
  if [[ $1 == "$KERNEL_NO_REKEY" || -d $(linux_dir) ]]; then return; fi
  need_packages bc bison debian-archive-keyring flex gcc libc6-dev libelf-dev make xz-utils
  step "downloading $SOURCE_PACKAGE" download_source "$CACHE_DIR/source"
  long_step "building Linux $KERNEL_REKEY" build_once "$(linux_dir)" compile_linux
  rm -rf "$CACHE_DIR/source"
  remove_others "$(linux_dir)"
}

# download_source DIR: with settings and package lists of our own, since backports of another release have no place
# among the machine's.
download_source() {
  local dir=$1 mirror
  mirror=$(debian_mirror)
  rm -rf "$dir"
  mkdir -p "$dir"/{lists/partial,cache/archives/partial,parts}
  echo "deb [signed-by=$DEBIAN_KEYS] $mirror $SOURCE_SUITE main" >"$dir/sources.list"
  cat >"$dir/apt.conf" <<CONFIG
Dir::Etc::SourceList "$dir/sources.list";
Dir::Etc::SourceParts "$dir/parts";
Dir::State::Lists "$dir/lists";
Dir::State::Status "/dev/null";
Dir::Cache "$dir/cache";
APT::Sandbox::User "root";
CONFIG
  cd "$dir"
  export APT_CONFIG=$dir/apt.conf
  apt-get update
  apt-get download "$SOURCE_PACKAGE"
}

# compile_linux DIR: DIR/linux and DIR/release.
compile_linux() {
  local dir=$1 source=$1/source
  mkdir "$source"
  dpkg-deb --fsys-tarfile "$CACHE_DIR/source/$SOURCE_PACKAGE"_*.deb |
    tar --extract --to-stdout "./usr/src/$SOURCE_PACKAGE.tar.xz" |
    tar --extract --xz --strip-components 1 --directory "$source"
  cd "$source"
  export ARCH=um
  configure_linux
  make -s -j "$(nproc)" linux
  cp linux "$dir/linux"
  make -s kernelrelease >"$dir/release"
  cd "$dir"
  rm -rf "$source"
}

# An option that this kernel does not know, or that lacks what it depends on, is dropped without a word.
configure_linux() {
  local option
  make -s defconfig
  scripts/kconfig/merge_config.sh -m .config "$KERNEL_LAB/config"
  make -s olddefconfig
  while read -r option; do
    if ! grep -qx "$option" .config; then
      say "the kernel did not take $option"
      return "$EXIT_FAILURE"
    fi
  done < <(grep ^CONFIG_ "$KERNEL_LAB/config")
}
