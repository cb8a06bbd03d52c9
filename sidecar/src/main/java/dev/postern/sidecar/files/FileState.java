package dev.postern.sidecar.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/**
 * What tells that files changed, without reading them: where the kubelet's links lead, inode, size
 * and time of each.
 *
 * @param marks one for each file, in the order asked for
 */
public record FileState(List<String> marks) {

  /** Looks now. */
  public static FileState of(List<Path> files) {
    return new FileState(files.stream().map(FileState::mark).toList());
  }

  private static String mark(Path file) {
    try {
      Path real = file.toRealPath();
      BasicFileAttributes a = Files.readAttributes(real, BasicFileAttributes.class);
      return "%s %s %d %s".formatted(real, a.fileKey(), a.size(), a.lastModifiedTime());
    } catch (IOException e) {
      return "unreadable";
    }
  }
}
