/** The entry point of the image, and the wiring of the reconcilers. */
package dev.postern.operator.main;
