package dev.cuzk.circuit.gadget;

import dev.cuzk.circuit.ConstraintSystem;
import dev.cuzk.circuit.LinearCombination;
import java.math.BigInteger;

/**
 * Poseidon as neptune's circuit of old ({@code poseidon_hash}) makes it: linear layers cost
 * nothing, every S-box input after round 0 is a number of its own.
 */
public final class PoseidonGadget {
  private static final int HALF = PoseidonConstants.FULL_ROUNDS / 2;

  private PoseidonGadget() {}

  /** The hash of arity numbers as a node of a tree, or of a column of labels. */
  public static int hash(ConstraintSystem system, int... preimage) {
    return hash(system, PoseidonConstants.tree(preimage.length), preimage);
  }

  /** The hash of two numbers to make randomness of. */
  public static int randomness(ConstraintSystem system, int first, int second) {
    return hash(system, PoseidonConstants.randomness(), first, second);
  }

  private static int hash(ConstraintSystem system, PoseidonConstants constants, int... preimage) {
    String key = "poseidon " + preimage.length + " " + constants.tag();
    return system
        .place(
            key,
            preimage,
            (inner, numbers) -> new int[] {new Rounds(inner, constants).run(numbers)})[0];
  }

  private static final class Rounds {
    private final ConstraintSystem system;
    private final PoseidonConstants constants;
    private final int width;
    private final LinearCombination one;
    private LinearCombination[] state;
    private int nextConstant;

    Rounds(ConstraintSystem system, PoseidonConstants constants) {
      this.system = system;
      this.constants = constants;
      this.width = constants.width();
      this.one = Numbers.one(system);
    }

    int run(int[] preimage) {
      first(preimage);
      for (int round = 1; round < HALF; round++) {
        full("initial full round " + round, true);
        int last = HALF - 1;
        state = dense(round == last ? constants::preSparse : constants::matrix);
      }
      for (int round = 0; round < constants.partialRounds(); round++) {
        partial(round);
      }
      for (int round = 0; round < HALF; round++) {
        boolean terminal = round == HALF - 1;
        full(terminal ? "terminal full round" : "final full round " + round, !terminal);
        state = dense(constants::matrix);
      }
      return number(state[1].normalize());
    }

    /** Element 0 is constant; the others are numbers plus a constant. */
    private void first(int[] preimage) {
      state = new LinearCombination[width];
      BigInteger tag = constants.tag().add(constants.roundConstant(0)).pow(5);
      state[0] =
          new LinearCombination(system.field())
              .plus(ConstraintSystem.ONE, tag.add(constants.roundConstant(width)));
      system.enter("first round");
      for (int i = 1; i < width; i++) {
        system.enter("quintic s-box " + i);
        BigInteger before = constants.roundConstant(i);
        LinearCombination input =
            Numbers.of(system, preimage[i - 1]).plus(ConstraintSystem.ONE, before);
        state[i] = fifthPower(input, constants.roundConstant(width + i));
        system.leave();
      }
      system.leave();
      nextConstant = 2 * width;
      state = dense(constants::matrix);
    }

    private void full(String name, boolean withConstants) {
      system.enter(name);
      for (int i = 0; i < width; i++) {
        BigInteger after =
            withConstants ? constants.roundConstant(nextConstant++) : BigInteger.ZERO;
        system.enter("quintic s-box " + i);
        state[i] = fifthPower(Numbers.of(system, number(state[i])), after);
        system.leave();
      }
      system.leave();
    }

    private void partial(int round) {
      system.enter("partial round " + round);
      system.enter("solitary quintic s-box");
      BigInteger after = constants.roundConstant(nextConstant++);
      state[0] = fifthPower(Numbers.of(system, number(state[0])), after);
      system.leave();
      system.leave();
      PoseidonConstants.SparseMatrix sparse = constants.sparse(round);
      LinearCombination first = new LinearCombination(system.field());
      for (int i = 0; i < width; i++) {
        first.plus(state[i], sparse.column()[i]);
      }
      for (int i = 1; i < width; i++) {
        state[i].plus(state[0], sparse.row()[i - 1]).normalize();
      }
      state[0] = first.normalize();
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

    private interface Matrix {
      BigInteger at(int row, int column);
    }

    private LinearCombination[] dense(Matrix matrix) {
      LinearCombination[] next = new LinearCombination[width];
      for (int j = 0; j < width; j++) {
        next[j] = new LinearCombination(system.field());
        for (int i = 0; i < width; i++) {
          next[j].plus(state[i], matrix.at(i, j));
        }
        next[j].normalize();
      }
      return next;
    }
  }
}
