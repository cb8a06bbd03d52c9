/**
 * Keys, certificates, PEM, and the decisions about them: who may have which name, what a Secret
 * holds, when to renew.
 *
 * <p>Pure: Bouncy Castle and the JDK only. No Kubernetes type, no I/O, no clock of its own; time is
 * a parameter.
 */
package dev.postern.operator.pki;
