/**
 * Completion I/O of one worker: operations go in with a token, results come out with it.
 *
 * <p>Two backends offer the same completions; no code above this package knows which one runs.
 */
package dev.postern.sidecar.io;
