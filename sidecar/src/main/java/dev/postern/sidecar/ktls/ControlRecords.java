package dev.postern.sidecar.ktls;

import dev.postern.sidecar.linux.Libc;
import dev.postern.sidecar.linux.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Records that are not application data, on a socket whose records are the kernel's
 * (Documentation/networking/tls.rst, "Send TLS control messages", "Receiving TLS control
 * messages").
 *
 * <p>Belongs to one thread. Results are bytes or -errno; no call waits or allocates.
 */
public final class ControlRecords {

  // struct msghdr, 64-bit: name 0, namelen 8, iov 16, iovlen 24, control 32, controllen 40, flags.
  private static final int IOV = 16;
  private static final int IOV_COUNT = 24;
  private static final int CONTROL = 32;
  private static final int CONTROL_LENGTH = 40;
  private static final int HEADER_BYTES = 56;
  // struct iovec, then struct cmsghdr: len 0, level 8, type 12, data 16.
  private static final int IOVEC_BYTES = 16;
  private static final int CMSG_LEVEL = 8;
  private static final int CMSG_TYPE = 12;
  private static final int CMSG_DATA = 16;
  private static final int CMSG_LENGTH = 17;
  private static final int CMSG_SPACE = 24;
  private static final int PAYLOAD_BYTES = 16;
  private static final int MSG_DONTWAIT = 0x40;
  private static final int MSG_NOSIGNAL = 0x4000;

  private final Libc libc = new Libc();
  private final MemorySegment memory =
      Arena.ofAuto().allocate(HEADER_BYTES + IOVEC_BYTES + CMSG_SPACE + PAYLOAD_BYTES, 8);
  private final long header = memory.address();
  private final long iovec = header + HEADER_BYTES;
  private final long control = iovec + IOVEC_BYTES;
  private final long payload = control + CMSG_SPACE;
  private int type;

  /** Sends one record of up to 8 bytes, the first of them lowest; whole or -errno. */
  public int send(int fd, int recordType, long content, int lengthBytes) {
    assert lengthBytes <= Long.BYTES;
    Memory.putLong(payload, content);
    prepare(payload, lengthBytes);
    Memory.putLong(control, CMSG_LENGTH);
    Memory.putInt(control + CMSG_LEVEL, SocketTls.SOL_TLS);
    Memory.putInt(control + CMSG_TYPE, SocketTls.TLS_SET_RECORD_TYPE);
    Memory.putByte(control + CMSG_DATA, (byte) recordType);
    return libc.sendmsg(fd, header, MSG_DONTWAIT | MSG_NOSIGNAL);
  }

  /**
   * Receives what is next, of any type.
   *
   * @return bytes; 0 with {@link #type()} 0 for the peer's FIN, with another for an empty record;
   *     or -errno
   */
  public int receive(int fd, long address, int capacityBytes) {
    prepare(address, capacityBytes);
    Memory.putByte(control + CMSG_DATA, (byte) 0);
    int result = libc.recvmsg(fd, header, MSG_DONTWAIT);
    boolean typed =
        result >= 0
            && Memory.getLong(header + CONTROL_LENGTH) >= CMSG_LENGTH
            && Memory.getInt(control + CMSG_LEVEL) == SocketTls.SOL_TLS
            && Memory.getInt(control + CMSG_TYPE) == SocketTls.TLS_GET_RECORD_TYPE;
    type = typed ? Byte.toUnsignedInt(Memory.getByte(control + CMSG_DATA)) : 0;
    return result;
  }

  /** The type of the record that {@link #receive} read last; 0 when there was none. */
  public int type() {
    return type;
  }

  private void prepare(long address, int lengthBytes) {
    Memory.putLong(header, 0);
    Memory.putLong(header + 8, 0);
    Memory.putLong(header + IOV, iovec);
    Memory.putLong(header + IOV_COUNT, 1);
    Memory.putLong(header + CONTROL, control);
    Memory.putLong(header + CONTROL_LENGTH, CMSG_SPACE);
    Memory.putLong(header + CONTROL_LENGTH + 8, 0);
    Memory.putLong(iovec, address);
    Memory.putLong(iovec + 8, lengthBytes);
  }
}
