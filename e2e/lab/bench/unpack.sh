# shellcheck shell=bash
# An image archive as a folder that a process can be rooted in.

# unpack_image ARCHIVE DIR: the layers of a docker-archive, one over the other; whiteouts are obeyed.
unpack_image() {
  local archive=$1 dir=$2 layers layer gone
  layers=$(mktemp -d)
  tar --extract --file "$archive" --directory "$layers"
  for layer in $(jq -r '.[0].Layers[]' "$layers/manifest.json"); do
    while read -r gone; do
      rm -rf "${dir:?}/$(dirname "$gone")/$(basename "$gone" | sed 's/^\.wh\.//')"
    done < <(tar --list --file "$layers/$layer" | grep '/\.wh\.' || true)
    tar --extract --file "$layers/$layer" --directory "$dir" --exclude '.wh.*'
  done
  rm -rf "$layers"
  mkdir -p "$dir/proc" "$dir/dev" "$dir/tmp"
}
