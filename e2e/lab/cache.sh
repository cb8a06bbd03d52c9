# shellcheck shell=bash
# Where the commands in e2e/ keep what they built, so that it is built once for each version.

CACHE_DIR=${XDG_CACHE_HOME:-$HOME/.cache}/postern

# build_once DIR COMMAND...: runs COMMAND with a new folder as its last argument and, once it has succeeded,
# makes that folder DIR. A build that was interrupted is never taken for one that finished.
build_once() {
  local dir=$1
  shift
  if [[ -d $dir ]]; then return; fi
  local unfinished=$dir.unfinished
  rm -rf "$unfinished"
  mkdir -p "$unfinished"
  "$@" "$unfinished"
  mv "$unfinished" "$dir"
}

# The first digits of a checksum over files and words: names what was built from them.
fingerprint() { cat "$@" | sha256sum | cut -c 1-12; }
