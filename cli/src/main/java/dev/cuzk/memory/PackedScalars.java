package dev.cuzk.memory;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Takes an assignment that is mostly zeros and ones, and writes it in the packed form of cuzk.h
 * (CUZK_WITNESS_PACKED): the plain form, 4 GB for 2^27 scalars, never exists. Two bits a scalar,
 * and the scalars that are neither 0 nor 1.
 *
 * <p>Every scalar is put once, by any thread; the rest is for one thread, after all have been put.
 */
public final class PackedScalars implements ScalarTarget, AutoCloseable {
  private static final int BLOCK = Long.SIZE;
  private static final int HEADER_BYTES = 2 * Long.BYTES;
  private static final int SCALAR_BYTES = WORDS * Long.BYTES;
  private static final int ALIGNMENT = 16;

  private final long variables;
  private final long[] ones;
  private final long[] others;

  /** The full scalars of one {@link #put}, in order. */
  private record Run(long first, long[] words) {}

  private final List<Run> runs = new ArrayList<>();
  private long count;

  /**
   * All zero.
   *
   * @param variables scalars in the assignment
   */
  public PackedScalars(long variables) {
    this.variables = variables;
    this.ones = new long[blocks(variables)];
    this.others = new long[blocks(variables)];
  }

  private static int blocks(long variables) {
    return Math.toIntExact((variables + BLOCK - 1) / BLOCK);
  }

  /** Bytes of the packed form of so many scalars, {@code count} of which are neither 0 nor 1. */
  public static long byteSize(long variables, long count) {
    long bits = (2L * Long.BYTES + Integer.BYTES) * blocks(variables);
    return HEADER_BYTES + (bits + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + count * SCALAR_BYTES;
  }

  @Override
  public void put(long first, long[] words, int scalars) {
    long[] full = new long[0];
    int used = 0;
    long end = first + scalars;
    for (long at = first; at < end; ) {
      long blockEnd = Math.min(end, (at / BLOCK + 1) * BLOCK);
      int block = (int) (at / BLOCK);
      long oneBits = 0;
      long otherBits = 0;
      for (; at < blockEnd; at++) {
        int word = (int) (at - first) * WORDS;
        long rest = words[word + 1] | words[word + 2] | words[word + 3];
        long bit = 1L << at;
        if ((rest | words[word] >>> 1) != 0) {
          otherBits |= bit;
          if (used == full.length) {
            full = Arrays.copyOf(full, Math.max(16 * WORDS, 2 * used));
          }
          System.arraycopy(words, word, full, used, WORDS);
          used += WORDS;
        } else if (words[word] != 0) {
          oneBits |= bit;
        }
      }
      store(block, oneBits, otherBits, (int) (blockEnd - Math.max(first, (long) block * BLOCK)));
    }
    if (used > 0) {
      add(new Run(first, used == full.length ? full : Arrays.copyOf(full, used)));
    }
  }

  /** A block that is not whole may be shared with another thread. */
  private void store(int block, long oneBits, long otherBits, int scalars) {
    if (scalars == BLOCK) {
      ones[block] = oneBits;
      others[block] = otherBits;
      return;
    }
    synchronized (this) {
      ones[block] |= oneBits;
      others[block] |= otherBits;
    }
  }

  private synchronized void add(Run run) {
    runs.add(run);
    count += run.words.length / WORDS;
  }

  /** Bytes that {@link #write} writes. */
  public long byteSize() {
    return byteSize(variables, count);
  }

  /**
   * Writes the packed form.
   *
   * @param target has {@link #byteSize()} bytes at least, 2 GiB at most
   */
  public void write(Buffer target) {
    int blocks = ones.length;
    ByteBuffer bytes = target.view(0, Math.toIntExact(byteSize()));
    bytes.putLong(variables).putLong(count);
    bytes.asLongBuffer().put(ones).put(others);
    bytes.position(HEADER_BYTES + 2 * Long.BYTES * blocks);
    int before = 0;
    for (long bits : others) {
      bytes.putInt(before);
      before += Long.bitCount(bits);
    }
    while (bytes.position() % ALIGNMENT != 0) {
      bytes.put((byte) 0);
    }
    runs.sort(Comparator.comparingLong(Run::first));
    for (Run run : runs) {
      bytes.asLongBuffer().put(run.words);
      bytes.position(bytes.position() + run.words.length * Long.BYTES);
    }
  }

  /** One of the first scalars: reading begins at the first each time. */
  public BigInteger scalar(int index) {
    long bit = 1L << index;
    if ((others[index / BLOCK] & bit) == 0) {
      return (ones[index / BLOCK] & bit) == 0 ? BigInteger.ZERO : BigInteger.ONE;
    }
    int before = Long.bitCount(others[index / BLOCK] & bit - 1);
    for (int block = 0; block < index / BLOCK; block++) {
      before += Long.bitCount(others[block]);
    }
    runs.sort(Comparator.comparingLong(Run::first));
    for (Run run : runs) {
      int here = run.words.length / WORDS;
      if (before < here) {
        BigInteger value = BigInteger.ZERO;
        for (int word = WORDS - 1; word >= 0; word--) {
          BigInteger part = new BigInteger(Long.toUnsignedString(run.words[before * WORDS + word]));
          value = value.shiftLeft(Long.SIZE).or(part);
        }
        return value;
      }
      before -= here;
    }
    throw new IllegalStateException("not all scalars were put");
  }

  /** Overwrites everything with zeros: assignments are secrets. */
  @Override
  public void close() {
    Arrays.fill(ones, 0);
    Arrays.fill(others, 0);
    runs.forEach(run -> Arrays.fill(run.words, 0));
    runs.clear();
    count = 0;
  }
}
