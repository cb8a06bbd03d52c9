# shellcheck shell=bash
# The cluster itself: kind makes it, kind takes it away.

# A network of its own, so that it can go with the cluster; kind's default would stay.
export KIND_EXPERIMENTAL_DOCKER_NETWORK=$CLUSTER_NAME
readonly READY_SECONDS=120

node_names() { docker ps --all --filter "label=io.x-k8s.kind.cluster=$CLUSTER_NAME" --format '{{.Names}}' | sort; }

control_plane() { printf '%s-control-plane' "$CLUSTER_NAME"; }

count_nodes() { node_names | grep -c . || true; }

# create_nodes COUNT
create_nodes() {
  local config=$STATE_DIR/kind.yaml
  mkdir -p "$STATE_DIR"
  kind_config "$1" >"$config"
  # A cluster that failed half-way is kept by neither kind nor us: the log says why.
  "$KIND_DIR/kind" create cluster --name "$CLUSTER_NAME" --config "$config" --kubeconfig "$HOST_KUBECONFIG"
}

# kind_config COUNT
kind_config() {
  local worker
  cat <<CONFIG
kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
networking:
  disableDefaultCNI: $(is_own_node_image "$NODE_IMAGE" && echo true || echo false)
  podSubnet: $POD_SUBNET
  serviceSubnet: $SERVICE_SUBNET
  kubeProxyMode: nftables
  apiServerAddress: 127.0.0.1
kubeadmConfigPatches:
- |
  kind: KubeletConfiguration
  apiVersion: kubelet.config.k8s.io/v1beta1
  failCgroupV1: false
- |
  kind: ClusterConfiguration
  apiVersion: kubeadm.k8s.io/v1beta4
  controllerManager: {extraArgs: [{name: node-cidr-mask-size, value: "$(pod_mask_size "$1")"}]}
- |
  # The table of connections is the machine's; its size is not ours to set.
  kind: KubeProxyConfiguration
  apiVersion: kubeproxy.config.k8s.io/v1alpha1
  conntrack: {maxPerCore: 0, min: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
nodes:
- role: control-plane
  image: $NODE_IMAGE
CONFIG
  for ((worker = 1; worker < $1; worker++)); do
    printf -- '- role: worker\n  image: %s\n' "$NODE_IMAGE"
  done
}

# One node has the whole subnet; several have 30 pods each.
pod_mask_size() { if (($1 == 1)); then echo 24; else echo 27; fi; }

await_ready() {
  on_control_plane kubectl wait --for=condition=Ready node --all --timeout="${READY_SECONDS}s"
  on_control_plane kubectl -n kube-system rollout status deployment/coredns --timeout="${READY_SECONDS}s"
}

on_control_plane() { docker exec --env KUBECONFIG=/etc/kubernetes/admin.conf "$(control_plane)" "$@"; }

is_api_answering() { on_control_plane kubectl get --raw /readyz --request-timeout=5s >/dev/null 2>&1; }

delete_nodes() {
  "$KIND_DIR/kind" delete cluster --name "$CLUSTER_NAME" --kubeconfig "$HOST_KUBECONFIG"
  docker network rm "$CLUSTER_NAME" >/dev/null 2>&1 || true
}
