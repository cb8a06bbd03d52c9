/** Fixtures that the tests of several packages share. */
package dev.postern.sidecar.testing;
