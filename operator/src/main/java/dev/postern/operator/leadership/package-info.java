/** Which replica writes. */
package dev.postern.operator.leadership;
