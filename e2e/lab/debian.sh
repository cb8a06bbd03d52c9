# shellcheck shell=bash
# What the commands in e2e/ need of a Debian machine: packages, and the mirror that its apt uses.

is_debian() { [[ -r /etc/debian_version ]] && grep -q '^ID=debian$' /etc/os-release; }

debian_codename() { sed -n 's/^VERSION_CODENAME=//p' /etc/os-release; }

is_installed() { [[ $(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null) == ii* ]]; }

# need_packages NAME...: installs those that are missing.
need_packages() {
  local package
  local -a missing=()
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then return; fi
  if ! is_debian; then fail_missing "not on Debian: install ${missing[*]} by hand"; fi
  if ((EUID != 0)); then fail_missing "only root can install what is missing: apt-get install ${missing[*]}"; fi
  step "installing ${missing[*]}" install_packages "${missing[@]}"
}

install_packages() {
  need_package_lists
  apt_install "$@" || { apt-get update && apt_install "$@"; } # old lists name files that the mirror has no more
}

apt_install() {
  DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@"
}

# A new machine has none.
need_package_lists() {
  if [[ -z $(find /var/lib/apt/lists -maxdepth 1 -name '*Packages*' -print -quit) ]]; then apt-get update; fi
}

# Backports are seldom among a machine's sources; they are named for this one installation only.
install_backports() {
  need_package_lists
  local codename mirror sources
  codename=$(debian_codename)
  mirror=$(debian_mirror)
  sources=$(mktemp --suffix=.list)
  printf 'deb %s %s main\n' "$mirror" "$codename" "$mirror" "$codename-backports" >"$sources"
  apt-get -o Dir::Etc::SourceList="$sources" update
  apt_install -o Dir::Etc::SourceList="$sources" -t "$codename-backports" "$@"
  rm -f "$sources"
}

# The URI of the machine's own Debian mirror. Another suite of Debian is found under the same URI.
debian_mirror() {
  local uri
  uri=$(apt-get indextargets --format '$(CREATED_BY)|$(ORIGIN)|$(CODENAME)|$(COMPONENT)|$(REPO_URI)' |
    awk -F '|' -v codename="$(debian_codename)" \
      '$1 == "Packages" && $2 == "Debian" && $3 == codename && $4 == "main" { print $5; exit }')
  if [[ -z $uri ]]; then
    say "no source of Debian $(debian_codename) main is among the sources of apt"
    return "$EXIT_MISSING"
  fi
  printf '%s\n' "$uri"
}

# debian_root SUITE FILE PACKAGE...: a minimal root of SUITE with PACKAGEs and without manuals, as a tar file.
debian_root() {
  local suite=$1 file=$2 mirror
  shift 2
  mirror=$(debian_mirror)
  mmdebstrap --variant=minbase --include="$(IFS=,; echo "$*")" \
    --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    "$suite" "$file" "deb $mirror $suite main"
}
