package dev.postern.sidecar.openssl;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/** One shared library and the way to its functions. */
final class NativeLibrary {

  private final String file;
  private final SymbolLookup symbols;

  private NativeLibrary(String file, SymbolLookup symbols) {
    this.file = file;
    this.symbols = symbols;
  }

  @SuppressWarnings("restricted")
  static NativeLibrary open(String file, String debianPackage) {
    try {
      return new NativeLibrary(file, SymbolLookup.libraryLookup(file, Arena.global()));
    } catch (IllegalArgumentException e) {
      throw new LibraryMissing(
          "cannot load %s: install OpenSSL 3 (Debian: %s)".formatted(file, debianPackage), e);
    }
  }

  MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments) {
    return handle(name, FunctionDescriptor.of(result, arguments));
  }

  MethodHandle procedure(String name, MemoryLayout... arguments) {
    return handle(name, FunctionDescriptor.ofVoid(arguments));
  }

  @SuppressWarnings("restricted")
  private MethodHandle handle(String name, FunctionDescriptor type) {
    return Linker.nativeLinker()
        .downcallHandle(
            symbols
                .find(name)
                .orElseThrow(
                    () ->
                        new LibraryMissing(
                            "%s has no %s: OpenSSL 3.0 or later is needed".formatted(file, name),
                            null)),
            type);
  }

  /** A downcall throws nothing of its own; whatever comes out is an error of the JVM or ours. */
  static Error broken(Throwable t) {
    return t instanceof Error e ? e : new AssertionError(t);
  }
}
