#!/usr/bin/env bash
# Builds the images into archives, with Docker where it can pull, else with buildah on a base of its own making.
set -euo pipefail

LAB_DIR=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
ROOT_DIR=$(dirname "$(dirname "$LAB_DIR")")
COMMAND_NAME=image
for part in progress cache debian image/names image/base; do
  # shellcheck source=/dev/null
  source "$LAB_DIR/$part.sh"
done
# shellcheck disable=SC2034 # read by progress.sh
LOG_DIR=$CACHE_DIR/log/image

usage() {
  cat <<USAGE
usage: e2e/lab/image/build.sh NAME... | all

  NAME: ${IMAGE_NAMES[*]}, peers (only the bench needs it); all: every one but peers.
  The jars must have been built before. Each image ends as a docker-archive in
  \${XDG_CACHE_HOME:-~/.cache}/postern/images/NAME.tar, named localhost/postern-NAME:dev.
USAGE
}

main() {
  local -a names=("$@")
  case ${1:-} in
    '' | -h | --help) usage; return ;;
    all) names=("${IMAGE_NAMES[@]}") ;;
  esac
  mkdir -p "$IMAGE_DIR"
  choose_builder
  local name
  for name in "${names[@]}"; do
    long_step "building image $name" build_image "$name" "$(context_of "$name")"
  done
}

# The folder that holds NAME's Containerfile, which is its build context too.
context_of() {
  case $1 in
    sidecar | operator) echo "$ROOT_DIR/$1" ;;
    samples) echo "$LAB_DIR/demo" ;;
    peers) echo "$LAB_DIR/bench" ;;
    *) fail_usage "no image is called '$1': ${IMAGE_NAMES[*]} peers" ;;
  esac
}

build_image() {
  local name=$1 context=$2 image archive
  image=$(image_name "$name")
  archive=$(image_archive "$name")
  if [[ $BUILDER == docker ]]; then
    docker build --tag "$image" --file "$context/Containerfile" "$context"
    docker save --output "$archive.new" "$image"
  else
    buildah bud --layers --tag "$image" --file "$context/Containerfile" "$context"
    rm -f "$archive.new"
    buildah push "$image" "docker-archive:$archive.new:$image"
  fi
  mv "$archive.new" "$archive"
}

main "$@"
