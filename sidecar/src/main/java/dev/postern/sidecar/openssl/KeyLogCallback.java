package dev.postern.sidecar.openssl;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;

/** The shape of a key log callback, man SSL_CTX_set_keylog_callback(3ssl). */
public final class KeyLogCallback {

  // void cb(const SSL *ssl, const char *line)
  private static final FunctionDescriptor TYPE =
      FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);

  private KeyLogCallback() {}

  /** The Java type that a callback must have; pointers are long, so that nothing is allocated. */
  public static MethodType type() {
    return TYPE.toMethodType();
  }

  /**
   * Makes a callback callable by OpenSSL for the life of the process.
   *
   * @param target must not throw: that would end the JVM
   * @return the function's address
   */
  @SuppressWarnings("restricted")
  public static long of(MethodHandle target) {
    return Linker.nativeLinker().upcallStub(target, TYPE, Arena.global()).address();
  }
}
