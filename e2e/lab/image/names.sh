# shellcheck shell=bash
# What the images are called, and where their archives lie.

readonly IMAGE_NAMES=(sidecar operator samples)
IMAGE_DIR=$CACHE_DIR/images

image_name() { echo "localhost/postern-$1:dev"; }
image_archive() { echo "$IMAGE_DIR/$1.tar"; }
