package dev.postern.operator.pki;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * One block of a PEM file (RFC 7468, strict form: nothing but blocks and blank lines).
 *
 * <p>Line ends may be LF, CRLF or CR. Works on bytes, so that no key ends up in a String.
 *
 * @param label the text between BEGIN and the dashes, such as CERTIFICATE
 * @param der the decoded content
 * @param line the line of the BEGIN, counted from 1
 */
@SuppressWarnings("ArrayRecordComponent") // wiped by its reader; never compared
record PemBlock(String label, byte[] der, int line) {
  static final String CERTIFICATE = "CERTIFICATE";

  private static final String BEGIN = "-----BEGIN ";
  private static final String END = "-----END ";
  private static final String DASHES = "-----";

  /**
   * Reads all blocks.
   *
   * @param source what the bytes are, for messages
   * @throws PkiException for an empty source, text outside of blocks, or a broken block
   */
  static List<PemBlock> readAll(String source, byte[] pem) {
    Parser parser = new Parser(source);
    int start = 0;
    for (int i = 0; i <= pem.length; i++) {
      if (i == pem.length || pem[i] == '\n' || pem[i] == '\r') {
        parser.line(pem, start, i);
        boolean crlf = i + 1 < pem.length && pem[i] == '\r' && pem[i + 1] == '\n';
        i = crlf ? i + 1 : i;
        start = i + 1;
      }
    }
    return parser.finish();
  }

  /** Writes one block with lines of 64 characters and LF; the caller owns (and wipes) the bytes. */
  static byte[] write(String label, byte[] der) {
    byte[] body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encode(der);
    ByteArrayOutputStream out = new ByteArrayOutputStream(body.length + 2 * label.length() + 40);
    out.writeBytes((BEGIN + label + DASHES + "\n").getBytes(StandardCharsets.US_ASCII));
    out.writeBytes(body);
    out.writeBytes(("\n" + END + label + DASHES + "\n").getBytes(StandardCharsets.US_ASCII));
    Arrays.fill(body, (byte) 0);
    return out.toByteArray();
  }

  void wipe() {
    Arrays.fill(der, (byte) 0);
  }

  private static final class Parser {
    private final String source;
    private final List<PemBlock> blocks = new ArrayList<>();
    private final WipedBuffer body = new WipedBuffer();
    private String label = "";
    private int beginLine;
    private int lineNumber;

    Parser(String source) {
      this.source = source;
    }

    void line(byte[] pem, int from, int to) {
      lineNumber++;
      int start = skipBlanks(pem, from, to);
      int end = to;
      while (end > start && isBlank(pem[end - 1])) {
        end--;
      }
      if (start == end) {
        return;
      }
      if (pem[start] == '-') {
        marker(new String(pem, start, end - start, StandardCharsets.ISO_8859_1));
      } else if (label.isEmpty()) {
        throw broken("text outside of a PEM block; remove it");
      } else {
        body.write(pem, start, end - start);
      }
    }

    private void marker(String line) {
      if (line.startsWith(BEGIN) && line.endsWith(DASHES) && label.isEmpty()) {
        label = line.substring(BEGIN.length(), line.length() - DASHES.length());
        beginLine = lineNumber;
        if (label.isBlank()) {
          throw broken("a BEGIN line without a label");
        }
      } else if (line.equals(END + label + DASHES) && !label.isEmpty()) {
        blocks.add(new PemBlock(label, decode(), beginLine));
        label = "";
      } else {
        throw broken(
            label.isEmpty()
                ? "expected a -----BEGIN line"
                : "expected -----END " + label + "-----, the block from line " + beginLine);
      }
    }

    private byte[] decode() {
      byte[] base64 = body.takeAndWipe();
      try {
        byte[] der = Base64.getDecoder().decode(base64);
        if (der.length == 0) {
          throw broken("an empty " + label + " block");
        }
        return der;
      } catch (IllegalArgumentException e) {
        throw broken("the " + label + " block from line " + beginLine + " is not Base64");
      } finally {
        Arrays.fill(base64, (byte) 0);
      }
    }

    List<PemBlock> finish() {
      if (!label.isEmpty()) {
        throw broken("the " + label + " block from line " + beginLine + " has no END line");
      }
      if (blocks.isEmpty()) {
        throw new PkiException(source + ": empty, expected PEM");
      }
      return List.copyOf(blocks);
    }

    private PkiException broken(String why) {
      return new PkiException(source + " line " + lineNumber + ": " + why);
    }

    private static int skipBlanks(byte[] pem, int from, int to) {
      int at = from;
      while (at < to && isBlank(pem[at])) {
        at++;
      }
      return at;
    }

    private static boolean isBlank(byte b) {
      return b == ' ' || b == '\t';
    }
  }

  private static final class WipedBuffer extends ByteArrayOutputStream {
    byte[] takeAndWipe() {
      byte[] content = toByteArray();
      Arrays.fill(buf, (byte) 0);
      reset();
      return content;
    }
  }
}
