package dev.cuzk.format;

/** Hears how far a long read has come; called on the reading thread, every few megabytes. */
@FunctionalInterface
public interface Progress {
  /** For whoever does not want to know. */
  Progress NONE = (done, total) -> {};

  /**
   * So much is done.
   *
   * @param done bytes so far
   * @param total bytes in all
   */
  void progressed(long done, long total);
}
