/** Puts the process together: settings, files, backend, workers, admin, drain. */
package dev.postern.sidecar.main;
