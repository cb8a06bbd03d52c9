package dev.postern.sidecar.main;

import dev.postern.sidecar.relay.CloseReason;
import dev.postern.sidecar.relay.ConnectionReport;
import java.util.function.Consumer;

/** One line for each connection that has ended: who, which path and why, how much, how it ended. */
record AccessLog(Log log) implements Consumer<ConnectionReport> {

  @Override
  public void accept(ConnectionReport report) {
    log.event(
        levelOf(report.reason()),
        "connection",
        "client",
        report.client(),
        "app",
        report.app(),
        "peer",
        report.peerName(),
        "tls",
        report.version(),
        "cipher",
        report.cipherSuite(),
        "records",
        report.path().records(),
        "records_reason",
        report.path().recordsReason(),
        "io",
        report.path().io(),
        "io_reason",
        report.path().ioReason(),
        "bytes_in",
        report.bytesIn(),
        "bytes_out",
        report.bytesOut(),
        "ms",
        report.ageNs() / 1_000_000,
        "reason",
        report.reason().label(),
        "detail",
        report.detail());
  }

  /** What an operator must look at is a warning; what strangers do is not. */
  private static LogLevel levelOf(CloseReason reason) {
    return switch (reason) {
      case APP_REFUSED, APP_TIMEOUT, OVERLOAD -> LogLevel.WARN;
      case INTERNAL -> LogLevel.ERROR;
      case CLIENT_CLOSED,
          APP_CLOSED,
          TRUNCATED,
          CLIENT_RESET,
          APP_RESET,
          HANDSHAKE_ABORTED,
          HANDSHAKE_FAILED,
          HANDSHAKE_TIMEOUT,
          PEER_REFUSED,
          PORT_NOT_DECLARED,
          LOOP,
          PROTOCOL_ERROR,
          REKEY_UNSUPPORTED,
          IDLE,
          DRAINED ->
          LogLevel.INFO;
    };
  }
}
