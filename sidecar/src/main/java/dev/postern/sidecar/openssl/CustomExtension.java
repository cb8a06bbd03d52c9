package dev.postern.sidecar.openssl;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;

/** The shape of a custom extension's add callback, man SSL_CTX_add_custom_ext(3ssl). */
public final class CustomExtension {

  // int add_cb(SSL *s, unsigned ext_type, unsigned context, const unsigned char **out,
  //            size_t *outlen, X509 *x, size_t chainidx, int *al, void *add_arg)
  private static final FunctionDescriptor ADD_CALLBACK =
      FunctionDescriptor.of(
          ValueLayout.JAVA_INT,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_INT,
          ValueLayout.JAVA_INT,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG);

  private CustomExtension() {}

  /** The Java type that a callback must have; pointers are long, so that nothing is allocated. */
  public static MethodType addCallbackType() {
    return ADD_CALLBACK.toMethodType();
  }

  /**
   * Makes a callback callable by OpenSSL for the life of the process.
   *
   * @param target must not throw: that would end the JVM
   * @return the function's address
   */
  @SuppressWarnings("restricted")
  public static long addCallback(MethodHandle target) {
    return Linker.nativeLinker().upcallStub(target, ADD_CALLBACK, Arena.global()).address();
  }
}
