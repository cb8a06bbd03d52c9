/**
 * Certificates: an order from the spec, a decision that is a pure function, and the one Secret that
 * is written.
 */
package dev.postern.operator.certificate;
