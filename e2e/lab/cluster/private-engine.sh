# shellcheck shell=bash
# A Docker engine in a network namespace of its own: it writes its firewall rules, bridges and routes there, and the
# machine's stay as they are. It is Debian's docker.io, unpacked and not installed, since an installed one would be
# started as a service of the machine.

readonly ENGINE_NAMESPACE=$CLUSTER_NAME
readonly ENGINE_CGROUP=/$CLUSTER_NAME
readonly RUN_DIR=/run/$CLUSTER_NAME-cluster
readonly ENGINE_PID_FILE=$RUN_DIR/docker.pid
readonly ENGINE_SOCKET=$RUN_DIR/docker.sock
readonly ENGINE_DIR=$CACHE_DIR/engine
readonly ENGINE_START_SECONDS=30 ENGINE_STOP_SECONDS=20

is_private_engine_running() { [[ -r $ENGINE_PID_FILE ]] && is_dockerd "$(<"$ENGINE_PID_FILE")"; }

is_dockerd() { [[ $(cat "/proc/$1/comm" 2>/dev/null) == dockerd ]]; }

use_private_engine() {
  ENGINE=private
  export DOCKER_HOST=unix://$ENGINE_SOCKET
  PATH=$(engine_programs):$PATH
}

# Where the unpacked packages have their programs.
engine_programs() { printf '%s:%s' "$ENGINE_DIR"/packages/usr/{bin,sbin}; }

start_private_engine() {
  if ! is_private_engine_running; then
    need_packages iproute2 iptables jq libdevmapper1.02.1 libseccomp2 procps
    if [[ ! -d $ENGINE_DIR/packages ]]; then
      step "unpacking Debian's docker.io" build_once "$ENGINE_DIR/packages" unpack_engine
    fi
    if [[ -e $RUN_DIR ]]; then step "clearing up after an engine that was killed" remove_leftovers; fi
    step "starting a private Docker engine" launch_engine
  fi
  use_private_engine
}

# unpack_engine DIR
unpack_engine() {
  local -a packages=(docker.io containerd runc)
  need_package_lists
  if [[ -n $(apt-cache madison docker-cli) ]]; then packages+=(docker-cli); fi
  local downloads=$1/downloads file
  mkdir "$downloads"
  cd "$downloads"
  apt_download "${packages[@]}" || { apt-get update && apt_download "${packages[@]}"; }
  for file in *.deb; do dpkg-deb --extract "$file" "$1"; done
  rm -rf "$downloads"
}

apt_download() { apt-get -o APT::Sandbox::User=root download "$@"; }

launch_engine() {
  mkdir -p "$RUN_DIR" "$ENGINE_DIR"
  remember_kernel_settings
  create_engine_namespace
  # Copied, since an engine may outlive the checkout that started it.
  install -D -t "$ENGINE_DIR/runtime" "$CLUSTER_LAB"/{runc-trim,capabilities.sh}
  engine_config >"$RUN_DIR/daemon.json"
  cd /
  PATH=$(engine_programs):$PATH setsid nsenter --net="/run/netns/$ENGINE_NAMESPACE" \
    dockerd --config-file "$RUN_DIR/daemon.json" >"$LOG_DIR/dockerd.log" 2>&1 </dev/null {LOCK}>&- &
  if ! await_engine "$!"; then
    tail -n 20 "$LOG_DIR/dockerd.log"
    return "$EXIT_FAILURE"
  fi
}

create_engine_namespace() {
  if [[ ! -e /run/netns ]]; then touch "$RUN_DIR/made-run-netns"; fi
  if [[ ! -e /run/netns/$ENGINE_NAMESPACE ]]; then ip netns add "$ENGINE_NAMESPACE"; fi
  ip -n "$ENGINE_NAMESPACE" link set lo up
  nsenter --net="/run/netns/$ENGINE_NAMESPACE" sysctl -qw net.ipv4.ip_forward=1
}

# await_engine PID
await_engine() {
  local deadline=$((SECONDS + ENGINE_START_SECONDS))
  until is_engine_answering; do
    if [[ ! -d /proc/$1 ]] || ((SECONDS > deadline)); then return 1; fi
    sleep 0.2
  done
}

is_engine_answering() {
  PATH=$(engine_programs):$PATH docker -H "unix://$ENGINE_SOCKET" version >/dev/null 2>&1
}

# No default bridge: the nodes have a network of kind's, and nothing else runs here.
engine_config() {
  jq -n --arg run "$RUN_DIR" --arg data "$ENGINE_DIR/data" --arg networks "$NODE_NETWORKS" \
    --arg cgroup "$ENGINE_CGROUP" '{
      "data-root": $data, "exec-root": "\($run)/exec", "pidfile": "\($run)/docker.pid",
      "hosts": ["unix://\($run)/docker.sock"], "bridge": "none", "ip6tables": false, "userland-proxy": false,
      "default-address-pools": [{"base": $networks, "size": 26}], "storage-driver": "overlay2",
      "exec-opts": ["native.cgroupdriver=cgroupfs"], "cgroup-parent": $cgroup
    }' | engine_config_without_resource_capability
}

# Without CAP_SYS_RESOURCE an ordinary runc fails at privileged containers, and a dockerd of before version 25 at
# its own wish for a low OOM score.
engine_config_without_resource_capability() {
  if [[ -z $(missing_capabilities) ]]; then
    cat
    return
  fi
  local old=false
  if PATH=$(engine_programs):$PATH dockerd --help | grep -q -- --oom-score-adjust; then old=true; fi
  jq --arg runtime "$ENGINE_DIR/runtime/runc-trim" --argjson old "$old" '
    . + {"runtimes": {"trim": {"path": $runtime}}, "default-runtime": "trim"}
      + if $old then {"oom-score-adjust": 0} else {} end'
}

# Its containerd ends with it.
stop_private_engine() {
  local pid deadline=$((SECONDS + ENGINE_STOP_SECONDS))
  pid=$(<"$ENGINE_PID_FILE")
  kill "$pid"
  while is_dockerd "$pid"; do
    if ((SECONDS > deadline)); then kill -9 "$pid"; fi
    sleep 0.1
  done
}
