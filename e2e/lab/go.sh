# shellcheck shell=bash
# The Go toolchain of the machine, or Debian's from its backports; never one that Go would download by itself.

readonly GO_MINOR_NEEDED=26

export GOTOOLCHAIN=local GOFLAGS=-buildvcs=false CGO_ENABLED=0

# Puts a Go that is new enough first on PATH, and installs it where apt has it.
need_go() {
  local dir
  for dir in '' /usr/local/go/bin "/usr/lib/go-1.$GO_MINOR_NEEDED/bin"; do
    if is_new_enough_go "${dir:+$dir/}go"; then
      PATH=${dir:+$dir:}$PATH
      return
    fi
  done
  install_go
  PATH=/usr/lib/go-1.$GO_MINOR_NEEDED/bin:$PATH
}

is_new_enough_go() {
  local version
  version=$("$1" env GOVERSION 2>/dev/null) || return 1
  [[ $version =~ ^go1\.([0-9]+) ]] && ((BASH_REMATCH[1] >= GO_MINOR_NEEDED))
}

install_go() {
  local package=golang-1.$GO_MINOR_NEEDED-go
  if ! is_debian || [[ $(debian_codename) == bookworm ]]; then
    fail_missing "Go 1.$GO_MINOR_NEEDED or newer is missing (Debian 13 has it as $package in its backports)"
  fi
  if ((EUID != 0)); then fail_missing "only root can install $package from Debian's backports"; fi
  step "installing $package from backports" install_backports "$package"
}
