/**
 * Which side seals the records: the seam for TLS in the kernel.
 *
 * <p>The choice of path is two pure functions, each with its reason. Kernel records are not built
 * yet, so every choice is OpenSSL's for now; what the kernel could do is probed all the same, so
 * that the reason is an honest one.
 */
package dev.postern.sidecar.ktls;
