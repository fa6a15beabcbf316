package dev.cuzk.circuit.gadget;

import dev.cuzk.circuit.ConstraintSystem;
import dev.cuzk.math.Sha256Constants;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * SHA-256 (FIPS 180-4) as bellperson's {@code gadgets::sha256} makes it: the sums of a and e of a
 * round are made in the next round, those of the last in the final additions.
 */
public final class Sha256Gadget {
  private static final int BLOCK_BITS = 512;
  private static final int STATE_WORDS = Sha256Constants.STATE_WORDS;
  private static final int ROUNDS = Sha256Constants.ROUNDS;

  private Sha256Gadget() {}

  /**
   * The hash of a message, padded as SHA-256 does.
   *
   * @param message bits, the most significant of each byte first
   * @return 256 bits in the same order
   */
  public static Bit[] hash(ConstraintSystem system, Bit[] message) {
    return blocks(system, pad(message));
  }

  /** The hash state after one block of 512 bits from the initial state: nothing is padded. */
  public static Bit[] hashBlock(ConstraintSystem system, Bit[] block) {
    if (block.length != BLOCK_BITS) {
      throw new IllegalArgumentException("a block has 512 bits");
    }
    return blocks(system, block);
  }

  private static Bit[] blocks(ConstraintSystem system, Bit[] bits) {
    Bit[] state = new Bit[STATE_WORDS * Words.BITS];
    for (int word = 0; word < STATE_WORDS; word++) {
      System.arraycopy(
          Words.constant(Sha256Constants.initial(word)), 0, state, word * Words.BITS, Words.BITS);
    }
    for (int block = 0; block < bits.length / BLOCK_BITS; block++) {
      system.enter("block " + block);
      Bit[] message = Arrays.copyOfRange(bits, block * BLOCK_BITS, (block + 1) * BLOCK_BITS);
      state = BitTemplates.place(system, "sha256 ", Sha256Gadget::compress, message, state);
      system.leave();
    }
    Bit[] digest = new Bit[state.length];
    for (int i = 0; i < digest.length; i++) {
      digest[i] = state[i / Words.BITS * Words.BITS + Words.BITS - 1 - i % Words.BITS];
    }
    return digest;
  }

  private static Bit[] pad(Bit[] message) {
    int length = message.length;
    int padded = (length + 65 + BLOCK_BITS - 1) / BLOCK_BITS * BLOCK_BITS;
    Bit[] result = Arrays.copyOf(message, padded);
    Arrays.fill(result, length, padded, Bit.FALSE);
    result[length] = Bit.TRUE;
    for (int i = 0; i < 64; i++) {
      result[padded - 1 - i] = Bit.constant(((long) length >>> i & 1) == 1);
    }
    return result;
  }

  /** One compression: parts are the block and the state (eight words, least significant first). */
  private static Bit[] compress(ConstraintSystem system, Bit[][] parts) {
    Bit[][] incoming = words(parts[1]);
    PackedEqualities equalities = new PackedEqualities(system);
    Bit[][] schedule = schedule(system, equalities, parts[0]);
    Rounds rounds = new Rounds(system, equalities, incoming);
    for (int round = 0; round < ROUNDS; round++) {
      system.enter("compression round " + round);
      rounds.step(schedule[round], Words.constant(Sha256Constants.round(round)));
      system.leave();
    }
    Bit[][] result = rounds.finish(incoming);
    equalities.close();
    return Words.concatenate(result);
  }

  private static Bit[][] words(Bit[] bits) {
    Bit[][] words = new Bit[bits.length / Words.BITS][];
    for (int i = 0; i < words.length; i++) {
      words[i] = Arrays.copyOfRange(bits, i * Words.BITS, (i + 1) * Words.BITS);
    }
    return words;
  }

  private static Bit[][] schedule(
      ConstraintSystem system, PackedEqualities equalities, Bit[] block) {
    Bit[][] w = Arrays.copyOf(words(block), ROUNDS);
    for (int i = 0; i < 16; i++) {
      w[i] = Words.reverse(w[i]);
    }
    for (int i = 16; i < ROUNDS; i++) {
      system.enter("w extension " + i);
      Bit[] s0 = sigma(system, w[i - 15], 7, 18, Words.shiftRight(w[i - 15], 3));
      Bit[] s1 = sigma(system, w[i - 2], 17, 19, Words.shiftRight(w[i - 2], 10));
      w[i] = Words.sum(system, equalities, w[i - 16], s0, w[i - 7], s1);
      system.leave();
    }
    return w;
  }

  private static Bit[] sigma(
      ConstraintSystem system, Bit[] word, int first, int second, Bit[] third) {
    Bit[] both = Words.xor(system, Words.rotateRight(word, first), Words.rotateRight(word, second));
    return Words.xor(system, both, third);
  }

  /** The eight working words; a and e of the last round are still lists of operands. */
  private static final class Rounds {
    private final ConstraintSystem system;
    private final PackedEqualities equalities;
    private final Bit[][] words;
    private List<Bit[]> pendingA;
    private List<Bit[]> pendingE;

    Rounds(ConstraintSystem system, PackedEqualities equalities, Bit[][] incoming) {
      this.system = system;
      this.equalities = equalities;
      this.words = incoming.clone();
    }

    void step(Bit[] w, Bit[] constant) {
      if (pendingE != null) {
        words[4] = sum(pendingE);
      }
      Bit[] e = words[4];
      Bit[] s1 = sigma(system, e, 6, 11, Words.rotateRight(e, 25));
      Bit[] choice = new Bit[Words.BITS];
      for (int i = 0; i < Words.BITS; i++) {
        choice[i] = BitLogic.choose(system, e[i], words[5][i], words[6][i]);
      }
      if (pendingA != null) {
        words[0] = sum(pendingA);
      }
      Bit[] a = words[0];
      Bit[] s0 = sigma(system, a, 2, 13, Words.rotateRight(a, 22));
      Bit[] majority = new Bit[Words.BITS];
      for (int i = 0; i < Words.BITS; i++) {
        majority[i] = BitLogic.majority(system, a[i], words[1][i], words[2][i]);
      }
      List<Bit[]> first = List.of(words[7], s1, choice, constant, w);
      pendingE = with(first, words[3]);
      pendingA = with(first, s0, majority);
      System.arraycopy(words, 0, words, 1, STATE_WORDS - 1);
    }

    private static List<Bit[]> with(List<Bit[]> operands, Bit[]... others) {
      List<Bit[]> all = new ArrayList<>(operands);
      all.addAll(Arrays.asList(others));
      return all;
    }

    private Bit[] sum(List<Bit[]> operands) {
      return Words.sum(system, equalities, operands.toArray(new Bit[0][]));
    }

    /** After the shift of the last step, words 1 … 3 and 5 … 7 stand where they are added. */
    Bit[][] finish(Bit[][] incoming) {
      Bit[][] result = new Bit[STATE_WORDS][];
      for (int i = 0; i < STATE_WORDS; i++) {
        boolean deferred = i % 4 == 0;
        system.enter(deferred ? "deferred h" + i + " computation" : "new h" + i);
        result[i] =
            deferred
                ? sum(with(i == 0 ? pendingA : pendingE, incoming[i]))
                : sum(List.of(incoming[i], words[i]));
        system.leave();
      }
      return result;
    }
  }
}
