package dev.cuzk.proof;

import dev.cuzk.math.Curve;
import dev.cuzk.math.Field;
import dev.cuzk.math.Fp12;
import dev.cuzk.math.Group;
import dev.cuzk.math.MultiScalarMultiplication;
import dev.cuzk.math.Pairing;
import dev.cuzk.math.PreparedG2;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;

/**
 * Verifies many proofs of one key with one equation: random z_i of 128 bits, drawn after the proofs
 * are known, and
 *
 * <pre>Π e(z_i A_i, B_i) · e(Σ z_i X_i, −gamma) · e(Σ z_i C_i, −delta) = e(alpha, beta)^Σ z_i</pre>
 *
 * <p>It passes with a wrong proof among them with probability 2^−128 at most; points are checked
 * one by one before. If it fails, halves are checked until the wrong proofs are found.
 */
public final class BatchVerifier {
  /** Proofs in one equation: bounds the memory for prepared lines to a few megabytes. */
  private static final int GROUP = 128;

  private static final int RANDOMIZER_BYTES = 16;

  private final PreparedVerifyingKey key;
  private final ForkJoinPool pool;
  private final SecureRandom random;

  /**
   * A verifier for a key; safe for use by several threads.
   *
   * @param pool shares the work, or null for the calling thread alone
   */
  public BatchVerifier(PreparedVerifyingKey key, ForkJoinPool pool) {
    this(key, pool, new SecureRandom());
  }

  BatchVerifier(PreparedVerifyingKey key, ForkJoinPool pool, SecureRandom random) {
    this.key = key;
    this.pool = pool;
    this.random = random;
  }

  /**
   * One verdict a proof, in the order given.
   *
   * @param publicInputs those of the i-th proof at i
   */
  public List<Verdict> verify(List<Proof> proofs, List<List<BigInteger>> publicInputs) {
    if (proofs.size() != publicInputs.size()) {
      throw new IllegalArgumentException(
          proofs.size() + " proofs, but " + publicInputs.size() + " lists of public inputs");
    }
    Verdict[] verdicts = new Verdict[proofs.size()];
    for (int first = 0; first < verdicts.length; first += GROUP) {
      int end = Math.min(verdicts.length, first + GROUP);
      verifyGroup(proofs, publicInputs, first, end, verdicts);
    }
    List<Verdict> result = new ArrayList<>(verdicts.length);
    Collections.addAll(result, verdicts);
    return result;
  }

  /** A proof that passed its own checks, ready for any equation that it takes part in. */
  private static final class Term {
    private final int index;
    private final BigInteger randomizer;
    private final List<BigInteger> inputs;
    private final long[] scaledA;
    private final PreparedG2 b;
    private final long[] c;

    Term(
        int index,
        BigInteger randomizer,
        List<BigInteger> inputs,
        long[] scaledA,
        PreparedG2 b,
        long[] c) {
      this.index = index;
      this.randomizer = randomizer;
      this.inputs = inputs;
      this.scaledA = scaledA;
      this.b = b;
      this.c = c;
    }
  }

  private void verifyGroup(
      List<Proof> proofs,
      List<List<BigInteger>> publicInputs,
      int first,
      int end,
      Verdict[] verdicts) {
    BigInteger[] randomizers = new BigInteger[end - first];
    byte[] bytes = new byte[RANDOMIZER_BYTES];
    for (int i = 0; i < randomizers.length; i++) {
      do {
        random.nextBytes(bytes);
        randomizers[i] = new BigInteger(1, bytes);
      } while (randomizers[i].signum() == 0);
    }
    Term[] terms = new Term[end - first];
    int pieces = pieces(terms.length);
    forEachPiece(
        pieces,
        piece -> {
          int from = piece * terms.length / pieces;
          int to = (piece + 1) * terms.length / pieces;
          for (int i = from; i < to; i++) {
            int index = first + i;
            terms[i] =
                prepare(
                    index, proofs.get(index), publicInputs.get(index), randomizers[i], verdicts);
          }
        });
    List<Term> wellFormed = new ArrayList<>();
    for (Term term : terms) {
      if (term != null) {
        wellFormed.add(term);
      }
    }
    decide(wellFormed, verdicts);
  }

  /** Null, and a verdict, for a proof that fails its own checks. */
  private Term prepare(
      int index, Proof proof, List<BigInteger> inputs, BigInteger randomizer, Verdict[] verdicts) {
    Curve curve = key.constants();
    Group g1 = Group.of(curve, false);
    long[] a = new long[g1.affineSize()];
    long[] b = new long[2 * g1.affineSize()];
    long[] c = new long[g1.affineSize()];
    Verdict verdict = new ProofCheck(key).check(proof, inputs, a, b, c);
    if (!verdict.valid()) {
      verdicts[index] = verdict;
      return null;
    }
    long[] scalar = new long[2];
    Points.putScalar(scalar, 0, 2, randomizer);
    long[] scaled = new long[g1.jacobianSize()];
    g1.multiply(scaled, 0, a, 0, scalar, 0, 2);
    g1.toAffine(a, 0, scaled, 0);
    return new Term(index, randomizer, inputs, a, new Pairing(curve).prepare(b, 0), c);
  }

  private void decide(List<Term> terms, Verdict[] verdicts) {
    if (terms.isEmpty()) {
      return;
    }
    if (holds(terms)) {
      for (Term term : terms) {
        verdicts[term.index] = Verdict.VALID;
      }
    } else if (terms.size() == 1) {
      verdicts[terms.get(0).index] = Verdict.NOT_EQUAL;
    } else {
      int middle = terms.size() / 2;
      decide(terms.subList(0, middle), verdicts);
      decide(terms.subList(middle, terms.size()), verdicts);
    }
  }

  /** Whether the equation over these proofs holds. */
  private boolean holds(List<Term> terms) {
    Curve curve = key.constants();
    int pieces = pieces(terms.size());
    long[][] loops = new long[pieces][];
    forEachPiece(
        pieces,
        piece -> {
          int from = piece * terms.size() / pieces;
          int to = (piece + 1) * terms.size() / pieces;
          loops[piece] = millerLoop(terms.subList(from, to));
        });
    Pairing pairing = new Pairing(curve);
    Fp12 target = pairing.target();
    long[] product = new long[target.size()];
    int affine = Group.of(curve, false).affineSize();
    long[] points = new long[2 * affine];
    System.arraycopy(sumOfInputs(terms), 0, points, 0, affine);
    System.arraycopy(sumOfC(terms), 0, points, affine, affine);
    pairing.millerLoop(
        product, 0, points, new PreparedG2[] {key.minusGamma(), key.minusDelta()}, 2);
    for (long[] loop : loops) {
      target.multiply(product, 0, product, 0, loop, 0);
    }
    pairing.finalExponentiation(product, 0, product, 0);
    long[] right = new long[target.size()];
    power(target, right, key.alphaBeta(), sumOfRandomizers(terms));
    return target.isEqual(product, 0, right, 0);
  }

  private long[] millerLoop(List<Term> terms) {
    Pairing pairing = new Pairing(key.constants());
    int affine = Group.of(key.constants(), false).affineSize();
    long[] points = new long[terms.size() * affine];
    PreparedG2[] lines = new PreparedG2[terms.size()];
    for (int i = 0; i < lines.length; i++) {
      System.arraycopy(terms.get(i).scaledA, 0, points, i * affine, affine);
      lines[i] = terms.get(i).b;
    }
    long[] product = new long[pairing.target().size()];
    pairing.millerLoop(product, 0, points, lines, lines.length);
    return product;
  }

  /** Σ z_i X_i: one scalar for each point of the key, Σ z_i · input_ij mod r. */
  private long[] sumOfInputs(List<Term> terms) {
    Field scalars = key.constants().scalar();
    int n = scalars.size();
    int count = key.key().ic().size();
    long[] sums = new long[count * n];
    long[] z = new long[n];
    long[] product = new long[n];
    for (Term term : terms) {
      scalars.set(z, 0, term.randomizer);
      scalars.add(sums, 0, sums, 0, z, 0);
      int at = n;
      for (BigInteger input : term.inputs) {
        scalars.set(product, 0, input);
        scalars.multiply(product, 0, product, 0, z, 0);
        scalars.add(sums, at, sums, at, product, 0);
        at += n;
      }
    }
    for (int i = 0; i < count; i++) {
      scalars.fromMontgomery(sums, i * n, sums, i * n);
    }
    return key.combineInputs(sums, key.curve().scalarModulus().bitLength(), pool);
  }

  private long[] sumOfC(List<Term> terms) {
    Curve curve = key.constants();
    Group g1 = Group.of(curve, false);
    long[] points = new long[terms.size() * g1.affineSize()];
    long[] scalars = new long[2 * terms.size()];
    for (int i = 0; i < terms.size(); i++) {
      System.arraycopy(terms.get(i).c, 0, points, i * g1.affineSize(), g1.affineSize());
      Points.putScalar(scalars, 2 * i, 2, terms.get(i).randomizer);
    }
    long[] sum =
        MultiScalarMultiplication.sum(
            curve, false, points, scalars, 2, 8 * RANDOMIZER_BYTES, terms.size(), pool);
    long[] affine = new long[g1.affineSize()];
    g1.toAffine(affine, 0, sum, 0);
    return affine;
  }

  private static BigInteger sumOfRandomizers(List<Term> terms) {
    BigInteger sum = BigInteger.ZERO;
    for (Term term : terms) {
      sum = sum.add(term.randomizer);
    }
    return sum;
  }

  private static void power(Fp12 target, long[] z, long[] x, BigInteger exponent) {
    target.setOne(z, 0);
    for (int bit = exponent.bitLength() - 1; bit >= 0; bit--) {
      target.square(z, 0, z, 0);
      if (exponent.testBit(bit)) {
        target.multiply(z, 0, z, 0, x, 0);
      }
    }
  }

  private int pieces(int count) {
    return pool == null ? 1 : Math.max(1, Math.min(count, pool.getParallelism()));
  }

  /** Work on one piece of a group. */
  private interface Piece {
    void run(int piece);
  }

  private void forEachPiece(int pieces, Piece work) {
    if (pieces == 1) {
      work.run(0);
      return;
    }
    ForkJoinTask<?>[] tasks = new ForkJoinTask<?>[pieces];
    for (int i = 0; i < pieces; i++) {
      int piece = i;
      tasks[i] = pool.submit(() -> work.run(piece));
    }
    for (ForkJoinTask<?> task : tasks) {
      task.join();
    }
  }
}
