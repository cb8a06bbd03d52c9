package dev.postern.sidecar.main;

import dev.postern.sidecar.linux.Errno;
import dev.postern.sidecar.linux.Sockaddr;
import dev.postern.sidecar.linux.Sockets;
import java.util.ArrayList;
import java.util.List;

/** Opens each worker's listeners: one a port, on all addresses. */
final class ListeningSockets {

  private static final int BACKLOG = 4096;
  private static final String ANY_6 = "::";
  private static final String ANY_4 = "0.0.0.0";

  private ListeningSockets() {}

  /**
   * Listens on every port.
   *
   * @throws SettingRefused when a port is taken
   */
  static List<Integer> open(List<Integer> ports, boolean shared) {
    List<Integer> fds = new ArrayList<>();
    for (int port : ports) {
      fds.add(open(port, shared));
    }
    return fds;
  }

  private static int open(int port, boolean shared) {
    Sockets sockets = new Sockets();
    int fd = sockets.listen(Sockaddr.of(ANY_6, port), BACKLOG, shared);
    if (fd == -Errno.EAFNOSUPPORT || fd == -Errno.EADDRNOTAVAIL) {
      fd = sockets.listen(Sockaddr.of(ANY_4, port), BACKLOG, shared);
    }
    if (fd < 0) {
      throw new SettingRefused(
          "TLS port", Integer.toString(port), "a free one (" + Errno.name(-fd) + ")");
    }
    return fd;
  }
}
