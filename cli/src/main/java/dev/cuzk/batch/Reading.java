package dev.cuzk.batch;

import dev.cuzk.format.Progress;

/** Hears how far the reading of a whole file has come: a key's digest may take a minute. */
@FunctionalInterface
public interface Reading {
  /** For whoever does not want to know. */
  Reading UNHEARD = (file, done, total) -> {};

  /**
   * So much is done; called every few megabytes on the reading thread, the last time with all.
   *
   * @param file as messages call it
   * @param done bytes so far
   * @param total bytes in all
   */
  void progressed(String file, long done, long total);

  /** Of one file. */
  default Progress of(String file) {
    return (done, total) -> progressed(file, done, total);
  }
}
