package dev.postern.sidecar.config;

/**
 * The way that a connection's bytes are to take.
 *
 * @param records who is to seal them
 * @param io what is to move them
 * @param kernelRecordsPercent share of the connections that may have kernel records, 0 to 100
 * @param expectKeyUpdates clients are likely to rekey: OpenSSL's records unless the kernel can too
 */
public record PathPolicy(
    RecordsPolicy records, IoPolicy io, int kernelRecordsPercent, boolean expectKeyUpdates) {}
