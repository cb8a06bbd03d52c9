# shellcheck shell=bash
# The pod network of the node image that we build: Debian's CNI plugins, a bridge on each node and routes between the
# nodes. Pods have an IPv6 address too, though Services do not: what reaches a pod by IPv6 is worth a test.
# (kind's own image brings a network of its own.)

declare -A NODE_ADDRESS NODE_ADDRESS6 PODS_SUBNET PODS_SUBNET6

connect_pods() {
  local node
  learn_pod_subnets
  for node in "${!PODS_SUBNET[@]}"; do
    forward_ipv6 "$node"
    bridge_config "$node" | docker exec -i "$node" tee /etc/cni/net.d/10-bridge.conflist >/dev/null
    add_routes "$node"
    docker exec -i "$node" nft -f - < <(masquerade_rules)
  done
}

learn_pod_subnets() {
  local node address subnet number=0
  while read -r node address subnet; do
    NODE_ADDRESS[$node]=$address
    NODE_ADDRESS6[$node]=$(docker inspect --format '{{range .NetworkSettings.Networks}}{{.GlobalIPv6Address}}{{end}}' "$node")
    PODS_SUBNET[$node]=$subnet
    PODS_SUBNET6[$node]=$POD_SUBNET6_PREFIX:$((number++))::/64
  done < <(await_pod_subnets)
  if ((number == 0)); then fail "the nodes got no pod subnets"; fi
}

# A line for each node: its name, its address, its part of the pod subnet.
await_pod_subnets() {
  local lines deadline=$((SECONDS + READY_SECONDS))
  until lines=$(pod_subnets) && [[ $(grep -c / <<<"$lines") == "$(count_nodes)" ]]; do
    if ((SECONDS > deadline)); then return 1; fi
    sleep 0.5
  done
  printf '%s\n' "$lines"
}

pod_subnets() {
  on_control_plane kubectl get nodes --output \
    'jsonpath={range .items[*]}{.metadata.name} {.status.addresses[?(@.type=="InternalIP")].address} {.spec.podCIDR}{"\n"}{end}'
}

# The engine leaves IPv6 off on every interface but its own.
forward_ipv6() {
  local all=net.ipv6.conf.all default=net.ipv6.conf.default
  docker exec "$1" sysctl -qw $all.disable_ipv6=0 $default.disable_ipv6=0 $all.forwarding=1
}

# bridge_config NODE
bridge_config() {
  jq -n --arg subnet "${PODS_SUBNET[$1]}" --arg subnet6 "${PODS_SUBNET6[$1]}" '{
    cniVersion: "1.0.0", name: "pods", plugins: [
      { type: "bridge", bridge: "cni0", isGateway: true, hairpinMode: true,
        ipam: { type: "host-local", ranges: [[{subnet: $subnet}], [{subnet: $subnet6}]],
          routes: [{dst: "0.0.0.0/0"}, {dst: "::/0"}] } },
      { type: "portmap", capabilities: {portMappings: true} }
    ]}'
}

# Pods see each other's own addresses on every node (the bridge plugin would hide them behind their node's), and what
# is outside sees the node's.
masquerade_rules() {
  cat <<RULES
table ip pods {
  chain postrouting {
    type nat hook postrouting priority srcnat
    ip saddr $POD_SUBNET ip daddr != $POD_SUBNET masquerade
  }
}
RULES
}

# add_routes NODE: to the pods of every other node.
add_routes() {
  local other
  for other in "${!PODS_SUBNET[@]}"; do
    if [[ $other == "$1" ]]; then continue; fi
    docker exec "$1" ip route replace "${PODS_SUBNET[$other]}" via "${NODE_ADDRESS[$other]}"
    if [[ -n ${NODE_ADDRESS6[$other]} ]]; then
      docker exec "$1" ip -6 route replace "${PODS_SUBNET6[$other]}" via "${NODE_ADDRESS6[$other]}"
    fi
  done
}
