package dev.postern.sidecar.relay;

import dev.postern.sidecar.io.BufferPool;
import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.tls.KernelRecords;
import dev.postern.sidecar.tls.SendRenewal;

/**
 * Records that the kernel seals: data goes out as plaintext; alerts and KeyUpdates go between two
 * sends, never beside one, since the kernel would put them anywhere.
 */
final class KernelOut implements Outbound {

  /** What is to be said besides data, in the order in which it is said. */
  enum Owed {
    NO_RENEGOTIATION,
    KEY_UPDATE,
    CLOSE_NOTIFY,
    ALERT;

    @SuppressWarnings("EnumOrdinal") // a bit of a set that lives in memory only
    int bit() {
      return 1 << ordinal();
    }
  }

  private static final Owed[] ALL = Owed.values();
  private static final int RECORD_BYTES = 16 * 1024;

  private final Connection connection;
  private final Worker worker;
  private final Endpoint client;
  private final KernelRecords records;
  private final SendRenewal renewal;
  private final long renewAfterRecords;
  private int owed;
  private long recordsSent;
  private boolean reportsFlush;
  private int heldBuffer = BufferPool.NONE;
  private int heldBytes;

  KernelOut(
      Connection connection, KernelRecords records, SendRenewal renewal, long renewAfterRecords) {
    this.connection = connection;
    this.records = records;
    this.renewal = renewal;
    this.renewAfterRecords = renewAfterRecords;
    worker = connection.worker;
    client = connection.client;
  }

  @Override
  public void send(int buffer, int lengthBytes) {
    reportsFlush = true;
    if (busy()) {
      // A KeyUpdate waits for room: data goes after it.
      heldBuffer = buffer;
      heldBytes = lengthBytes;
    } else {
      client.send(buffer, lengthBytes);
    }
  }

  @Override
  public void closeNotify() {
    reportsFlush = true;
    owe(Owed.CLOSE_NOTIFY);
  }

  /** Says it as soon as nothing else is under way; the same twice is said once. */
  void owe(Owed what) {
    owed |= what.bit();
    if (!busy()) {
      pay();
    }
  }

  @Override
  public void sent(int result) {
    if (client.sending().busy()) {
      dataSent(result);
    } else if (result < 0) {
      broken(result);
    } else {
      pay();
    }
  }

  private void broken(int result) {
    owed = 0;
    worker.releaseIfAny(heldBuffer);
    heldBuffer = BufferPool.NONE;
    connection.clientGone(-result);
  }

  private void dataSent(int result) {
    if (result > 0) {
      // A short send has closed its record: what is left begins another.
      recordsSent += 1 + result / RECORD_BYTES;
    }
    if (connection.sentWhole(result)) {
      worker.release(client.sending().end());
      if (recordsSent >= renewAfterRecords && records.canRenewSend()) {
        owed |= Owed.KEY_UPDATE.bit();
      }
      pay();
    }
  }

  /** Says what is owed until the socket takes no more; then, or with nothing left, tells. */
  private void pay() {
    for (Owed what : ALL) {
      if ((owed & what.bit()) != 0) {
        int result = say(what);
        if (result == -Errno.EAGAIN) {
          client.awaitWritable();
          return;
        }
        owed &= ~what.bit();
        if (result < 0) {
          broken(result);
          return;
        }
      }
    }
    if (heldBuffer != BufferPool.NONE) {
      int buffer = heldBuffer;
      heldBuffer = BufferPool.NONE;
      client.send(buffer, heldBytes);
    } else if (reportsFlush) {
      reportsFlush = false;
      connection.clientFlushed();
    }
  }

  private int say(Owed what) {
    return switch (what) {
      case NO_RENEGOTIATION -> records.sendNoRenegotiation();
      case KEY_UPDATE -> {
        recordsSent = 0;
        yield renewal.renewSend();
      }
      case CLOSE_NOTIFY -> records.sendCloseNotify();
      case ALERT -> records.sendOwedAlert();
    };
  }

  @Override
  public boolean busy() {
    return client.sendsNow();
  }

  @Override
  public boolean lastWordsGone() {
    if (!busy()) {
      owed = (owed & Owed.CLOSE_NOTIFY.bit()) | Owed.ALERT.bit();
      pay();
    }
    return !busy();
  }
}
