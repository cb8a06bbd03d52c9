/**
 * The admission webhook's process: an HTTPS server for the API server, lookups with short timeouts,
 * health and metrics. All decisions are {@code dev.postern.operator.inject}'s. It reads namespaces,
 * ReplicaSets, Jobs, TLSPolicies and Certificates, and never a Secret.
 */
package dev.postern.operator.webhook;
