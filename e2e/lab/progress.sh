# shellcheck shell=bash
# Progress lines of the commands in e2e/: one line a step with its seconds, the output in a log file.
#
# A command sets COMMAND_NAME (stands before its messages) and LOG_DIR (one log a step) before its first step.

readonly EXIT_FAILURE=1 EXIT_USAGE=2 EXIT_MISSING=69
readonly LOG_TAIL_LINES=20 HEARTBEAT_SECONDS=60

if [[ -t 2 ]]; then
  readonly GREEN=$'\e[32m' RED=$'\e[31m' PLAIN=$'\e[0m' REWRITE_LINE=$'\r\e[K'
else
  readonly GREEN='' RED='' PLAIN='' REWRITE_LINE=''
fi

say() { printf '%s\n' "$*" >&2; }

die() {
  local status=$1
  shift
  say "${RED}${COMMAND_NAME}: $*${PLAIN}"
  exit "$status"
}

fail() { die "$EXIT_FAILURE" "$@"; }
fail_usage() { die "$EXIT_USAGE" "$@"; }
fail_missing() { die "$EXIT_MISSING" "$@"; }

# step TITLE COMMAND...: for what takes seconds. Runs in a subshell: COMMAND changes files, not variables.
# Never call it in a condition, where bash would ignore the errors inside COMMAND.
step() { run_step brief "$@"; }

# long_step TITLE COMMAND...: for what may take minutes; says so at its start and once a minute.
long_step() { run_step long "$@"; }

run_step() {
  local length=$1 title=$2
  shift 2
  local log
  log=$LOG_DIR/$(tr -cs '[:alnum:].' '-' <<<"$title" | sed 's/-$//').log
  mkdir -p "$LOG_DIR"
  announce_step "$length" "$title" "$log"
  local start=$SECONDS status=0
  set -m # a process group of its own, so that an interrupt can end the whole step
  (
    set +m
    set -euo pipefail
    "$@"
  ) >"$log" 2>&1 </dev/null &
  STEP_PID=$!
  set +m
  await_step "$length" "$title" "$start" || status=$?
  STEP_PID=
  report_step "$title" "$log" "$((SECONDS - start))" "$status"
}

announce_step() {
  local length=$1 title=$2 log=$3
  if [[ $length == long ]]; then
    say "... $title (log: $log)"
  elif [[ -n $REWRITE_LINE ]]; then
    printf '... %s' "$title" >&2
  fi
}

await_step() {
  local length=$1 title=$2 start=$3
  if [[ $length == long ]]; then
    while kill -0 "$STEP_PID" 2>/dev/null; do
      sleep 1
      local elapsed=$((SECONDS - start))
      if ((elapsed > 0 && elapsed % HEARTBEAT_SECONDS == 0)); then say "... $title: ${elapsed} s so far"; fi
    done
  fi
  wait "$STEP_PID"
}

report_step() {
  local title=$1 log=$2 elapsed=$3 status=$4
  if ((status == 0)); then
    say "${REWRITE_LINE}${GREEN}ok${PLAIN}  $title (${elapsed} s)"
    return
  fi
  say "${REWRITE_LINE}${RED}FAILED${PLAIN}  $title (${elapsed} s); the end of $log:"
  tail -n "$LOG_TAIL_LINES" "$log" | sed 's/^/    /' >&2
  exit "$EXIT_FAILURE"
}

# For an EXIT trap: an interrupted command leaves no step running behind it.
end_running_step() {
  if [[ -n ${STEP_PID:-} ]]; then
    kill -- "-$STEP_PID" 2>/dev/null || true
    STEP_PID=
  fi
}
trap end_running_step EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
