/** The policy file: read, validated and given out as an immutable snapshot. */
package dev.postern.sidecar.config;
