package dev.postern.sidecar.ktls;

import dev.postern.sidecar.linux.Errno;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;

/**
 * Tries the kernel's TLS once, on connected sockets of our own (the ULP needs one): each cipher of
 * each version in both directions, and a second key.
 */
public final class KernelTlsProbe {

  private static final int TLS1_2 = 0x0303;
  private static final int TLS1_3 = 0x0304;

  private KernelTlsProbe() {}

  /** Never throws: what cannot be tried is refused. */
  public static KernelTls run() {
    try (Arena arena = Arena.ofConfined()) {
      int ulp = ulp(arena);
      if (ulp < 0) {
        return KernelTls.refused(-ulp);
      }
      Set<KernelCipher> tls12 = ciphers(arena, TLS1_2);
      Set<KernelCipher> tls13 = ciphers(arena, TLS1_3);
      int rekey =
          tls13.isEmpty() ? -Errno.ENOENT : install(arena, TLS1_3, tls13.iterator().next(), 2);
      String detail =
          "TLS 1.2 %s, TLS 1.3 %s, second key: %s"
              .formatted(tls12, tls13, rekey < 0 ? Errno.name(-rekey) : "accepted");
      return new KernelTls(PathReason.NONE, tls12, tls13, rekey == 0, detail);
    } catch (IOException e) {
      return KernelTls.refused(PathReason.ULP_REFUSED, e.getMessage());
    }
  }

  private static int ulp(Arena arena) throws IOException {
    try (LoopbackSocket socket = LoopbackSocket.connect()) {
      return setUlp(arena, socket);
    }
  }

  private static int setUlp(Arena arena, LoopbackSocket socket) {
    MemorySegment name = arena.allocateFrom("tls");
    return socket.set(SocketTls.IPPROTO_TCP, SocketTls.TCP_ULP, name.address(), "tls".length());
  }

  private static Set<KernelCipher> ciphers(Arena arena, int version) throws IOException {
    Set<KernelCipher> taken = EnumSet.noneOf(KernelCipher.class);
    for (KernelCipher cipher : KernelCipher.values()) {
      if (install(arena, version, cipher, 1) == 0) {
        taken.add(cipher);
      }
    }
    return taken;
  }

  /** Gives both directions a key of zeros, {@code times} over; 0 or the first -errno. */
  private static int install(Arena arena, int version, KernelCipher cipher, int times)
      throws IOException {
    MemorySegment info = arena.allocate(KernelCipher.MAX_INFO_BYTES, 8);
    MemorySegment zeros = arena.allocate(64, 8);
    cipher.write(info.address(), version, zeros.address(), zeros.address());
    try (LoopbackSocket socket = LoopbackSocket.connect()) {
      int result = setUlp(arena, socket);
      for (int i = 0; i < times && result == 0; i++) {
        result = set(socket, SocketTls.TLS_TX, info, cipher);
        result = result == 0 ? set(socket, SocketTls.TLS_RX, info, cipher) : result;
      }
      return result;
    }
  }

  private static int set(
      LoopbackSocket socket, int direction, MemorySegment info, KernelCipher cipher) {
    return socket.set(SocketTls.SOL_TLS, direction, info.address(), cipher.infoBytes());
  }
}
