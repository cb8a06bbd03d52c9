package dev.postern.sidecar.relay;

import dev.postern.sidecar.io.BufferPool;
import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.tls.KernelRecords;
import java.util.function.IntConsumer;

/** Records that the kernel opens: data arrives as plaintext, all else is asked for apart. */
final class KernelIn implements Inbound {

  private final Connection connection;
  private final Worker worker;
  private final KernelRecords records;
  private final KernelOut out;
  // Bound once: a method reference at the call would be an object each time.
  private final IntConsumer receivingControl = this::receiveControl;

  KernelIn(Connection connection, KernelRecords records, KernelOut out) {
    this.connection = connection;
    this.records = records;
    this.out = out;
    worker = connection.worker;
  }

  @Override
  public void receive(int spare) {
    worker.releaseIfAny(spare);
    connection.client.receive(worker.bufferBytes());
  }

  @Override
  public void completed(int result, int buffer) {
    if (result > 0) {
      records.dataReceived();
      connection.fromClient.arrived(buffer, result);
    } else if (result == -Errno.EIO || result == 0) {
      // Not data, or an end that an empty record can be mistaken for.
      connection.withBuffer(receivingControl);
    } else {
      handle(records.receiveFailed(-result), BufferPool.NONE, -result);
    }
  }

  private void receiveControl(int buffer) {
    handle(records.receiveControl(worker.address(buffer), worker.bufferBytes()), buffer, 0);
  }

  private void handle(KernelRecords.Found found, int spare, int errno) {
    switch (found) {
      case NOTHING, KEYS_RENEWED -> receive(spare);
      case KEYS_RENEWED_AND_ASKED_FOR -> {
        out.owe(KernelOut.Owed.KEY_UPDATE);
        receive(spare);
      }
      case RENEGOTIATION -> {
        out.owe(KernelOut.Owed.NO_RENEGOTIATION);
        receive(spare);
      }
      case CLOSE_NOTIFY -> connection.fromClient.ended(spare);
      case FIN -> {
        worker.releaseIfAny(spare);
        connection.clientTruncated();
      }
      case RESET -> {
        worker.releaseIfAny(spare);
        connection.clientGone(errno);
      }
      case FAILED -> {
        worker.releaseIfAny(spare);
        connection.protocolError(records.failure());
      }
    }
  }
}
