package dev.postern.sidecar.tls;

import java.security.cert.X509Certificate;

/**
 * A root and what it speaks for (every root carries its scope).
 *
 * @param certificate self-signed, CA:TRUE; checked by whoever made it
 * @param scope what leaves under it may be named
 */
public record TrustAnchor(X509Certificate certificate, TrustScope scope) {}
