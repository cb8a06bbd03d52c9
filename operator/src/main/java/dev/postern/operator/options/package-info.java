/**
 * Options that both entry points of the operator's image share, and the logging that they choose.
 */
package dev.postern.operator.options;
