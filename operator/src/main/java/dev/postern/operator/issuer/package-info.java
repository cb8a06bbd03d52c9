/** Issuer and ClusterIssuer: whether they can sign, and with what. */
package dev.postern.operator.issuer;
