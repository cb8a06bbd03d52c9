#!/bin/bash
# The first process of the machine: sets it up, runs the command of /machine/command, leaves its status in
# /machine/status and switches the machine off.

export PATH=/jdk/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export JAVA_HOME=/jdk HOME=/tmp LANG=C.UTF-8

set_up() {
  mount -t proc proc /proc
  mount -t sysfs sysfs /sys
  mount -t devtmpfs devtmpfs /dev
  mkdir -p /dev/pts /dev/shm
  mount -t devpts devpts /dev/pts
  local dir
  for dir in /dev/shm /tmp /run; do mount -t tmpfs -o mode=1777 tmpfs "$dir"; done
  # The root is read-only, these two are not.
  for dir in /postern /machine; do mount -t hostfs -o "hostfs=$dir" hostfs "$dir"; done
  ln -sf /proc/self/fd /dev/fd
  ip link set lo up
  hostname postern
  if [[ -e /proc/sys/kernel/io_uring_disabled ]]; then echo 0 >/proc/sys/kernel/io_uring_disabled; fi
  load_modules
}

# Nothing to do in a kernel that has it all built in.
load_modules() {
  if [[ ! -d /lib/modules/$(uname -r) ]]; then return; fi
  local module
  for module in gcm ccm ctr ghash-generic chacha20poly1305 tls; do modprobe "$module"; done
}

run_command() {
  local -a command
  mapfile -d '' -t command </machine/command
  cd /postern || return
  local terminal
  for terminal in /dev/tty1 /dev/tty2; do stty -F "$terminal" raw -echo -opost; done
  "${command[@]}" </dev/null >/dev/tty1 2>/dev/tty2
}

# What a terminal still holds would be lost.
drain() {
  local terminal
  for terminal in /dev/tty1 /dev/tty2; do stty -F "$terminal" raw; done
}

# reboot(2); nothing in a minimal Debian calls it without systemd.
switch_off() { perl -e 'syscall(169, 0xfee1dead, 672274793, 0x4321fedc, 0)'; }

set_up
run_command
status=$?
drain
echo "$status" >/machine/status
switch_off
