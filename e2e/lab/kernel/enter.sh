#!/usr/bin/env bash
# enter.sh ROOT TREE MACHINE JDK KERNEL-ARGUMENT...: runs MACHINE/linux, rooted in ROOT with the other folders in it.
# Runs in mount and process namespaces of its own: what it mounts and starts ends with it.
set -euo pipefail

root=$1 tree=$2 machine=$3 jdk=$4
shift 4

mount --bind "$tree" "$root/postern"
mount --bind "$machine" "$root/machine"
mount --bind "$jdk" "$root/jdk"
if [[ -d $HOME/.m2 ]]; then mount --bind "$HOME/.m2" "$root/root/.m2"; fi
# Debian's own JDK has its configuration there.
if [[ -d /etc/java-25-openjdk ]]; then mount --bind /etc/java-25-openjdk "$root/etc/java-25-openjdk"; fi
mount -t proc proc "$root/proc"
# User-Mode Linux keeps the machine's memory in a file there.
mount -t tmpfs -o mode=1777,size=100% tmpfs "$root/dev/shm"

# A panic ends in abort(3), which the first process of a namespace would survive: so this shell stays.
ulimit -c 0
status=0
env -i HOME=/machine PATH=/usr/bin:/usr/sbin chroot "$root" /machine/linux root=/dev/root rootfstype=hostfs \
  rootflags=/ ro init=/postern/e2e/lab/kernel/init.sh "$@" || status=$?
exit "$status"
