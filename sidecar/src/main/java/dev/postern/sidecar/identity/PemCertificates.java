package dev.postern.sidecar.identity;

import dev.postern.sidecar.files.FileRefused;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates in PEM form (RFC 7468): LF or CRLF, text between the blocks is skipped. */
final class PemCertificates {

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END ([A-Z0-9 ]+)-----");
  private static final Pattern BEGIN = Pattern.compile("-----BEGIN ");

  private PemCertificates() {}

  /**
   * Parses all blocks, each of which must be a certificate.
   *
   * @param where what holds the text, as "" or "[2].pem: "
   */
  static List<X509Certificate> parse(Path file, String where, String text) throws FileRefused {
    List<X509Certificate> found = new ArrayList<>();
    Matcher block = BLOCK.matcher(text);
    while (block.find()) {
      String label = block.group(1);
      if (!label.equals("CERTIFICATE") || !label.equals(block.group(3))) {
        throw new FileRefused(
            file, where + "holds a block of type " + label + ", only CERTIFICATE may be there");
      }
      found.add(certificate(file, where, found.size() + 1, block.group(2)));
    }
    if (BEGIN.matcher(text).results().count() != found.size()) {
      throw new FileRefused(file, where + "a PEM block is cut off");
    }
    if (found.isEmpty()) {
      throw new FileRefused(file, where + "holds no PEM certificate");
    }
    return found;
  }

  private static X509Certificate certificate(Path file, String where, int number, String base64)
      throws FileRefused {
    try {
      byte[] der = Base64.getMimeDecoder().decode(base64.getBytes(StandardCharsets.ISO_8859_1));
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(der));
    } catch (CertificateException | IllegalArgumentException e) {
      throw new FileRefused(
          file, "%scertificate %d cannot be parsed: %s".formatted(where, number, e.getMessage()));
    }
  }
}
