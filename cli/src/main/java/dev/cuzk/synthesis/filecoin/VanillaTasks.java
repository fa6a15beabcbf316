package dev.cuzk.synthesis.filecoin;

import dev.cuzk.circuit.ParallelRanges;
import dev.cuzk.format.InputException;
import java.util.concurrent.ForkJoinPool;

/** Runs checks of many challenges on a pool, each piece with hashers of its own. */
final class VanillaTasks {
  private static final int PIECES_PER_THREAD = 8;

  private VanillaTasks() {}

  /** One challenge's check. */
  interface Check {
    void run(int index, Hashers hashers) throws InputException;
  }

  /** Runs checks 0 … count − 1. */
  static void run(ForkJoinPool pool, int count, Check check) throws InputException {
    int piece = Math.max(1, count / (pool.getParallelism() * PIECES_PER_THREAD));
    ParallelRanges.run(
        pool,
        count,
        piece,
        (first, here) -> {
          Hashers hashers = new Hashers();
          for (int i = 0; i < here; i++) {
            check.run((int) first + i, hashers);
          }
        });
  }
}
