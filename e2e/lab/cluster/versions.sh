# shellcheck shell=bash disable=SC2034
# What the cluster is made of. A new version here is a new folder in the cache.

readonly KUBERNETES_VERSION=v1.37.2 # also in node/go.mod
readonly KIND_VERSION=v0.33.0
readonly CONTAINERD_VERSION=v2.4.2
readonly HELM_VERSION=v4.3.1

# Bookworm's systemd runs on both versions of cgroups, a later one only on the second.
readonly NODE_SUITE=bookworm

readonly CLUSTER_NAME=postern

# Addresses that are reserved for documentation, so that they collide with no network of the machine.
readonly NODE_NETWORKS=203.0.113.0/24
readonly POD_SUBNET=192.0.2.0/24
readonly POD_SUBNET6_PREFIX=2001:db8:0
readonly SERVICE_SUBNET=198.51.100.128/25
