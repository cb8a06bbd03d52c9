/** The data plane: one process beside the app, one worker thread per core. */
package dev.postern.sidecar;
