/**
 * The table of behaviours: one suite, tagged {@code behaviour}, run over every mode on each kernel.
 *
 * <p>{@link dev.postern.sidecar.matrix.MatrixRun} runs it on the kernel at hand and writes a line
 * for each cell; {@link dev.postern.sidecar.matrix.MatrixTable} lays the files of all kernels side
 * by side.
 */
package dev.postern.sidecar.matrix;
