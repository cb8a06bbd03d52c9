package dev.postern.sidecar.files;

import java.nio.file.Path;

/** A file is missing, unreadable or says something that cannot be; the message names it and why. */
public final class FileRefused extends Exception {

  private static final long serialVersionUID = 1L;

  public FileRefused(Path file, String why) {
    super(file + ": " + why);
  }
}
