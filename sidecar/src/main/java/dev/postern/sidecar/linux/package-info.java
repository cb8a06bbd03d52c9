/**
 * Linux as the data plane sees it: libc over the foreign function interface, socket addresses,
 * errno names, CPU sets and capability probes.
 *
 * <p>Knows no policy. Addresses are native and absolute; calls that fail return the errno with its
 * sign turned.
 */
package dev.postern.sidecar.linux;
