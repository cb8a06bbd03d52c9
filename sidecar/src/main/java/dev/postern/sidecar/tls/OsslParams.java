package dev.postern.sidecar.tls;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** An array of OSSL_PARAM, man OSSL_PARAM(3ssl); the zeroed last element ends it. */
final class OsslParams {

  /** struct { const char *key; unsigned data_type; void *data; size_t data_size, return_size; }. */
  private static final int ELEMENT_BYTES = 40;

  private static final int TYPE_OFFSET = 8;
  private static final int DATA_OFFSET = 16;
  private static final int SIZE_OFFSET = 24;
  private static final int RETURN_SIZE_OFFSET = 32;
  private static final int OSSL_PARAM_UTF8_STRING = 4;
  private static final int OSSL_PARAM_OCTET_STRING = 5;
  private static final long OSSL_PARAM_UNMODIFIED = -1;

  private final Arena arena;
  private final MemorySegment array;
  private long offset;

  OsslParams(Arena arena, int elements) {
    this.arena = arena;
    array = arena.allocate((elements + 1L) * ELEMENT_BYTES, Long.BYTES);
  }

  void text(String key, String value) {
    add(key, OSSL_PARAM_UTF8_STRING, arena.allocateFrom(value), value.length());
  }

  void octets(String key, MemorySegment value) {
    add(key, OSSL_PARAM_OCTET_STRING, value, value.byteSize());
  }

  long address() {
    return array.address();
  }

  private void add(String key, int type, MemorySegment data, long sizeBytes) {
    array.set(ValueLayout.JAVA_LONG, offset, arena.allocateFrom(key).address());
    array.set(ValueLayout.JAVA_INT, offset + TYPE_OFFSET, type);
    array.set(ValueLayout.JAVA_LONG, offset + DATA_OFFSET, data.address());
    array.set(ValueLayout.JAVA_LONG, offset + SIZE_OFFSET, sizeBytes);
    array.set(ValueLayout.JAVA_LONG, offset + RETURN_SIZE_OFFSET, OSSL_PARAM_UNMODIFIED);
    offset += ELEMENT_BYTES;
  }
}
