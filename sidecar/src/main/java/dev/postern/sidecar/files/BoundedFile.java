package dev.postern.sidecar.files;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Whole files, of at most so many bytes. */
public final class BoundedFile {

  private BoundedFile() {}

  /** Reads a file that holds no secret. */
  public static byte[] read(Path file, int maxBytes) throws FileRefused {
    try (FileChannel channel = open(file)) {
      ByteBuffer buffer = ByteBuffer.allocate(size(channel, file, maxBytes));
      fill(channel, buffer);
      byte[] bytes = new byte[buffer.position()];
      buffer.flip().get(bytes);
      return bytes;
    } catch (IOException e) {
      throw new FileRefused(file, "cannot be read: " + e.getMessage());
    }
  }

  /** Reads a secret into native memory, which the caller wipes. */
  public static MemorySegment readNative(Path file, int maxBytes, Arena arena) throws FileRefused {
    try (FileChannel channel = open(file)) {
      MemorySegment bytes = arena.allocate(size(channel, file, maxBytes));
      ByteBuffer buffer = bytes.asByteBuffer();
      fill(channel, buffer);
      return bytes.asSlice(0, buffer.position());
    } catch (IOException e) {
      throw new FileRefused(file, "cannot be read: " + e.getMessage());
    }
  }

  private static FileChannel open(Path file) throws FileRefused, IOException {
    try {
      return FileChannel.open(file, StandardOpenOption.READ);
    } catch (NoSuchFileException e) {
      throw new FileRefused(file, "does not exist");
    } catch (AccessDeniedException e) {
      throw new FileRefused(file, "permission denied");
    }
  }

  private static int size(FileChannel channel, Path file, int maxBytes)
      throws FileRefused, IOException {
    long size = channel.size();
    if (size == 0) {
      throw new FileRefused(file, "is empty");
    }
    if (size > maxBytes) {
      throw new FileRefused(file, "has %d bytes, at most %d are read".formatted(size, maxBytes));
    }
    return (int) size;
  }

  private static void fill(FileChannel channel, ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining() && channel.read(buffer) >= 0) {}
  }
}
