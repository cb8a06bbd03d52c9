package dev.postern.operator.certificate;

import dev.postern.crds.CertificateSpec;
import dev.postern.operator.issuer.IssuerState;
import dev.postern.operator.pki.Requester;
import java.time.Instant;

/**
 * Everything that a decision about one Certificate depends on.
 *
 * @param uid the Certificate's
 */
record Observation(
    CertificateSpec spec,
    String uid,
    IssuerState issuer,
    Requester requester,
    HeldSecret secret,
    Instant now) {}
