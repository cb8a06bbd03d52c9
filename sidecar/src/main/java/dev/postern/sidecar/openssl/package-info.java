/**
 * OpenSSL 3.0 to 3.5 through the foreign function interface: the calls that are needed, as they
 * are.
 *
 * <p>A binding without policy. Pointers are {@code long}, so that no call allocates; one class per
 * shared library, with the C prototype above each handle. The error queue is per thread: clear it
 * before a call whose failure matters and read it on the same thread ({@link
 * dev.postern.sidecar.openssl.ErrorQueue}).
 */
package dev.postern.sidecar.openssl;
