package dev.cuzk.circuit;

import dev.cuzk.format.InputException;
import dev.cuzk.format.Progress;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The digest {@code r1cs-digest-v1} of a constraint system. A variable's code is a u32: input i is
 * i (ONE is 0), auxiliary j is 2^31 + j. Of each constraint, in order, for A, B and C: the number
 * of terms (u32), then the terms in ascending code, one a variable, none zero: the code and the
 * canonical coefficient (32 bytes); all little-endian. Each {@value #CHUNK} constraints are hashed
 * with SHA-256, and those digests, one after the other, once more. The rows that a Groth16 key adds
 * for public inputs do not count.
 *
 * @param root the digest
 * @param chunks the digests of the chunks
 */
public record ConstraintDigest(Hash root, List<Hash> chunks) {
  /** Constraints of a chunk. */
  public static final int CHUNK = 65_536;

  /** A SHA-256 digest; prints in hexadecimal. */
  public record Hash(String hex) {
    @Override
    public String toString() {
      return hex;
    }
  }

  /** Digests a system, its chunks in parallel. */
  public static ConstraintDigest of(Constraints system, ForkJoinPool pool) throws InputException {
    return of(system, pool, Progress.NONE);
  }

  /**
   * Digests a system, its chunks in parallel.
   *
   * @param progress hears of chunks, from several threads
   * @throws InputException if the file behind the system is malformed
   */
  public static ConstraintDigest of(Constraints system, ForkJoinPool pool, Progress progress)
      throws InputException {
    int count = Math.toIntExact((system.constraints() + CHUNK - 1) / CHUNK);
    byte[][] digests = new byte[count][];
    AtomicLong done = new AtomicLong();
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int chunk = 0; chunk < count; chunk++) {
      int index = chunk;
      tasks.add(
          () -> {
            digests[index] = chunk(system, index);
            progress.progressed(done.incrementAndGet(), count);
            return null;
          });
    }
    ParallelRanges.await(pool, tasks);
    MessageDigest root = sha256();
    List<Hash> chunks = new ArrayList<>();
    for (byte[] digest : digests) {
      root.update(digest);
      chunks.add(hash(digest));
    }
    return new ConstraintDigest(hash(root.digest()), List.copyOf(chunks));
  }

  private static byte[] chunk(Constraints system, long index) throws InputException {
    long first = index * CHUNK;
    Stream stream = new Stream(system);
    system.forEach(first, Math.min(CHUNK, system.constraints() - first), stream);
    return stream.finish();
  }

  private static Hash hash(byte[] digest) {
    return new Hash(HexFormat.of().formatHex(digest));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Writes constraints in the digest's form into a buffer and hashes it whenever it is full. */
  private static final class Stream implements Constraints.Sink {
    private static final VarHandle INT =
        MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int TERM_BYTES = 36;
    private static final int COUNT_BYTES = 4;

    /** Full enough to be hashed; small enough for a core's cache. */
    private static final int FULL = 64 << 10;

    private final Constraints system;
    private final long firstAuxiliary;
    private final MessageDigest sha = sha256();
    private byte[] buffer = new byte[2 * FULL];
    private int used;

    /** Where the current combination's count stands, and which of the three it is. */
    private int countAt;

    private int matrix;
    private long lastVariable;
    private boolean ordered;

    Stream(Constraints system) {
      this.system = system;
      this.firstAuxiliary = system.publicInputs() + 1L;
      begin(Constraints.A);
    }

    private void begin(int nextMatrix) {
      matrix = nextMatrix;
      countAt = used;
      used += COUNT_BYTES;
      lastVariable = -1;
      ordered = true;
    }

    @Override
    public void term(int termMatrix, long variable, long c0, long c1, long c2, long c3) {
      while (matrix < termMatrix) {
        endCombination();
        begin(matrix + 1);
      }
      if ((c0 | c1 | c2 | c3) == 0) {
        return;
      }
      ordered &= variable > lastVariable;
      lastVariable = variable;
      if (used + TERM_BYTES > buffer.length - 3 * COUNT_BYTES) {
        buffer = Arrays.copyOf(buffer, 2 * buffer.length);
      }
      long code = variable < firstAuxiliary ? variable : 0x80000000L | variable - firstAuxiliary;
      INT.set(buffer, used, (int) code);
      LONG.set(buffer, used + 4, c0);
      LONG.set(buffer, used + 12, c1);
      LONG.set(buffer, used + 20, c2);
      LONG.set(buffer, used + 28, c3);
      used += TERM_BYTES;
    }

    @Override
    public void end(long constraint) {
      while (matrix < Constraints.C) {
        endCombination();
        begin(matrix + 1);
      }
      endCombination();
      if (used >= FULL) {
        sha.update(buffer, 0, used);
        used = 0;
      }
      begin(Constraints.A);
    }

    private void endCombination() {
      if (!ordered) {
        normalize();
      }
      INT.set(buffer, countAt, (used - countAt - COUNT_BYTES) / TERM_BYTES);
    }

    private void normalize() {
      LinearCombination combination = new LinearCombination(system.field());
      for (int at = countAt + COUNT_BYTES; at < used; at += TERM_BYTES) {
        combination.plus(
            (int) INT.get(buffer, at),
            (long) LONG.get(buffer, at + 4),
            (long) LONG.get(buffer, at + 12),
            (long) LONG.get(buffer, at + 20),
            (long) LONG.get(buffer, at + 28));
      }
      combination.normalize();
      used = countAt + COUNT_BYTES;
      for (int i = 0; i < combination.size(); i++) {
        INT.set(buffer, used, combination.variable(i));
        for (int word = 0; word < 4; word++) {
          LONG.set(buffer, used + 4 + 8 * word, combination.coefficient(i, word));
        }
        used += TERM_BYTES;
      }
    }

    /** The hash; what follows the last constraint is a count that was begun in vain. */
    byte[] finish() {
      sha.update(buffer, 0, countAt);
      return sha.digest();
    }
  }
}
