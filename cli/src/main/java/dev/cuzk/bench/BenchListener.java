package dev.cuzk.bench;

/** Hears what a benchmark is doing, for progress lines. Called on the thread that runs it. */
public interface BenchListener {
  /** For whoever does not want to know. */
  BenchListener NONE = text -> {};

  /** The step that begins now, in a few words: {@code making a key for chain-17}. */
  void step(String text);
}
