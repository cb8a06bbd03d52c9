package dev.postern.sidecar.io.uring;

import static dev.postern.sidecar.linux.Memory.getInt;
import static dev.postern.sidecar.linux.Memory.getLong;
import static dev.postern.sidecar.linux.Memory.putByte;
import static dev.postern.sidecar.linux.Memory.putInt;
import static dev.postern.sidecar.linux.Memory.putLong;
import static dev.postern.sidecar.linux.Memory.putShort;

import com.sun.management.OperatingSystemMXBean;
import dev.postern.sidecar.linux.Libc;
import dev.postern.sidecar.linux.LibcSetup;
import dev.postern.sidecar.linux.Sockaddr;
import dev.postern.sidecar.linux.Sockets;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;

/**
 * What each choice of a ring costs: CPU time of the process per message between sockets.
 *
 * <p>One thread moves messages to and fro over TCP on loopback. Arguments: rounds, seconds, bytes
 * of a message, connections.
 */
final class RingMeasurement {

  private static final int OP_READ_FIXED = 4;
  private static final int OP_WRITE_FIXED = 5;
  private static final int OP_SEND = 26;
  private static final int OP_RECV = 27;
  private static final int REGISTER_BUFFERS = 0;
  private static final int REGISTER_FILES = 2;
  private static final byte FIXED_FILE = 1;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int MSG_WAITALL = 0x100;
  private static final int MADV_HUGEPAGE = 14;
  private static final int MADV_NOHUGEPAGE = 15;
  private static final int HUGE_BYTES = 2 << 20;
  private static final int PROT_READ_WRITE = 3;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x22;

  private enum Variant {
    /** The loop's choice: a registered ring descriptor, everything else plain. */
    CHOSEN,
    PLAIN_RING_DESCRIPTOR,
    REGISTERED_FILES,
    REGISTERED_BUFFERS,
    HUGE_PAGES,
    SQPOLL
  }

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final Arena arena = Arena.ofShared();
  private final Variant variant;
  private final int messageBytes;
  private final Ring ring;
  private final int[] fds;
  private final long memory;
  private final long strideBytes;

  private RingMeasurement(Variant variant, int messageBytes, int connections) {
    this.variant = variant;
    this.messageBytes = messageBytes;
    ring = new Ring(setup(variant));
    fds = connect(connections);
    strideBytes = Math.max(32 * 1024, messageBytes);
    memory = map(strideBytes * fds.length);
    ring.enable();
    if (variant != Variant.PLAIN_RING_DESCRIPTOR) {
      ring.registerDescriptor();
    }
    if (variant == Variant.REGISTERED_FILES) {
      registerFiles();
    } else if (variant == Variant.REGISTERED_BUFFERS) {
      registerBuffers();
    }
  }

  private static RingSetup setup(Variant variant) {
    RingSetup chosen = RingSetup.deferred(256, 4096);
    return switch (variant) {
      case SQPOLL -> RingSetup.polled(256, 4096, 1);
      default -> chosen;
    };
  }

  /** Both ends of each connection, beside each other. */
  private static int[] connect(int connections) {
    Sockets sockets = new Sockets();
    LibcSetup libc = new LibcSetup();
    int listener = checked(sockets.listen(Sockaddr.of("127.0.0.1", 0), 1024, false));
    int[] fds = new int[connections * 2];
    try (Arena scratch = Arena.ofConfined()) {
      long address = scratch.allocate(Sockaddr.STORAGE_BYTES, 8).address();
      int bytes = sockets.local(listener).write(address);
      for (int i = 0; i < fds.length; i += 2) {
        fds[i] = checked(libc.socket(Sockaddr.AF_INET, Sockets.SOCK_STREAM, 0));
        checked(new Libc().connect(fds[i], address, bytes));
        fds[i + 1] = checked(new Libc().accept4(listener, 0));
        sockets.noDelay(fds[i]);
        sockets.noDelay(fds[i + 1]);
      }
    }
    new Libc().close(listener);
    return fds;
  }

  private long map(long bytes) {
    LibcSetup libc = new LibcSetup();
    long mapped = libc.mmap(0, bytes + HUGE_BYTES, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0);
    long aligned = (mapped + HUGE_BYTES - 1) & -HUGE_BYTES;
    boolean huge = variant == Variant.HUGE_PAGES;
    checked(libc.madvise(aligned, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE));
    for (long at = 0; at < bytes; at += 4096) {
      putByte(aligned + at, (byte) 1);
    }
    return aligned;
  }

  private void registerFiles() {
    long array = arena.allocate(4L * fds.length, 8).address();
    for (int i = 0; i < fds.length; i++) {
      putInt(array + 4L * i, fds[i]);
    }
    checked(
        Liburing.register(
            getInt(ring.address() + Layout.RING_FD), REGISTER_FILES, array, fds.length));
  }

  private void registerBuffers() {
    long array = arena.allocate(16L * fds.length, 8).address();
    for (int i = 0; i < fds.length; i++) {
      putLong(array + 16L * i, memory + strideBytes * i);
      putLong(array + 16L * i + 8, strideBytes);
    }
    checked(
        Liburing.register(
            getInt(ring.address() + Layout.RING_FD), REGISTER_BUFFERS, array, fds.length));
  }

  private void recv(int index) {
    if (variant == Variant.REGISTERED_BUFFERS) {
      fixed(OP_READ_FIXED, index, index);
    } else {
      long sqe = plain(OP_RECV, index, index);
      putInt(sqe + Layout.SQE_OP_FLAGS, MSG_WAITALL);
    }
  }

  private void send(int index) {
    long userData = index + (long) fds.length;
    if (variant == Variant.REGISTERED_BUFFERS) {
      fixed(OP_WRITE_FIXED, index, userData);
    } else {
      long sqe = plain(OP_SEND, index, userData);
      putInt(sqe + Layout.SQE_OP_FLAGS, MSG_NOSIGNAL);
    }
  }

  private long plain(int opcode, int index, long userData) {
    boolean registered = variant == Variant.REGISTERED_FILES;
    if (ring.submissionsFull()) {
      ring.submit();
    }
    long sqe = ring.sqe(opcode, registered ? index : fds[index], userData);
    putByte(sqe + Layout.SQE_FLAGS, registered ? FIXED_FILE : 0);
    putLong(sqe + Layout.SQE_ADDR, memory + strideBytes * index);
    putInt(sqe + Layout.SQE_LEN, messageBytes);
    return sqe;
  }

  private void fixed(int opcode, int index, long userData) {
    long sqe = plain(opcode, index, userData);
    putLong(sqe + Layout.SQE_OFF, -1);
    putShort(sqe + Layout.SQE_BUF_INDEX, (short) index);
  }

  private void start() {
    for (int i = 0; i < fds.length; i += 2) {
      recv(i + 1);
      send(i);
    }
  }

  /** Lets the messages go to and fro; CPU ns of the process per message. */
  private double play(long durationNs) {
    long start = PROCESS.getProcessCpuTime();
    long end = System.nanoTime() + durationNs;
    long arrived = 0;
    while (System.nanoTime() < end) {
      ring.submitAndWait(ring.hasCompletion() ? 0 : -1);
      while (ring.hasCompletion()) {
        long index = getLong(ring.cqe() + Layout.CQE_USER_DATA);
        int result = getInt(ring.cqe() + Layout.CQE_RES);
        ring.advance();
        if (result != messageBytes) {
          throw new IllegalStateException(variant + ": result " + result);
        }
        if (index < fds.length) {
          arrived++;
          recv((int) index ^ 1);
          send((int) index);
        }
      }
    }
    return (PROCESS.getProcessCpuTime() - start) / (double) arrived;
  }

  private static int checked(int result) {
    if (result < 0) {
      throw new IllegalStateException("result " + result);
    }
    return result;
  }

  public static void main(String[] arguments) throws InterruptedException {
    int messageBytes = Integer.parseInt(arguments[2]);
    int connections = Integer.parseInt(arguments[3]);
    Rounds<Variant> rounds = new Rounds<>(Variant.class);
    for (Variant variant : Variant.values()) {
      RingMeasurement one = new RingMeasurement(variant, messageBytes, connections);
      one.start();
      rounds.add(variant, one::play);
    }
    rounds.run(Integer.parseInt(arguments[0]), Double.parseDouble(arguments[1]));
    System.out.printf("%d bytes, %d connections%n", messageBytes, connections);
    rounds.print();
  }
}
