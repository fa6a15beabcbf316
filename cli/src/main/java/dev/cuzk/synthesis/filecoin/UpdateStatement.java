package dev.cuzk.synthesis.filecoin;

import dev.cuzk.circuit.filecoin.SectorShape;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import dev.cuzk.math.Poseidon;
import dev.cuzk.math.PoseidonConstants;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;

/**
 * That an empty sector's replica was overwritten with data (storage-proofs-update 19.1.0): the
 * partition's number with the choice of how many high bits count, and the three commitments.
 */
public record UpdateStatement(SectorShape shape, Hash32 commROld, Hash32 commRNew, Hash32 commDNew)
    implements Statement {
  /** Bits of a field element that challenges are taken from. */
  private static final int USED_BITS = CurveId.BLS12_381.scalarModulus().bitLength() - 1;

  /** Which of the choices the network made: the fourth. */
  private static final int DEFAULT_CHOICE = 3;

  @Override
  public String circuit() {
    return "update-" + shape.label();
  }

  @Override
  public int partitions() {
    return 1 << shape.updatePartitionsLog2();
  }

  /** How many high bits of a challenge decide its randomness. */
  int highBits() {
    return shape.updateHighBits().get(DEFAULT_CHOICE);
  }

  /** The hash of comm_d_new and comm_r_old that all randomness comes from, canonical. */
  long[] phi() {
    Field field = Field.scalar(CurveId.BLS12_381);
    long[] words = new long[8];
    field.set(words, 0, commDNew.number());
    field.set(words, 4, commROld.number());
    new Poseidon(PoseidonConstants.of(2, PoseidonConstants.Domain.RANDOMNESS))
        .hash(words, 0, words, 0);
    field.fromMontgomery(words, 0, words, 0);
    return Arrays.copyOf(words, 4);
  }

  @Override
  public List<BigInteger> publicInputs(int partition) {
    // The first of equal choices is the one that is selected.
    int choice = shape.updateHighBits().indexOf(highBits());
    BigInteger selection =
        BigInteger.ONE
            .shiftLeft(choice + shape.updatePartitionsLog2())
            .or(BigInteger.valueOf(partition));
    return List.of(selection, commROld.number(), commDNew.number(), commRNew.number());
  }

  /** The challenged nodes of a partition: chunks of digests, low bits first, then its number. */
  long[] challenges(int partition) {
    int chunkBits = shape.nodesLog2() - shape.updatePartitionsLog2();
    int perDigest = USED_BITS / chunkBits;
    int digests = (shape.updateChallenges() + perDigest - 1) / perDigest;
    Field field = Field.scalar(CurveId.BLS12_381);
    Poseidon poseidon = new Poseidon(PoseidonConstants.of(2, PoseidonConstants.Domain.RANDOMNESS));
    long[] words = new long[8];
    long[] challenges = new long[shape.updateChallenges()];
    for (int i = 0; i < challenges.length; ) {
      field.set(words, 0, commRNew.number());
      field.set(words, 4, (long) partition * digests + i / perDigest);
      poseidon.hash(words, 0, words, 0);
      BigInteger digest = field.get(words, 0);
      for (int chunk = 0; chunk < perDigest && i < challenges.length; chunk++, i++) {
        long low = digest.shiftRight(chunk * chunkBits).longValue() & (1L << chunkBits) - 1;
        challenges[i] = low | (long) partition << chunkBits;
      }
    }
    return challenges;
  }
}
