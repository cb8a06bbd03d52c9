# shellcheck shell=bash
# Which of root's capabilities the machine keeps from its processes. Containers and virtual machines of build
# services often lack some, and a runtime that asks for them fails.

# In the order of their bits (capabilities(7)).
readonly CAPABILITIES=(
  CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE NET_BIND_SERVICE
  NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO SYS_CHROOT SYS_PTRACE SYS_PACCT SYS_ADMIN
  SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL SETFCAP MAC_OVERRIDE
  MAC_ADMIN SYSLOG WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF CHECKPOINT_RESTORE
)

missing_capabilities() {
  local bounding bit
  bounding=$((16#$(sed -n 's/^CapBnd:\t//p' /proc/self/status)))
  for bit in "${!CAPABILITIES[@]}"; do
    if ((!(bounding >> bit & 1))); then echo "CAP_${CAPABILITIES[bit]}"; fi
  done
}
