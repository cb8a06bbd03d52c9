package dev.postern.sidecar.testing;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;

/** What a profile puts into a certificate before it is signed. */
final class CertificateParts {

  Instant notBefore;
  Instant notAfter;
  final List<Ext> extensions = new ArrayList<>();

  void validity(Instant from, Instant until) {
    notBefore = from;
    notAfter = until;
  }

  void extension(ASN1ObjectIdentifier id, boolean critical, ASN1Encodable value) {
    extensions.add(new Ext(id, critical, value));
  }

  record Ext(ASN1ObjectIdentifier id, boolean critical, ASN1Encodable value) {}
}
