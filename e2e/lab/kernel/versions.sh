# shellcheck shell=bash disable=SC2034
# The kernels, and what the machine's root folder is made of. A change here is a new folder in the cache.

readonly KERNEL_REKEY=7.3      # 6.14 and later: kTLS takes new keys
readonly KERNEL_NO_REKEY=6.12  # Debian 13's own
readonly KERNELS=("$KERNEL_REKEY" "$KERNEL_NO_REKEY")
readonly KERNEL_DEFAULT=$KERNEL_REKEY

readonly MOST_CPUS=8 # also CONFIG_NR_CPUS in config

# OpenSSL 3.5 and a liburing with its FFI library are only in Debian 13.
readonly MACHINE_SUITE=trixie
readonly MACHINE_PACKAGES=(ca-certificates iproute2 kmod liburing2 openssl procps user-mode-linux)

readonly EXIT_MACHINE=70
