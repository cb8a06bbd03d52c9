# shellcheck shell=bash
# What a cluster could leave behind on the machine. `down` fails if it finds anything, `status` shows it.

# A line for each thing that is left; nothing when all is clean.
leftovers() {
  leftover_nodes
  if ((EUID == 0)); then
    leftover_processes | sed 's/^/process /'
    leftover_mounts | sed 's/^/mount /'
    leftover_cgroups | sed 's/^/control group /'
    leftover_namespace
    if [[ -e $RUN_DIR ]]; then echo "folder $RUN_DIR"; fi
  fi
}

leftover_nodes() {
  is_machine_engine_working || return 0
  node_names | sed 's/^/container /'
  if docker network inspect "$CLUSTER_NAME" >/dev/null 2>&1; then echo "network $CLUSTER_NAME"; fi
}

# Everything that the private engine starts is in its control groups; the engine itself is in its namespace.
leftover_processes() {
  local pid
  { engine_cgroups | while read -r dir; do cat "$dir/cgroup.procs"; done
    ip netns pids "$ENGINE_NAMESPACE" 2>/dev/null || true; } | sort -nu | while read -r pid; do
    printf '%s %s\n' "$pid" "$(cat "/proc/$pid/comm" 2>/dev/null)"
  done
}

# Deepest first, as they have to be removed.
engine_cgroups() { find /sys/fs/cgroup -depth -path "/sys/fs/cgroup/*$ENGINE_CGROUP*" -type d 2>/dev/null || true; }

leftover_cgroups() { engine_cgroups | grep -E "^/sys/fs/cgroup(/[^/]+)?$ENGINE_CGROUP\$" || true; }

# Deepest first.
leftover_mounts() {
  awk -v run="$RUN_DIR/" -v data="$ENGINE_DIR/" \
    'index($5, run) == 1 || index($5, data) == 1 { print $5 }' /proc/self/mountinfo | sort -r
}

leftover_namespace() {
  if [[ -e /run/netns/$ENGINE_NAMESPACE ]]; then echo "network namespace $ENGINE_NAMESPACE"; fi
}

# After an engine that ended well there is little to do; after one that was killed this ends what it left.
remove_leftovers() {
  local pid dir
  leftover_processes | while read -r pid _; do kill -9 "$pid" 2>/dev/null || true; done
  leftover_mounts | while read -r dir; do umount --lazy "$dir" || true; done
  if [[ -e /run/netns/$ENGINE_NAMESPACE ]]; then ip netns delete "$ENGINE_NAMESPACE"; fi
  engine_cgroups | while read -r dir; do rmdir "$dir" || true; done
  remove_emptied_folders
  restore_kernel_settings
  rm -rf "$RUN_DIR"
}

# ip and dockerd make folders that others may have come to use: they go only if they are ours and empty, and the
# mount only if nothing is mounted in it.
remove_emptied_folders() {
  if [[ -e $RUN_DIR/made-run-netns ]] && umount /run/netns 2>/dev/null; then rmdir /run/netns || true; fi
  if [[ -e $RUN_DIR ]]; then rmdir /run/docker/{plugins,} /run/containerd/{s,} 2>/dev/null || true; fi
}
