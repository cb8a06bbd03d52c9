package dev.postern.sidecar.ktls;

import dev.postern.sidecar.linux.Errno;
import java.util.Optional;

/**
 * Whether sockets here take the kernel's TLS.
 *
 * @param refusal empty when they do
 * @param detail the kernel's answer, for the log
 */
public record KernelTls(Optional<PathReason> refusal, String detail) {

  /**
   * What an answer to setsockopt(TCP_ULP, "tls") means.
   *
   * @param result 0 or -errno; ENOENT: the module is not there (net/ipv4/tcp_ulp.c), ENOPROTOOPT:
   *     the kernel knows no ULP
   */
  static KernelTls of(int result) {
    if (result >= 0) {
      return new KernelTls(Optional.empty(), "TCP_ULP tls: accepted");
    }
    boolean unknown = result == -Errno.ENOENT || result == -Errno.ENOPROTOOPT;
    return new KernelTls(
        Optional.of(unknown ? PathReason.KERNEL_NO_TLS : PathReason.ULP_REFUSED),
        "TCP_ULP tls: " + Errno.name(-result));
  }
}
