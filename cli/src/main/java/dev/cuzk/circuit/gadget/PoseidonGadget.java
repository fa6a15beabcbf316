package dev.cuzk.circuit.gadget;

import dev.cuzk.circuit.ConstraintSystem;
import dev.cuzk.circuit.LinearCombination;
import dev.cuzk.math.PoseidonConstants;
import dev.cuzk.math.PoseidonConstants.Domain;
import java.math.BigInteger;

/**
 * Poseidon as neptune's circuit of old ({@code poseidon_hash}) makes it: linear layers cost
 * nothing, every S-box input after round 0 is a number of its own.
 */
public final class PoseidonGadget {
  private static final int WORDS = 4;

  private PoseidonGadget() {}

  /** Private variables, and constraints, of a hash of {@code arity} numbers. */
  public static int auxiliaries(int arity) {
    PoseidonConstants constants = PoseidonConstants.of(arity, Domain.MERKLE_TREE);
    int boxes = (constants.fullRounds() - 1) * constants.width() + constants.partialRounds();
    return 3 * arity + 4 * boxes + 1;
  }

  /** The hash of arity numbers as a node of a tree, or of a column of labels. */
  public static int hash(ConstraintSystem system, int... preimage) {
    return hash(system, Domain.MERKLE_TREE, preimage);
  }

  /** The hash of two numbers to make randomness of. */
  public static int randomness(ConstraintSystem system, int first, int second) {
    return hash(system, Domain.RANDOMNESS, first, second);
  }

  private static int hash(ConstraintSystem system, Domain domain, int... preimage) {
    int arity = preimage.length;
    return system
        .place(
            "poseidon " + arity + " " + domain,
            preimage,
            (inner, numbers) ->
                new int[] {new Rounds(inner, PoseidonConstants.of(arity, domain)).run(numbers)})[0];
  }

  private static final class Rounds {
    private final ConstraintSystem system;
    private final PoseidonConstants constants;
    private final int width;
    private final int half;
    private final LinearCombination one;
    private LinearCombination[] state;
    private int nextConstant;

    Rounds(ConstraintSystem system, PoseidonConstants constants) {
      this.system = system;
      this.constants = constants;
      this.width = constants.width();
      this.half = constants.fullRounds() / 2;
      this.one = Numbers.one(system);
    }

    int run(int[] preimage) {
      first(preimage);
      for (int round = 1; round < half; round++) {
        full("initial full round " + round, true);
        state = dense(round == half - 1 ? constants.preSparse() : constants.mds());
      }
      for (int round = 0; round < constants.partialRounds(); round++) {
        partial(round);
      }
      for (int round = 0; round < half; round++) {
        boolean terminal = round == half - 1;
        full(terminal ? "terminal full round" : "final full round " + round, !terminal);
        state = dense(constants.mds());
      }
      return number(state[1].normalize());
    }

    /** Element 0 is constant; the others are numbers plus a constant. */
    private void first(int[] preimage) {
      state = new LinearCombination[width];
      BigInteger tag = constants.domainTag().add(constant(0)).pow(5);
      state[0] =
          new LinearCombination(system.field())
              .plus(ConstraintSystem.ONE, tag.add(constant(width)));
      system.enter("first round");
      for (int i = 1; i < width; i++) {
        system.enter("quintic s-box " + i);
        BigInteger before = constant(i);
        LinearCombination input =
            Numbers.of(system, preimage[i - 1]).plus(ConstraintSystem.ONE, before);
        state[i] = fifthPower(input, constant(width + i));
        system.leave();
      }
      system.leave();
      nextConstant = 2 * width;
      state = dense(constants.mds());
    }

    private void full(String name, boolean withConstants) {
      system.enter(name);
      for (int i = 0; i < width; i++) {
        BigInteger after = withConstants ? constant(nextConstant++) : BigInteger.ZERO;
        system.enter("quintic s-box " + i);
        state[i] = fifthPower(Numbers.of(system, number(state[i])), after);
        system.leave();
      }
      system.leave();
    }

    private void partial(int round) {
      system.enter("partial round " + round);
      system.enter("solitary quintic s-box");
      BigInteger after = constant(nextConstant++);
      state[0] = fifthPower(Numbers.of(system, number(state[0])), after);
      system.leave();
      system.leave();
      LinearCombination first = new LinearCombination(system.field());
      int column = round * width * WORDS;
      for (int i = 0; i < width; i++) {
        first.plus(state[i], constants.sparseColumns(), column + i * WORDS);
      }
      int row = round * (width - 1) * WORDS;
      for (int i = 1; i < width; i++) {
        state[i].plus(state[0], constants.sparseRows(), row + (i - 1) * WORDS).normalize();
      }
      state[0] = first.normalize();
    }

    private BigInteger constant(int i) {
      return constants.field().get(constants.compressedConstants(), i * WORDS);
    }

    /** x² = l2, l2² = l4, x · l4 = l5 − after; gives l5, which contains the constant. */
    private LinearCombination fifthPower(LinearCombination x, BigInteger after) {
      int square = system.allocate(values -> x.evaluate(values).pow(2));
      system.enforce(x, x, Numbers.of(system, square));
      int fourth = Numbers.square(system, square);
      int fifth =
          system.allocate(values -> x.evaluate(values).multiply(values.value(fourth)).add(after));
      system.enforce(
          x,
          Numbers.of(system, fourth),
          Numbers.of(system, fifth).plus(ConstraintSystem.ONE, after.negate()));
      return Numbers.of(system, fifth);
    }

    /** A number of its own for a combination. */
    private int number(LinearCombination combination) {
      int number = system.allocate(combination::evaluate);
      system.enforce(combination, one, Numbers.of(system, number));
      return number;
    }

    private LinearCombination[] dense(long[] matrix) {
      LinearCombination[] next = new LinearCombination[width];
      for (int j = 0; j < width; j++) {
        next[j] = new LinearCombination(system.field());
        for (int i = 0; i < width; i++) {
          next[j].plus(state[i], matrix, (i * width + j) * WORDS);
        }
        next[j].normalize();
      }
      return next;
    }
  }
}
