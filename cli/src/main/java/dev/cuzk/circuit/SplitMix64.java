package dev.cuzk.circuit;

/**
 * The finalizer of splitmix64 (Steele, Lea, Flood 2014) as a function of an index: element i of the
 * sequence whose state starts at 0. Fixed constants for built-in circuits; no source of secrets.
 */
final class SplitMix64 {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private SplitMix64() {}

  static long at(long index) {
    long z = (index + 1) * GOLDEN_GAMMA;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
