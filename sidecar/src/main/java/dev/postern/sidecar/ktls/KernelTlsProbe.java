package dev.postern.sidecar.ktls;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Tries the kernel's TLS once, on a connected socket of our own (the ULP needs one). */
public final class KernelTlsProbe {

  private static final int IPPROTO_TCP = 6;
  private static final int TCP_ULP = 31;

  private KernelTlsProbe() {}

  /** Never throws: what cannot be tried is refused. */
  public static KernelTls run() {
    try (LoopbackSocket socket = LoopbackSocket.connect();
        Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom("tls");
      return KernelTls.of(socket.set(IPPROTO_TCP, TCP_ULP, name.address(), "tls".length()));
    } catch (IOException e) {
      return new KernelTls(Optional.of(PathReason.ULP_REFUSED), e.getMessage());
    }
  }
}
