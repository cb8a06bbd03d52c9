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

# Whether every name in the archive means the very same image on the node.
has_archive() {
  local node=$1 name config
  while read -r name config; do
    [[ $(image_id_on "$node" "$name") == "$config" ]] || return 1
  done < <(tar -xOf "$2" manifest.json |
    jq -r '.[] | (.Config | sub("^blobs/sha256/"; "") | sub("\\.json$"; "")) as $id | .RepoTags[] | "\(.) sha256:\($id)"')
}

image_id_on() { docker exec "$1" crictl inspecti --output json "$2" 2>/dev/null | jq -r .status.id; }
