package dev.cuzk.proof;

import dev.cuzk.math.CurveId;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ForkJoinPool;

/**
 * Times verification once warm: {@code VerifierTiming THREADS RUNS}. Prints the median of wall time
 * and the mean of processor time, whose clock is coarse, of RUNS proofs after as many that are not
 * counted; a busy machine shows in the difference. Processor time is the whole process's, the JIT's
 * share included.
 */
public final class VerifierTiming {
  private static final int BATCH = 300;
  private static final int BATCH_INPUTS = 3;

  private VerifierTiming() {}

  public static void main(String[] arguments) {
    ForkJoinPool pool = new ForkJoinPool(Integer.parseInt(arguments[0]));
    int runs = Integer.parseInt(arguments[1]);
    for (CurveId curve : CurveId.values()) {
      for (int inputs : new int[] {1, 100, 328, 25_840}) {
        single(curve, inputs, pool, inputs > 1000 ? Math.min(runs, 10) : runs);
      }
      batch(curve, pool, Math.min(runs, 10));
    }
  }

  private static void single(CurveId curve, int count, ForkJoinPool pool, int runs) {
    TrapdoorKey trapdoor = new TrapdoorKey(curve, count, 1);
    Verifier verifier = new Verifier(PreparedVerifyingKey.of(trapdoor.key()), pool);
    List<BigInteger> inputs = trapdoor.inputs();
    Proof proof = trapdoor.prove(inputs);
    time(
        curve + ", " + count + " public inputs",
        runs,
        1,
        () -> require(verifier.verify(proof, inputs).valid()));
  }

  private static void batch(CurveId curve, ForkJoinPool pool, int runs) {
    TrapdoorKey trapdoor = new TrapdoorKey(curve, BATCH_INPUTS, 1);
    BatchVerifier verifier = new BatchVerifier(PreparedVerifyingKey.of(trapdoor.key()), pool);
    List<List<BigInteger>> inputs = new ArrayList<>();
    List<Proof> proofs = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      inputs.add(trapdoor.inputs());
      proofs.add(trapdoor.prove(inputs.get(i)));
    }
    time(
        curve + ", " + BATCH + " small proofs together",
        runs,
        BATCH,
        () -> require(verifier.verify(proofs, inputs).stream().allMatch(Verdict::valid)));
  }

  private static void require(boolean valid) {
    if (!valid) {
      throw new AssertionError("a valid proof was refused");
    }
  }

  private static void time(String what, int runs, int proofs, Runnable verification) {
    double[] wall = new double[runs];
    for (int i = 0; i < runs; i++) {
      verification.run();
    }
    long processorStart = processorNanos();
    for (int i = 0; i < runs; i++) {
      long wallStart = System.nanoTime();
      verification.run();
      wall[i] = (System.nanoTime() - wallStart) / 1e9;
    }
    double processor = (processorNanos() - processorStart) / 1e9 / runs;
    Arrays.sort(wall);
    double median = wall[runs / 2];
    System.out.printf(
        Locale.ROOT,
        "%s: wall %.1f ms, processor %.1f ms, %.0f proofs/s by wall%n",
        what,
        1e3 * median,
        1e3 * processor,
        proofs / median);
  }

  /** Of the whole process. */
  private static long processorNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
