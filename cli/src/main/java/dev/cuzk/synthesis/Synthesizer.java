package dev.cuzk.synthesis;

import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.memory.ScalarTarget;

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
   * Bytes that the assignment takes in packed form ({@link dev.cuzk.memory.PackedScalars}), about
   * and with room to spare, if it is mostly zeros and ones and {@link #synthesize(ScalarTarget)}
   * can make it; 0: it is made plain alone.
   */
  default long packedBytes() {
    return 0;
  }

  /**
   * As {@link #synthesize(Buffer)}, where {@link #packedBytes} is above 0: every scalar is put
   * once.
   */
  default void synthesize(ScalarTarget target) throws InputException, UnsatisfiedException {
    throw new UnsupportedOperationException("this assignment is made plain alone");
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
