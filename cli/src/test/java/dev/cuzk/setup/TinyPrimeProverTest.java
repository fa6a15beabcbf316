package dev.cuzk.setup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.circuit.CircuitTesting;
import dev.cuzk.circuit.CircuitTesting.Listed;
import dev.cuzk.key.QuotientForm;
import dev.cuzk.math.Field;
import dev.cuzk.math.RootsOfUnity;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Groth16 in exact algebra: over the field of 64513 = 2^10 · 63 + 1, "group elements" are their own
 * discrete logarithms and the "pairing" is multiplication, so that the setup's exponents and the
 * prover's formula can be put into the verification equation itself (after bellman's dummy engine).
 */
class TinyPrimeProverTest {
  private static final BigInteger P = BigInteger.valueOf(64513);
  private static final Field FIELD = new Field(P);

  /** A random system that a random assignment satisfies, through a last term on ONE in C. */
  private record Instance(Listed constraints, BigInteger[] witness) {
    static Instance random(Random random, int rows, int publicInputs, int privateInputs) {
      int variables = 1 + publicInputs + privateInputs;
      BigInteger[] w = new BigInteger[variables];
      for (int i = 0; i < variables; i++) {
        w[i] = i == 0 ? BigInteger.ONE : element(random);
      }
      List<List<TreeMap<Long, BigInteger>>> list = new ArrayList<>();
      for (int row = 0; row < rows; row++) {
        List<TreeMap<Long, BigInteger>> sides = new ArrayList<>();
        for (int matrix = 0; matrix < 3; matrix++) {
          TreeMap<Long, BigInteger> side = new TreeMap<>();
          for (int terms = random.nextInt(4); terms > 0; terms--) {
            side.put((long) random.nextInt(variables), element(random));
          }
          sides.add(side);
        }
        BigInteger missing =
            dot(sides.get(0), w).multiply(dot(sides.get(1), w)).subtract(dot(sides.get(2), w));
        sides.get(2).merge(0L, missing.mod(P), (x, y) -> x.add(y).mod(P));
        list.add(sides);
      }
      return new Instance(new Listed(FIELD, variables, publicInputs, list), w);
    }

    private static BigInteger element(Random random) {
      return switch (random.nextInt(4)) {
        case 0 -> BigInteger.ONE;
        case 1 -> P.subtract(BigInteger.ONE);
        default -> BigInteger.valueOf(random.nextInt(P.intValue()));
      };
    }
  }

  private static BigInteger dot(TreeMap<Long, BigInteger> side, BigInteger[] w) {
    BigInteger sum = BigInteger.ZERO;
    for (var term : side.entrySet()) {
      sum = sum.add(term.getValue().multiply(w[term.getKey().intValue()]));
    }
    return sum.mod(P);
  }

  @Property(tries = 150)
  void shouldSatisfyTheVerificationEquation(
      @ForAll long seed,
      @ForAll @IntRange(min = 0, max = 40) int rows,
      @ForAll @IntRange(min = 0, max = 4) int publicInputs,
      @ForAll @IntRange(min = 1, max = 12) int privateInputs)
      throws Exception {
    Random random = new Random(seed);
    Instance instance = Instance.random(random, rows, publicInputs, privateInputs);
    try (Dummy dummy = new Dummy(instance.constraints(), seed)) {
      assertTrue(dummy.verify(instance.witness(), dummy.prove(instance.witness(), random)));
    }
  }

  @Property(tries = 60)
  void shouldFailForAnAssignmentThatBreaksAConstraint(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 20) int rows) throws Exception {
    Random random = new Random(seed);
    Instance instance = Instance.random(random, rows, 2, 6);
    BigInteger[] w = instance.witness().clone();
    int changed = 1 + random.nextInt(w.length - 1);
    w[changed] = w[changed].add(BigInteger.ONE).mod(P);
    boolean satisfied =
        instance.constraints().rows().stream()
            .allMatch(
                row ->
                    dot(row.get(0), w)
                        .multiply(dot(row.get(1), w))
                        .mod(P)
                        .equals(dot(row.get(2), w)));
    try (Dummy dummy = new Dummy(instance.constraints(), seed)) {
      boolean verified = dummy.verify(w, dummy.prove(w, random));
      if (satisfied) {
        assertTrue(verified);
      } else {
        // tau is one of 64,513 values: the odd lucky one is a root of the wrong remainder.
        assertEquals(dummy.remainderVanishes(w), verified);
      }
      // A proof for other public inputs is worth nothing, unless no constraint looks at them.
      BigInteger[] other = instance.witness().clone();
      other[1] = other[1].add(BigInteger.ONE).mod(P);
      BigInteger ic = dummy.input(1);
      BigInteger[] proof = dummy.prove(instance.witness(), random);
      assertEquals(ic.signum() == 0, dummy.verify(other, proof));
    }
  }

  @Property(tries = 20)
  void shouldDependOnEverySecret(@ForAll long seed) {
    ToxicWaste waste = ToxicWaste.make(FIELD, 5, OptionalLong.of(seed));
    ToxicWaste same = ToxicWaste.make(FIELD, 5, OptionalLong.of(seed));
    assertEquals(FIELD.get(waste.tau, 0), FIELD.get(same.tau, 0));
    assertEquals(FIELD.get(waste.delta, 0), FIELD.get(same.delta, 0));
    assertFalse(FIELD.isOne(waste.delta, 0));
    assertFalse(FIELD.get(waste.tau, 0).modPow(BigInteger.valueOf(64), P).equals(BigInteger.ONE));
    waste.close();
    assertTrue(FIELD.isZero(waste.tau, 0) && FIELD.isZero(waste.delta, 0));
  }

  /** The prover, the key and the verifier, on discrete logarithms. */
  private static final class Dummy implements AutoCloseable {
    private final Listed constraints;
    private final ToxicWaste waste;
    private final KeyExponents key;
    private final BigInteger tau;
    private final BigInteger alpha;
    private final BigInteger beta;
    private final BigInteger delta;
    private final int log2;

    Dummy(Listed constraints, long seed) throws Exception {
      this.constraints = constraints;
      this.log2 = constraints.domainLog2();
      this.waste = ToxicWaste.make(FIELD, log2, OptionalLong.of(seed));
      this.key =
          KeyExponents.evaluate(constraints, waste, QuotientForm.ODD_COSET, CircuitTesting.POOL);
      this.tau = FIELD.get(waste.tau, 0);
      this.alpha = FIELD.get(waste.alpha, 0);
      this.beta = FIELD.get(waste.beta, 0);
      this.delta = FIELD.get(waste.delta, 0);
    }

    private interface Exponent {
      void get(long variable, long[] z);
    }

    private static BigInteger exponent(Exponent exponent, long variable) {
      long[] z = new long[4];
      exponent.get(variable, z);
      return BigInteger.valueOf(z[0]);
    }

    BigInteger input(int i) {
      return exponent(key::input, i);
    }

    /** A = alpha + Σ w u + r delta, and so on: Groth 2016, section 3.2, in snarkjs' form. */
    BigInteger[] prove(BigInteger[] w, Random random) {
      BigInteger r = new BigInteger(40, random).mod(P);
      BigInteger s = new BigInteger(40, random).mod(P);
      BigInteger a = alpha.add(r.multiply(delta));
      BigInteger b = beta.add(s.multiply(delta));
      BigInteger c = BigInteger.ZERO;
      for (int i = 0; i < w.length; i++) {
        a = a.add(w[i].multiply(exponent(key::a, i)));
        b = b.add(w[i].multiply(exponent(key::b, i)));
        if (i > constraints.publicInputs()) {
          c = c.add(w[i].multiply(exponent(key::privateVariable, i)));
        }
      }
      BigInteger[] quotient = oddCosetValues(w);
      long[] h = new long[4 * quotient.length];
      key.quotient(0, quotient.length, h);
      for (int j = 0; j < quotient.length; j++) {
        c = c.add(quotient[j].multiply(BigInteger.valueOf(h[4 * j])));
      }
      c = c.add(s.multiply(a)).add(r.multiply(b)).subtract(r.multiply(s).multiply(delta));
      return new BigInteger[] {a.mod(P), b.mod(P), c.mod(P)};
    }

    boolean verify(BigInteger[] w, BigInteger[] proof) {
      BigInteger right = alpha.multiply(beta).add(proof[2].multiply(delta));
      for (int i = 0; i <= constraints.publicInputs(); i++) {
        right = right.add(w[i].multiply(exponent(key::input, i)));
      }
      return proof[0].multiply(proof[1]).subtract(right).mod(P).signum() == 0;
    }

    /** Values of A, B and C times the assignment in every row, the rows of the inputs included. */
    private BigInteger[][] rowValues(BigInteger[] w) {
      int n = 1 << log2;
      BigInteger[][] values = new BigInteger[3][n];
      for (int row = 0; row < n; row++) {
        int input = row - constraints.rows().size();
        for (int matrix = 0; matrix < 3; matrix++) {
          values[matrix][row] =
              input < 0 ? dot(constraints.rows().get(row).get(matrix), w) : BigInteger.ZERO;
        }
        if (input >= 0 && input <= constraints.publicInputs()) {
          values[0][row] = w[input];
        }
      }
      return values;
    }

    /** a·b − c on the odd powers of the root of order 2n, by interpolating plainly. */
    private BigInteger[] oddCosetValues(BigInteger[] w) {
      BigInteger[][] rows = rowValues(w);
      int n = 1 << log2;
      BigInteger root = root(log2 + 1);
      BigInteger[] values = new BigInteger[n];
      for (int j = 0; j < n; j++) {
        BigInteger x = root.modPow(BigInteger.valueOf(2L * j + 1), P);
        // snarkjs takes c as the interpolation of a·b over the rows; equal where they are
        // satisfied.
        BigInteger a = interpolate(rows[0], x);
        BigInteger b = interpolate(rows[1], x);
        values[j] = a.multiply(b).subtract(interpolate(products(rows), x)).mod(P);
      }
      return values;
    }

    private BigInteger[] products(BigInteger[][] rows) {
      BigInteger[] products = new BigInteger[rows[0].length];
      for (int i = 0; i < products.length; i++) {
        products[i] = rows[0][i].multiply(rows[1][i]).mod(P);
      }
      return products;
    }

    /** Whether (a·b − c over the rows) interpolates to a polynomial with tau as a root. */
    boolean remainderVanishes(BigInteger[] w) {
      BigInteger[][] rows = rowValues(w);
      BigInteger[] remainder = products(rows);
      for (int i = 0; i < remainder.length; i++) {
        remainder[i] = remainder[i].subtract(rows[2][i]).mod(P);
      }
      return interpolate(remainder, tau).signum() == 0;
    }

    private BigInteger interpolate(BigInteger[] rows, BigInteger x) {
      BigInteger root = root(log2);
      BigInteger n = BigInteger.valueOf(rows.length);
      BigInteger vanishing = x.modPow(n, P).subtract(BigInteger.ONE).multiply(n.modInverse(P));
      BigInteger sum = BigInteger.ZERO;
      BigInteger power = BigInteger.ONE;
      for (BigInteger value : rows) {
        BigInteger lagrange =
            vanishing.multiply(power).multiply(x.subtract(power).modInverse(P)).mod(P);
        sum = sum.add(value.multiply(lagrange));
        power = power.multiply(root).mod(P);
      }
      return sum.mod(P);
    }

    private static BigInteger root(int log2Order) {
      long[] root = new long[4];
      new RootsOfUnity(FIELD).get(root, 0, log2Order);
      return FIELD.get(root, 0);
    }

    @Override
    public void close() {
      waste.close();
      key.clear();
    }
  }
}
