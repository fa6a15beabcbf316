package dev.cuzk.synthesis;

import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;

/**
 * Makes one partition's assignment. Cheap to create and to keep while jobs wait; all work happens
 * in {@link #synthesize}, on the engine's own ForkJoinPool, never on the common pool.
 */
public interface Synthesizer {
  CurveId curve();

  /**
   * Scalars in the assignment, ONE at index 0 counted; −1 where only running the program can tell.
   */
  long variables();

  /** Host memory, in bytes, that synthesis needs beyond the target buffer. */
  long hostBytes();

  /**
   * Whether {@link #synthesize} hands parts of its work to the pool whose thread it runs on ({@link
   * java.util.concurrent.ForkJoinTask#getPool}); it then gets a pool of its own, of as many threads
   * as are free.
   */
  default boolean forks() {
    return false;
  }

  /**
   * Writes the assignment: 32-byte canonical little-endian scalars, ONE first, then the public
   * inputs, then the rest.
   *
   * @param target the engine's buffer; has exactly the key's number of variables times 32 bytes
   * @throws InputException if the input is malformed, of another circuit, not canonical, or changed
   *     in mid-run
   * @throws UnsatisfiedException if making the witness shows that the input does not satisfy the
   *     circuit
   */
  void synthesize(Buffer target) throws InputException, UnsatisfiedException;
}
