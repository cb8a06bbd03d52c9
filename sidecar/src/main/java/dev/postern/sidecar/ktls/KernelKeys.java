package dev.postern.sidecar.ktls;

import dev.postern.sidecar.linux.LibcSetup;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Gives a socket's directions to the kernel, and new keys after that. Belongs to one thread.
 *
 * <p>Results are 0 or -errno.
 */
public final class KernelKeys {

  private final LibcSetup libc = new LibcSetup();
  private final MemorySegment one = Arena.ofAuto().allocate(Integer.BYTES, Integer.BYTES);

  public KernelKeys() {
    one.set(ValueLayout.JAVA_INT, 0, 1);
  }

  /** Records to the peer go out under this key from now on. */
  public int setSend(int fd, long info, KernelCipher cipher) {
    return libc.setsockopt(fd, SocketTls.SOL_TLS, SocketTls.TLS_TX, info, cipher.infoBytes());
  }

  /** Records of the peer are opened with this key from now on. */
  public int setReceive(int fd, long info, KernelCipher cipher) {
    return libc.setsockopt(fd, SocketTls.SOL_TLS, SocketTls.TLS_RX, info, cipher.infoBytes());
  }

  /**
   * Lets TLS 1.3 records be decrypted straight into the reader's buffer (tls.rst,
   * TLS_RX_EXPECT_NO_PAD); a padded one costs a second pass.
   */
  public int expectNoPadding(int fd) {
    return libc.setsockopt(
        fd, SocketTls.SOL_TLS, SocketTls.TLS_RX_EXPECT_NO_PAD, one.address(), Integer.BYTES);
  }
}
