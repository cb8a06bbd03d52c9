# shellcheck shell=bash
# Which Docker engine runs the nodes: the machine's where one answers, else a private one (private-engine.sh).

choose_engine() {
  if is_private_engine_running; then
    use_private_engine
  elif is_machine_engine_working; then
    ENGINE=machine
  elif ((EUID == 0)) && is_debian; then
    ENGINE=private
  else
    fail_missing "no Docker engine answers, and one of our own needs root on Debian"
  fi
}

is_machine_engine_working() { command -v docker >/dev/null && docker info >/dev/null 2>&1; }

start_engine() {
  if [[ $ENGINE == private ]]; then start_private_engine; fi
}

stop_engine() {
  if is_private_engine_running; then step "stopping the private Docker engine" stop_private_engine; fi
}

engine_cgroup_version() { docker info --format '{{.CgroupVersion}}'; }
