package dev.postern.crds;

/** Marks an issuer whose certificates sign themselves; has no fields. */
public record SelfSignedIssuer() {}
