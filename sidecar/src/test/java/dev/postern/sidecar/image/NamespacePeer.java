package dev.postern.sidecar.image;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A program of its own, started in a network namespace: serves ports that answer with their own
 * number, or dials and prints who answered.
 *
 * <p>{@code serve tcp:15443 udp:53 …} prints {@code ready} and stays; {@code dial tcp:ADDRESS:PORT
 * …} prints one line each, the port that answered or {@code nobody}.
 */
final class NamespacePeer {

  private static final int ANSWER_MS = 500;

  private NamespacePeer() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<String> targets = List.of(arguments).subList(1, arguments.length);
    if (arguments[0].equals("serve")) {
      for (String target : targets) {
        serve(target.startsWith("tcp"), Integer.parseInt(target.substring(4)));
      }
      System.out.println("ready");
      Thread.currentThread().join();
    }
    for (String target : targets) {
      int colon = target.lastIndexOf(':');
      InetAddress address = InetAddress.ofLiteral(target.substring(4, colon));
      int port = Integer.parseInt(target.substring(colon + 1));
      System.out.println(
          target + " -> " + (target.startsWith("tcp") ? dial(address, port) : ask(address, port)));
    }
  }

  private static void serve(boolean tcp, int port) throws IOException {
    byte[] answer = Integer.toString(port).getBytes(StandardCharsets.US_ASCII);
    if (tcp) {
      ServerSocket listener = new ServerSocket(port);
      forever(() -> answer(listener, answer));
    } else {
      DatagramSocket socket = new DatagramSocket(port);
      forever(() -> echo(socket, answer));
    }
  }

  private static void answer(ServerSocket listener, byte[] answer) {
    try (Socket client = listener.accept()) {
      client.getOutputStream().write(answer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void echo(DatagramSocket socket, byte[] answer) {
    try {
      DatagramPacket packet = new DatagramPacket(new byte[64], 64);
      socket.receive(packet);
      socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void forever(Runnable step) {
    Thread.startVirtualThread(
        () -> {
          while (true) {
            step.run();
          }
        });
  }

  private static String dial(InetAddress address, int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, port), ANSWER_MS);
      socket.setSoTimeout(ANSWER_MS);
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      return "nobody";
    }
  }

  private static String ask(InetAddress address, int port) {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(address, port);
      socket.setSoTimeout(ANSWER_MS);
      socket.send(new DatagramPacket(new byte[] {1}, 1));
      DatagramPacket packet = new DatagramPacket(new byte[64], 64);
      socket.receive(packet);
      return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      return "nobody";
    }
  }
}
