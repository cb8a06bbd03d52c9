# shellcheck shell=bash
# One machine: boots, runs a command, goes.

# boot VERSION MEMORY CPUS TIMEOUT COMMAND...: exits with COMMAND's status.
boot() {
  local version=$1 memory=$2 cpus=$3 timeout=$4
  shift 4
  local log=$LOG_DIR/console-$version.log
  mkdir -p "$LOG_DIR"
  MACHINE_DIR=$(mktemp -d --tmpdir postern-kernel.XXXXXX)
  trap end_machine EXIT
  printf '%s\0' "$@" >"$MACHINE_DIR/command"
  cp "$(linux_file "$version")" "$MACHINE_DIR/linux"
  mkfifo "$MACHINE_DIR"/{output,errors}
  cat "$MACHINE_DIR/output" &
  local output=$!
  cat "$MACHINE_DIR/errors" >&2 &
  local errors=$! start=$SECONDS
  launch "$version" "$memory" "$cpus" "$timeout" >"$log" 2>&1 </dev/null \
    3>"$MACHINE_DIR/output" 4>"$MACHINE_DIR/errors" &
  MACHINE_PID=$!
  wait "$MACHINE_PID" 2>/dev/null || true
  MACHINE_PID=
  wait "$output" "$errors"
  hand_back "$log" "$((SECONDS - start))" "$timeout"
}

# The kernel's console is standard output, the command has the two pipes.
launch() {
  local version=$1 memory=$2 cpus=$3 timeout=$4
  local -a more=()
  if [[ $version == "$KERNEL_REKEY" ]]; then more=(seccomp=on "ncpus=$cpus"); fi
  exec timeout --signal=KILL "$timeout" \
    unshare --mount --propagation private --pid --fork --kill-child=KILL \
    "$KERNEL_LAB/enter.sh" "$(root_dir)" "$ROOT_DIR" "$MACHINE_DIR" "$JAVA_HOME" \
    "mem=$memory" "${more[@]}" con=null con0=null,fd:1 con1=null,fd:3 con2=null,fd:4
}

# hand_back LOG ELAPSED TIMEOUT
hand_back() {
  local log=$1 elapsed=$2 timeout=$3
  if [[ -s $MACHINE_DIR/status ]]; then exit "$(<"$MACHINE_DIR/status")"; fi
  if ((elapsed >= timeout)); then die "$EXIT_MACHINE" "the machine was ended after $timeout s (its console: $log)"; fi
  local last
  last=$(grep -a -m 1 'Kernel panic' "$log" || grep -av '^[[:space:]]*$' "$log" | tail -n 1)
  die "$EXIT_MACHINE" "the machine crashed: $last (its console: $log)"
}

end_machine() {
  end_running_step
  if [[ -n ${MACHINE_PID:-} ]]; then
    # timeout made a process group of its own for the machine.
    kill -KILL -- "-$MACHINE_PID" || true
    wait "$MACHINE_PID" || true
  fi 2>/dev/null
  rm -rf "$MACHINE_DIR"
}
