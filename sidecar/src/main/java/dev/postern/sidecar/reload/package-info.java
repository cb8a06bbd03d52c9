/** Watches the mounted files and gives listeners each new, validated snapshot. */
package dev.postern.sidecar.reload;
