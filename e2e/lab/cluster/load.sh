# shellcheck shell=bash
# Brings an image onto every node: all nodes at once, and only where it is not there already.

# load_image IMAGE: a docker-archive, or the name of an image that the engine holds.
load_image() {
  local node pid
  local -a pids=()
  for node in $(node_names); do
    load_onto "$node" "$1" &
    pids+=("$!")
  done
  for pid in "${pids[@]}"; do wait "$pid"; done
}

load_onto() {
  local node=$1 image=$2
  if [[ -f $image ]]; then
    if has_archive "$node" "$image"; then return; fi
    import_onto "$node" <"$image"
  else
    docker save "$image" | import_onto "$node"
  fi
}

import_onto() {
  docker exec --interactive "$1" ctr --namespace k8s.io images import --all-platforms --digests --snapshotter overlayfs -
}

# Whether every name in the archive means the very same image on the node. Kubelet's part of containerd keeps each
# image under its configuration's digest as well.
has_archive() {
  local node=$1 names name id
  names=$(docker exec "$node" ctr --namespace k8s.io images list | awk '{ print $1, $3 }')
  while read -r name id; do
    [[ -n $(digest_of "$name") && $(digest_of "$name") == "$(digest_of "$id")" ]] || return 1
  done < <(tar -xOf "$2" manifest.json |
    jq -r '.[] | (.Config | sub("^blobs/sha256/"; "") | sub("\\.json$"; "")) as $id | .RepoTags[] | "\(.) sha256:\($id)"')
}

# digest_of NAME: out of the lines of has_archive, where a short name has got a default registry, and "library/", before it.
digest_of() {
  awk -v name="$1" '{ short = $1; sub("^[^/]*[.][^/]*/(library/)?", "", short) } $1 == name || short == name { print $2; exit }' \
    <<<"$names"
}
