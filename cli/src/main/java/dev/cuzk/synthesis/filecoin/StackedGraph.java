package dev.cuzk.synthesis.filecoin;

import dev.cuzk.circuit.filecoin.SectorShape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.bouncycastle.crypto.digests.Blake2bDigest;
import org.bouncycastle.crypto.engines.ChaChaEngine;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;

/**
 * The graph that a sector's labels are made along: each node has six parents in its own layer
 * (DRSample: Alwen, Blocki, Harsha, CCS 2017) and eight in the layer before (a Feistel
 * permutation). As in storage-proofs-core and storage-proofs-porep 19.1.0. Safe for use by several
 * threads.
 */
final class StackedGraph {
  /** Nodes of the graph that DRSample's node stands for. */
  private static final int DEGREE = SectorShape.BASE_PARENTS - 1;

  private static final int CHACHA_ROUNDS = 8;
  private static final int SEED_BYTES = 28;
  private static final int FEISTEL_ROUNDS = 3;

  private final long nodes;
  private final boolean firstVersion;
  private final byte[] drSeed;
  private final long[] feistelKeys = new long[FEISTEL_ROUNDS];
  private final int halfBits;

  /**
   * @param porepId 32 bytes
   * @param firstVersion as API 1.0.0 did it: the node before comes last, and a permuted value is
   *     cut to 32 bits
   */
  StackedGraph(long nodes, byte[] porepId, boolean firstVersion) {
    this.nodes = nodes;
    this.firstVersion = firstVersion;
    this.drSeed =
        Arrays.copyOf(Hash32.sha256(ascii("Filecoin_DRSample"), porepId).bytes(), SEED_BYTES);
    ByteBuffer keys =
        ByteBuffer.wrap(Hash32.sha256(ascii("Filecoin_Feistel"), porepId).bytes())
            .order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < FEISTEL_ROUNDS; i++) {
      feistelKeys[i] = keys.getLong();
    }
    int bits = Long.SIZE - Long.numberOfLeadingZeros(nodes * SectorShape.EXPANDER_PARENTS - 1);
    this.halfBits = (bits + 1) / 2;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Parents in the node's own layer, in the order in which labels take them. */
  long[] baseParents(long node) {
    long[] parents = new long[SectorShape.BASE_PARENTS];
    if (node <= 1) {
      return parents;
    }
    int sampled = firstVersion ? 0 : 1;
    parents[firstVersion ? DEGREE : 0] = node - 1;
    ByteBuffer random = random(node);
    long meta = node * DEGREE;
    int buckets = Long.SIZE - Long.numberOfLeadingZeros(meta - 1);
    for (int i = 0; i < DEGREE; i++) {
      int bucket = (int) Long.remainderUnsigned(random.getLong(), buckets) + 1;
      long largest = Math.min(meta, 1L << bucket);
      long smallest = Math.max(2, largest / 2);
      long distance = smallest + Long.remainderUnsigned(random.getLong(), largest - smallest + 1);
      long parent = (meta - distance) / DEGREE;
      parents[sampled + i] = parent == node ? node - 1 : parent;
    }
    return parents;
  }

  /** The beginning of ChaCha8's keystream for a node: two words of 64 bits for each parent. */
  private ByteBuffer random(long node) {
    ByteBuffer key = ByteBuffer.allocate(32).order(ByteOrder.LITTLE_ENDIAN);
    key.put(drSeed).putInt((int) node);
    ChaChaEngine engine = new ChaChaEngine(CHACHA_ROUNDS);
    engine.init(true, new ParametersWithIV(new KeyParameter(key.array()), new byte[8]));
    byte[] stream = new byte[2 * Long.BYTES * DEGREE];
    engine.processBytes(new byte[stream.length], 0, stream.length, stream, 0);
    return ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Parents in the layer before. */
  long[] expanderParents(long node) {
    long[] parents = new long[SectorShape.EXPANDER_PARENTS];
    for (int i = 0; i < parents.length; i++) {
      long permuted = permute(node * SectorShape.EXPANDER_PARENTS + i);
      if (firstVersion) {
        permuted &= 0xffffffffL;
      }
      parents[i] = permuted / SectorShape.EXPANDER_PARENTS;
    }
    return parents;
  }

  private long permute(long value) {
    long result = value;
    do {
      result = encrypt(result);
    } while (result >= nodes * SectorShape.EXPANDER_PARENTS);
    return result;
  }

  private long encrypt(long value) {
    long mask = (1L << halfBits) - 1;
    long left = value >>> halfBits;
    long right = value & mask;
    for (long key : feistelKeys) {
      long mixed = left ^ feistel(right, key) & mask;
      left = right;
      right = mixed;
    }
    return left << halfBits | right;
  }

  private static long feistel(long right, long key) {
    Blake2bDigest digest = new Blake2bDigest();
    byte[] bytes = ByteBuffer.allocate(16).putLong(right).putLong(key).array();
    digest.update(bytes, 0, bytes.length);
    byte[] result = new byte[digest.getDigestSize()];
    digest.doFinal(result, 0);
    return ByteBuffer.wrap(result).getLong();
  }
}
