package dev.cuzk.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PackedScalarsTest {
  private static final int WORDS = ScalarTarget.WORDS;

  /**
   * Zeros, ones, and a full value here and there: small ones and ones with high words alone too.
   */
  private static long[] scalars(int count, long seed) {
    Random random = new Random(seed);
    long[] words = new long[WORDS * count];
    for (int i = 0; i < count; i++) {
      int kind = random.nextInt(20);
      if (kind == 0) {
        words[WORDS * i + random.nextInt(WORDS)] = random.nextLong() | 2;
      } else if (kind == 1) {
        words[WORDS * i] = 2;
      } else {
        words[WORDS * i] = kind & 1;
      }
    }
    return words;
  }

  private static void put(ScalarTarget target, long[] words, int threads, long seed)
      throws Exception {
    Random random = new Random(seed);
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int first = 0; first < words.length / WORDS; ) {
      int from = first;
      int count = Math.min(words.length / WORDS - first, random.nextInt(200));
      tasks.add(
          () -> {
            target.put(from, Arrays.copyOfRange(words, WORDS * from, words.length), count);
            return null;
          });
      first += count;
    }
    Collections.shuffle(tasks, random);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      for (Future<Void> each : pool.invokeAll(tasks)) {
        each.get();
      }
    } finally {
      pool.shutdown();
    }
  }

  /** As cuzk.h defines the form. */
  private static long[] unpacked(ByteBuffer packed) {
    int variables = (int) packed.getLong(0);
    int blocks = (variables + 63) / 64;
    int others = 16 + 8 * blocks;
    int firsts = others + 8 * blocks;
    int values = (firsts + 4 * blocks + 15) / 16 * 16;
    long[] words = new long[WORDS * variables];
    int next = 0;
    for (int i = 0; i < variables; i++) {
      int block = i / 64;
      if (i % 64 == 0) {
        assertEquals(next, packed.getInt(firsts + 4 * block), "others before block " + block);
      }
      if ((packed.getLong(others + 8 * block) >>> i & 1) == 1) {
        for (int word = 0; word < WORDS; word++) {
          words[WORDS * i + word] = packed.getLong(values + 32 * next + 8 * word);
        }
        next++;
      } else {
        words[WORDS * i] = packed.getLong(16 + 8 * block) >>> i & 1;
      }
    }
    assertEquals(packed.getLong(8), next);
    return words;
  }

  @SuppressWarnings("try") // Closing early, to see what a closed one holds.
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 63, 64, 65, 127, 128, 1000, 65_536})
  void shouldKeepEveryScalarWhateverTheOrder(int count) throws Exception {
    long[] words = scalars(count, count);
    try (PackedScalars packed = new PackedScalars(count)) {
      put(packed, words, 4, count + 1);
      try (Buffer target = PlainBuffer.allocate(packed.byteSize() + 100)) {
        packed.write(target);
        assertEquals(
            Arrays.toString(words),
            Arrays.toString(unpacked(target.view(0, (int) packed.byteSize()))));
      }
      for (int i = 0; i < Math.min(count, 200); i++) {
        BigInteger expected = BigInteger.ZERO;
        for (int word = WORDS - 1; word >= 0; word--) {
          expected =
              expected
                  .shiftLeft(64)
                  .add(new BigInteger(Long.toUnsignedString(words[WORDS * i + word])));
        }
        assertEquals(expected, packed.scalar(i));
      }
      packed.close();
      assertEquals(PackedScalars.byteSize(count, 0), packed.byteSize());
      assertTrue(packed.scalar(0).signum() == 0);
    }
  }
}
