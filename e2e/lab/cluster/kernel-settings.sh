# shellcheck shell=bash
# Kubelet and systemd of a privileged node set a few values of the machine's kernel. They are noted before the
# first node starts and put back after the last one has gone.

readonly KERNEL_SETTINGS=(
  fs.file-max fs.nr_open kernel.keys.root_maxbytes kernel.keys.root_maxkeys kernel.panic kernel.panic_on_oops
  vm.overcommit_memory vm.panic_on_oom
)

remember_kernel_settings() {
  if [[ ! -e $RUN_DIR/sysctl.conf ]]; then
    sysctl --ignore "${KERNEL_SETTINGS[@]}" >"$RUN_DIR/sysctl.conf"
  fi
}

restore_kernel_settings() {
  if [[ -e $RUN_DIR/sysctl.conf ]]; then sysctl -q --load="$RUN_DIR/sysctl.conf"; fi
}
