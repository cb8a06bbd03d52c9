package dev.postern.sidecar.reload;

import dev.postern.sidecar.files.FileRefused;
import dev.postern.sidecar.files.FileState;
import dev.postern.sidecar.files.Loaded;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** One part: its files, its last good value, and what was wrong with the newest. */
final class Watched<T> {

  /** The kubelet may swap the folder between two reads; then the pair is read again. */
  private static final int ATTEMPTS = 3;

  /** Reads and validates the files as they are now. */
  @FunctionalInterface
  interface Loader<T> {
    Loaded<T> load(Instant now) throws FileRefused;
  }

  private final List<Path> files;
  private final Loader<T> loader;
  private FileState seen;
  private T value;
  private String lastFailure = "";

  Watched(List<Path> files, Loader<T> loader) {
    this.files = files;
    this.loader = loader;
  }

  T value() {
    return value;
  }

  /** True when the files are not those of the last good value. */
  boolean changed() {
    return !lastFailure.isEmpty() || !FileState.of(files).equals(seen);
  }

  /** Loads; on failure the old value stays. Returns the warnings. */
  List<String> load(Instant now) throws FileRefused {
    for (int attempt = 1; ; attempt++) {
      FileState before = FileState.of(files);
      try {
        Loaded<T> loaded = loadGuarded(now);
        value = loaded.value();
        seen = before;
        lastFailure = "";
        return loaded.warnings();
      } catch (FileRefused e) {
        if (attempt == ATTEMPTS || FileState.of(files).equals(before)) {
          throw e;
        }
      }
    }
  }

  /** A file that a parser chokes on must not end the thread that polls. */
  private Loaded<T> loadGuarded(Instant now) throws FileRefused {
    try {
      return loader.load(now);
    } catch (RuntimeException e) {
      throw new FileRefused(files.getFirst(), "cannot be parsed: " + e);
    }
  }

  /** True when this failure is not the one that was reported last. */
  boolean isNews(FileRefused failure) {
    boolean news = !lastFailure.equals(failure.getMessage());
    lastFailure = failure.getMessage();
    return news;
  }
}
