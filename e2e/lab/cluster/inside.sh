# shellcheck shell=bash
# Runs a command where the cluster can be reached: in the network namespace of the control plane's node. The API
# server, every pod and every Service answer there by address, and Services by name too, on either engine and
# without a route of the machine's.

readonly API_SERVER_PORT=6443

# kind, helm and a kubectl of the cluster's version.
INSIDE_PATH=$KIND_DIR:$HELM_DIR:$STATE_DIR/bin
HOST_KUBECONFIG=$STATE_DIR/kubeconfig
INSIDE_KUBECONFIG=$STATE_DIR/kubeconfig-inside
INSIDE_RESOLV_CONF=$STATE_DIR/resolv.conf

# Made once with the cluster, so that `in` starts fast.
prepare_inside() {
  local dns
  provide_kubectl "$STATE_DIR/bin"
  "$KIND_DIR/kind" get kubeconfig --name "$CLUSTER_NAME" --internal |
    sed "s#server: .*#server: https://127.0.0.1:$API_SERVER_PORT#" >"$INSIDE_KUBECONFIG"
  dns=$(on_control_plane kubectl -n kube-system get service kube-dns --output 'jsonpath={.spec.clusterIP}')
  printf 'nameserver %s\nsearch svc.cluster.local cluster.local\noptions ndots:5 timeout:2\n' "$dns" >"$INSIDE_RESOLV_CONF"
}

# Of our own build, or out of the node.
provide_kubectl() {
  mkdir -p "$1"
  if [[ -x $KUBERNETES_DIR/kubectl ]]; then
    ln -sf "$KUBERNETES_DIR/kubectl" "$1/kubectl"
  else
    docker cp "$(control_plane):/usr/bin/kubectl" "$1/kubectl"
  fi
}

# run_inside COMMAND...: becomes COMMAND.
run_inside() {
  local pid
  PATH=$INSIDE_PATH:$PATH
  pid=$(docker inspect --format '{{.State.Pid}}' "$(control_plane)" 2>/dev/null) || fail "no cluster is up: $COMMAND_NAME up"
  if can_enter "$pid"; then
    export KUBECONFIG=$INSIDE_KUBECONFIG
    # shellcheck disable=SC2016 # the inner shell expands them
    exec nsenter --net="/proc/$pid/ns/net" unshare --mount \
      sh -c 'mount --bind "$0" "$(readlink -f /etc/resolv.conf)" && exec "$@"' "$INSIDE_RESOLV_CONF" "$@"
  fi
  export KUBECONFIG=$HOST_KUBECONFIG
  exec "$@"
}

# An engine in a virtual machine, or one used without being root, lets nobody into its namespaces: then only the API
# server is within reach.
can_enter() { ((EUID == 0)) && [[ $(readlink "/proc/$1/exe") == */systemd ]]; }
