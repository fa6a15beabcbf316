package dev.cuzk.setup;

/**
 * Hears how far a setup has come. Called on the thread that runs it, after each piece of points.
 */
@FunctionalInterface
public interface SetupListener {
  /** For whoever does not want to know. */
  SetupListener NONE = (step, done, total) -> {};

  /**
   * So much is done.
   *
   * @param step what is being made, in a few words
   * @param done points so far, over all queries
   * @param total points in all
   */
  void progressed(String step, long done, long total);
}
