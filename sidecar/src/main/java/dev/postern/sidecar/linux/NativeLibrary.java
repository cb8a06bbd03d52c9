package dev.postern.sidecar.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Collections;

/**
 * Method handles for the functions of one shared library.
 *
 * <p>Every argument and result is typed {@code long}: both ABIs that Linux pods run on (System V
 * x86-64, AAPCS64) pass integers and pointers in the same 64-bit registers, and one shape per
 * number of arguments keeps start-up short. The caller narrows the result of a function that
 * returns {@code int}, whose upper half is undefined.
 */
public final class NativeLibrary {

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final long ERRNO_OFFSET =
      STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

  private final SymbolLookup symbols;

  private NativeLibrary(SymbolLookup symbols) {
    this.symbols = symbols;
  }

  /** The C library of this process. */
  public static NativeLibrary libc() {
    return new NativeLibrary(LINKER.defaultLookup());
  }

  /**
   * Loads a library for the life of the process.
   *
   * @throws IllegalArgumentException when the dynamic linker does not find it
   */
  @SuppressWarnings("restricted")
  public static NativeLibrary open(String soname) {
    return new NativeLibrary(SymbolLookup.libraryLookup(soname, Arena.global()));
  }

  /** True when the library exports the symbol. */
  public boolean exports(String name) {
    return symbols.find(name).isPresent();
  }

  /** {@code (long, ... arguments times) -> long}. */
  public MethodHandle function(String name, int arguments) {
    return handle(name, arguments);
  }

  /** {@code (MemorySegment state, long, ...) -> long}; the state receives errno. */
  public MethodHandle functionWithErrno(String name, int arguments) {
    return handle(name, arguments, Linker.Option.captureCallState("errno"));
  }

  /** As {@link #functionWithErrno}, for C functions declared with an ellipsis. */
  public MethodHandle variadicWithErrno(String name, int arguments, int fixed) {
    return handle(
        name,
        arguments,
        Linker.Option.captureCallState("errno"),
        Linker.Option.firstVariadicArg(fixed));
  }

  @SuppressWarnings("restricted")
  private MethodHandle handle(String name, int arguments, Linker.Option... options) {
    MemorySegment symbol =
        symbols
            .find(name)
            .orElseThrow(() -> new IllegalStateException("the library exports no " + name));
    MemoryLayout[] longs =
        Collections.nCopies(arguments, ValueLayout.JAVA_LONG).toArray(MemoryLayout[]::new);
    return LINKER.downcallHandle(
        symbol, FunctionDescriptor.of(ValueLayout.JAVA_LONG, longs), options);
  }

  /** Room for the errno of one thread's calls. */
  public static MemorySegment newState() {
    return Arena.ofAuto().allocate(STATE);
  }

  /** Where {@link #newState} holds errno. */
  public static long errnoAddress(MemorySegment state) {
    return state.address() + ERRNO_OFFSET;
  }

  /** For the Throwable that {@code invokeExact} declares: a binding error, never a C error. */
  public static RuntimeException unexpected(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return new IllegalStateException("a native call does not fit its handle", cause);
  }
}
