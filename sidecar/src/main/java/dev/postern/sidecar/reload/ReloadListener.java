package dev.postern.sidecar.reload;

import dev.postern.sidecar.files.FileRefused;

/** Hears of reloads, on the thread that polls; logs, counts, and passes snapshots to workers. */
public interface ReloadListener {

  /** A part changed and is valid; the snapshot holds it. */
  void reloaded(Part part, Snapshot snapshot);

  /** A part changed and is not valid; the old one stays. Once for each distinct cause. */
  void refused(Part part, FileRefused why);

  /** Something in a valid part was ignored. */
  void warned(Part part, String sentence);
}
