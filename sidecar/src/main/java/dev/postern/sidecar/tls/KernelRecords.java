package dev.postern.sidecar.tls;

import dev.postern.sidecar.ktls.ControlRecords;
import dev.postern.sidecar.ktls.KernelCipher;
import dev.postern.sidecar.ktls.KernelKeys;
import dev.postern.sidecar.ktls.RecordType;
import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.linux.Memory;
import dev.postern.sidecar.linux.Sockets;

/**
 * A connection whose records are the kernel's: what is not data, in both directions.
 *
 * <p>Data is received and sent on the socket as if it were plaintext. Belongs to one worker's
 * thread, whose tools are {@link Tools}.
 */
public final class KernelRecords implements SendRenewal {

  /** What every connection of a worker shares. */
  public static final class Tools implements AutoCloseable {
    final ControlRecords control = new ControlRecords();
    final KernelKeys keys = new KernelKeys();
    final Sockets sockets = new Sockets();
    public final TrafficSecrets secrets;

    /** For up to {@code slots} connections. */
    public Tools(int slots) {
      secrets = new TrafficSecrets(slots);
    }

    @Override
    public void close() {
      secrets.close();
    }
  }

  /** What {@link #receiveControl} found. */
  public enum Found {
    /** Something that changes nothing: go on reading. */
    NOTHING,
    /** The peer's close_notify. */
    CLOSE_NOTIFY,
    /** The peer has new keys, and so has the kernel. */
    KEYS_RENEWED,
    /** The same, and it asks us for new keys too. */
    KEYS_RENEWED_AND_ASKED_FOR,
    /** The peer asks to renegotiate TLS 1.2: it is told no. */
    RENEGOTIATION,
    /** The peer's FIN, without close_notify. */
    FIN,
    /** The socket is broken. */
    RESET,
    /** See {@link #failure()}; an alert is owed. */
    FAILED
  }

  private static final int LEVEL_WARNING = 1;
  private static final int LEVEL_FATAL = 2;
  private static final int CLOSE_NOTIFY = 0;
  private static final int USER_CANCELED = 90;
  private static final int NO_RENEGOTIATION = 100;
  private static final int ALERT_BYTES = 2;
  private static final int CLIENT_HELLO = 1;
  private static final int KEY_UPDATE = 24;
  private static final int KEY_UPDATE_BYTES = 5;
  private static final int UPDATE_REQUESTED = 1;

  /** Warnings or empty records in a row; OpenSSL's bounds are 5 and 32 (ssl/record). */
  private static final int MAX_IDLE_RECORDS = 32;

  private final Tools tools;
  private final int fd;
  private final TlsVersion version;
  private final KernelCipher cipher;
  private final long secrets;
  private final boolean canRekey;
  private int idleRecords;
  private TlsFailure failure;
  private TlsAlert owedAlert;

  /**
   * Takes a handed-over socket on.
   *
   * @param secrets the traffic secrets' address; 0 for TLS 1.2
   * @param canRekey whether this kernel takes a second key
   */
  public KernelRecords(
      Tools tools,
      int fd,
      TlsVersion version,
      KernelCipher cipher,
      long secrets,
      boolean canRekey) {
    this.tools = tools;
    this.fd = fd;
    this.version = version;
    this.cipher = cipher;
    this.secrets = secrets;
    this.canRekey = canRekey;
    if (version == TlsVersion.TLS1_3) {
      // Kernels before 6.0 know no such option and lose only speed.
      tools.keys.expectNoPadding(fd);
    }
  }

  /** Data has come: what was idle is so no more. */
  public void dataReceived() {
    idleRecords = 0;
  }

  /**
   * Reads the one record that a plain receive stumbled over (EIO, or 0 which may be an empty
   * record).
   *
   * @param address scratch, for a whole record of 16 KiB
   */
  public Found receiveControl(long address, int capacityBytes) {
    int bytes = tools.control.receive(fd, address, capacityBytes);
    if (bytes < 0) {
      return bytes == -Errno.EAGAIN ? Found.NOTHING : receiveFailed(-bytes);
    }
    return switch (tools.control.type()) {
      case 0 -> bytes == 0 ? Found.FIN : unexpected("data where a control record was");
      case RecordType.APPLICATION_DATA ->
          bytes == 0 ? idle() : unexpected("data where a control record was");
      case RecordType.ALERT -> onAlert(address, bytes);
      case RecordType.HANDSHAKE -> onHandshake(address, bytes);
      default -> unexpected("record type " + tools.control.type());
    };
  }

  /** The errors of tls_sw_recvmsg (net/tls/tls_sw.c) and their alerts (RFC 8446 section 6.2). */
  public Found receiveFailed(int errno) {
    return switch (errno) {
      case Errno.EBADMSG -> fail(TlsAlert.BAD_RECORD_MAC, "a record does not decrypt");
      case Errno.EMSGSIZE -> fail(TlsAlert.RECORD_OVERFLOW, "a record is too long");
      case Errno.EINVAL -> fail(TlsAlert.PROTOCOL_VERSION, "a record of another version");
      case Errno.EKEYEXPIRED -> fail(TlsAlert.INTERNAL_ERROR, "data under a key that is not set");
      default -> Found.RESET;
    };
  }

  private Found onAlert(long address, int bytes) {
    if (bytes != ALERT_BYTES) {
      return fail(TlsAlert.DECODE_ERROR, "an alert of " + bytes + " bytes");
    }
    int level = Memory.getByte(address);
    int description = Byte.toUnsignedInt(Memory.getByte(address + 1));
    if (description == CLOSE_NOTIFY) {
      return Found.CLOSE_NOTIFY;
    }
    boolean warning =
        version == TlsVersion.TLS1_3 ? description == USER_CANCELED : level == LEVEL_WARNING;
    if (warning) {
      return idle();
    }
    failure = new TlsFailure(TlsFailure.Reason.PEER_ALERT, "alert " + description);
    return Found.FAILED;
  }

  private Found onHandshake(long address, int bytes) {
    int message = bytes == 0 ? 0 : Memory.getByte(address);
    if (version == TlsVersion.TLS1_2 && message == CLIENT_HELLO) {
      return idle() == Found.FAILED ? Found.FAILED : Found.RENEGOTIATION;
    }
    boolean keyUpdate = message == KEY_UPDATE && bytes == KEY_UPDATE_BYTES;
    if (version == TlsVersion.TLS1_2 || !keyUpdate) {
      return unexpected("handshake message " + message + " of " + bytes + " bytes");
    }
    int request = Memory.getByte(address + KEY_UPDATE_BYTES - 1);
    if (request < 0 || request > UPDATE_REQUESTED) {
      return fail(TlsAlert.ILLEGAL_PARAMETER, "KeyUpdate " + request);
    }
    return renewReceive(request == UPDATE_REQUESTED);
  }

  private Found renewReceive(boolean asked) {
    if (!canRekey) {
      failure = new TlsFailure(TlsFailure.Reason.REKEY_UNSUPPORTED, "the peer sent a KeyUpdate");
      owedAlert = TlsAlert.INTERNAL_ERROR;
      return Found.FAILED;
    }
    int result = tools.keys.setReceive(fd, tools.secrets.next(secrets, true, cipher), cipher);
    tools.secrets.wipeInfo();
    if (result < 0) {
      return fail(TlsAlert.INTERNAL_ERROR, "TLS_RX: " + Errno.name(-result));
    }
    return asked ? Found.KEYS_RENEWED_AND_ASKED_FOR : Found.KEYS_RENEWED;
  }

  /** True when our own keys can be renewed. */
  public boolean canRenewSend() {
    return canRekey && version == TlsVersion.TLS1_3;
  }

  @Override
  public int renewSend() {
    int sent =
        tools.control.send(fd, RecordType.HANDSHAKE, KEY_UPDATE | 1L << 24, KEY_UPDATE_BYTES);
    if (sent < 0) {
      return sent;
    }
    int result = tools.keys.setSend(fd, tools.secrets.next(secrets, false, cipher), cipher);
    tools.secrets.wipeInfo();
    return Math.min(result, 0);
  }

  /** The peer of a SEND_ONLY connection has asked for new keys that this kernel cannot set. */
  public Found refuseRenewal() {
    failure = new TlsFailure(TlsFailure.Reason.REKEY_UNSUPPORTED, "the peer asked for a KeyUpdate");
    owedAlert = TlsAlert.INTERNAL_ERROR;
    return Found.FAILED;
  }

  /** 0, or -errno; the same for the alerts below. */
  public int sendCloseNotify() {
    return sendAlert(LEVEL_WARNING, CLOSE_NOTIFY);
  }

  /** Tells a TLS 1.2 peer that there is no renegotiation (RFC 5246 section 7.2.2). */
  public int sendNoRenegotiation() {
    return sendAlert(LEVEL_WARNING, NO_RENEGOTIATION);
  }

  /** The fatal alert that a failure owes; 0 when there is none. */
  public int sendOwedAlert() {
    if (owedAlert == null) {
      return 0;
    }
    // After EBADMSG the socket refuses to send until its error has been taken.
    tools.sockets.takeError(fd);
    int result = sendAlert(LEVEL_FATAL, owedAlert.description());
    if (result != -Errno.EAGAIN) {
      owedAlert = null;
    }
    return result;
  }

  private int sendAlert(int level, int description) {
    return Math.min(
        tools.control.send(fd, RecordType.ALERT, level | (long) description << 8, ALERT_BYTES), 0);
  }

  /** Why the connection is broken; null while it is not. */
  public TlsFailure failure() {
    return failure;
  }

  private Found idle() {
    return ++idleRecords > MAX_IDLE_RECORDS
        ? unexpected("too many records without data")
        : Found.NOTHING;
  }

  private Found unexpected(String what) {
    return fail(TlsAlert.UNEXPECTED_MESSAGE, what);
  }

  private Found fail(TlsAlert alert, String what) {
    failure = new TlsFailure(TlsFailure.Reason.PROTOCOL_ERROR, what);
    owedAlert = alert;
    return Found.FAILED;
  }
}
