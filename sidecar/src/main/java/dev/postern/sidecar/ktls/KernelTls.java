package dev.postern.sidecar.ktls;

import dev.postern.sidecar.linux.Errno;
import java.util.Set;

/**
 * What this kernel's TLS can do, as tried.
 *
 * @param refusal {@link PathReason#NONE} when sockets here take it
 * @param tls12 ciphers that both directions of TLS 1.2 take
 * @param tls13 the same of TLS 1.3
 * @param rekey whether a second key may be set (Linux 6.14), so that KeyUpdates can be followed
 * @param detail the kernel's answer, for the log
 */
public record KernelTls(
    PathReason refusal,
    Set<KernelCipher> tls12,
    Set<KernelCipher> tls13,
    boolean rekey,
    String detail) {

  public KernelTls {
    tls12 = Set.copyOf(tls12);
    tls13 = Set.copyOf(tls13);
  }

  static KernelTls refused(PathReason reason, String detail) {
    return new KernelTls(reason, Set.of(), Set.of(), false, detail);
  }

  /**
   * What a refused setsockopt(TCP_ULP, "tls") means.
   *
   * @param errno ENOENT: the module is not there (net/ipv4/tcp_ulp.c), ENOPROTOOPT: the kernel
   *     knows no ULP
   */
  static KernelTls refused(int errno) {
    boolean unknown = errno == Errno.ENOENT || errno == Errno.ENOPROTOOPT;
    return refused(
        unknown ? PathReason.KERNEL_NO_TLS : PathReason.ULP_REFUSED,
        "TCP_ULP tls: " + Errno.name(errno));
  }

  /** True when sockets here take the kernel's TLS. */
  public boolean available() {
    return refusal == PathReason.NONE;
  }

  /** True when the kernel takes a cipher of this version; null: a cipher it cannot know. */
  public boolean takes(boolean tls13, KernelCipher cipher) {
    return cipher != null && (tls13 ? this.tls13 : tls12).contains(cipher);
  }
}
