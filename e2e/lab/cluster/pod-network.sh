# shellcheck shell=bash
# The pod network of the node image that we build: Debian's CNI plugins, a bridge on each node and routes between the
# nodes. (kind's own image brings a network of its own.)

connect_pods() {
  local node subnet
  local -A subnets addresses
  while read -r node address subnet; do
    subnets[$node]=$subnet
    addresses[$node]=$address
  done < <(await_pod_subnets)
  for node in "${!subnets[@]}"; do
    bridge_config "${subnets[$node]}" | docker exec -i "$node" tee /etc/cni/net.d/10-bridge.conflist >/dev/null
    add_routes "$node"
  done
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

bridge_config() {
  jq -n --arg subnet "$1" '{
    cniVersion: "1.0.0", name: "pods", plugins: [
      { type: "bridge", bridge: "cni0", isGateway: true, ipMasq: true, hairpinMode: true,
        ipam: { type: "host-local", ranges: [[{subnet: $subnet}]], routes: [{dst: "0.0.0.0/0"}] } },
      { type: "portmap", capabilities: {portMappings: true} }
    ]}'
}

# add_routes NODE: to the pods of every other node. Reads subnets and addresses of connect_pods.
add_routes() {
  local other
  for other in "${!subnets[@]}"; do
    if [[ $other != "$1" ]]; then docker exec "$1" ip route replace "${subnets[$other]}" via "${addresses[$other]}"; fi
  done
}
