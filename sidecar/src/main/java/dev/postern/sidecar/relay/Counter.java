package dev.postern.sidecar.relay;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A count that one worker writes and anyone reads: no lock, no fence, no torn value. */
public final class Counter {

  private static final VarHandle VALUE = handle();

  @SuppressWarnings("unused") // by VALUE
  private long value;

  private static VarHandle handle() {
    try {
      return MethodHandles.lookup().findVarHandle(Counter.class, "value", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** By the owning worker only. */
  void add(long amount) {
    VALUE.setOpaque(this, (long) VALUE.getOpaque(this) + amount);
  }

  void increment() {
    add(1);
  }

  public long read() {
    return (long) VALUE.getOpaque(this);
  }
}
