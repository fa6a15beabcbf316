package dev.cuzk.engine.simulation;

import dev.cuzk.device.Backend.MemoryNeeds;
import dev.cuzk.device.DeviceException;
import dev.cuzk.device.Plan;
import dev.cuzk.device.Planner;
import dev.cuzk.device.Stage;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.math.CurveId;
import java.util.List;

/**
 * What keys and proofs will take on a device: memory by the native libraries' formulas, time by
 * what was measured on one NVIDIA H200 or 16 cores of a Xeon (docs/TUNING.md), dense circuits of
 * powers of two, interpolated in the number of rows. A prediction: other devices, other clocks and
 * circuits with many small values differ.
 */
public final class PredictedCosts implements FakeCosts {
  /** Measured milliseconds of one proof with its key resident, upload left out, by log2 of rows. */
  private record Measured(double[] log2Rows, double[] milliseconds) {
    /** Straight lines between the logarithms; beyond the ends, as many rows, as much time. */
    double at(double log2) {
      int last = log2Rows.length - 1;
      if (log2 >= log2Rows[last]) {
        return milliseconds[last] * Math.pow(2, log2 - log2Rows[last]);
      }
      if (log2 <= log2Rows[0]) {
        return milliseconds[0];
      }
      int upper = 1;
      while (log2Rows[upper] < log2) {
        upper++;
      }
      double share = (log2 - log2Rows[upper - 1]) / (log2Rows[upper] - log2Rows[upper - 1]);
      double from = Math.log(milliseconds[upper - 1]);
      return Math.exp(from + share * (Math.log(milliseconds[upper]) - from));
    }
  }

  private static final Measured GPU_BN254 =
      new Measured(new double[] {12, 16, 18, 20, 22}, new double[] {3.36, 9.23, 14, 32.9, 100});
  private static final Measured GPU_BLS12381 =
      new Measured(
          new double[] {12, 16, 18, 20, 22, 24}, new double[] {5.39, 18.8, 25.5, 59, 183, 657});
  // 2^12, and BLS12-381 2^20, by rows from their neighbours.
  private static final Measured CPU_BN254 =
      new Measured(new double[] {12, 17, 20}, new double[] {9.4, 300, 2_066});
  private static final Measured CPU_BLS12381 =
      new Measured(new double[] {12, 17, 20}, new double[] {19.8, 632, 4_340});

  private static final int MEASURED_THREADS = 16;

  /** Page-locked memory to the device (2^22 scalars in 2.52 ms). */
  private static final double UPLOAD_BYTES_A_MS = 53e6;

  /** A key from its file onto a device; taken to be a good disk's rate, not measured. */
  private static final double KEY_BYTES_A_MS = 2e6;

  /** The same for a key that is streamed again and again, and so comes from the page cache. */
  private static final double STREAM_BYTES_A_MS = 20e6;

  /** A witness from its file; taken to be one core's rate of reading and checking, not measured. */
  private static final double SYNTHESIS_BYTES_A_MS = 0.5e6;

  private final Planner planner;
  private final int cpuThreads;

  /** {@code cpuThreads} 0: a GPU. */
  public PredictedCosts(Planner planner, int cpuThreads) {
    this.planner = planner;
    this.cpuThreads = cpuThreads;
  }

  /** Milliseconds until a partition's assignment is made from a file. */
  public static double synthesisMs(ProvingKey key) {
    return key.variables() * CurveId.SCALAR_BYTES / SYNTHESIS_BYTES_A_MS;
  }

  @Override
  public List<Plan> plans(ProvingKey key, Plan wish) {
    throw new UnsupportedOperationException("the library chooses: see choose");
  }

  @Override
  public Planner.Choice choose(ProvingKey key, long memory, Plan wish) {
    try {
      return planner.choose(key, memory, wish);
    } catch (DeviceException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public MemoryNeeds needs(ProvingKey key, Plan plan) {
    try {
      return planner.needs(key, plan);
    } catch (DeviceException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public double keyLoadMs(ProvingKey key, Plan plan) {
    return needs(key, plan).keyBytes() / KEY_BYTES_A_MS;
  }

  @Override
  public double[] stageMs(ProvingKey key, Plan plan) {
    double[] ms = new double[Stage.values().length];
    double log2 = Math.log(Math.max(key.variables(), 1L << key.domainLog2())) / Math.log(2);
    boolean bn254 = key.curve() == CurveId.BN254;
    if (cpuThreads > 0) {
      double measured = (bn254 ? CPU_BN254 : CPU_BLS12381).at(log2);
      ms[Stage.MSM_A.ordinal()] = measured * MEASURED_THREADS / cpuThreads;
      return ms;
    }
    ms[Stage.UPLOAD.ordinal()] = key.variables() * CurveId.SCALAR_BYTES / UPLOAD_BYTES_A_MS;
    double computing = (bn254 ? GPU_BN254 : GPU_BLS12381).at(log2);
    double streaming = plan.residentKey() ? 0 : streamedBytes(key) / STREAM_BYTES_A_MS;
    // A pass over a streamed key goes on while the device computes.
    ms[Stage.MSM_A.ordinal()] = Math.max(computing, streaming / plan.batch());
    return ms;
  }

  private long streamedBytes(ProvingKey key) {
    return needs(key, Plan.RESIDENT).keyBytes();
  }
}
