package dev.postern.sidecar.files;

import java.util.List;

/**
 * What a file came to.
 *
 * @param value an immutable snapshot
 * @param warnings sentences about what was ignored; each names the file
 */
public record Loaded<T>(T value, List<String> warnings) {

  public Loaded {
    warnings = List.copyOf(warnings);
  }
}
