/** Certificate, key and trust files: read, validated and given out as immutable snapshots. */
package dev.postern.sidecar.identity;
