package dev.cuzk.bench;

import dev.cuzk.device.Backend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.synthesis.UnsatisfiedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;

/** Runs what {@link BenchOptions} ask for on one device. */
public final class BenchRunner {
  private final BenchOptions options;
  private final Backend backend;
  private final BenchInputs inputs;
  private final ForkJoinPool pool;
  private final BenchListener listener;

  private BenchRunner(
      BenchOptions options,
      Backend backend,
      BenchInputs inputs,
      ForkJoinPool pool,
      BenchListener listener) {
    this.options = options;
    this.backend = backend;
    this.inputs = inputs;
    this.pool = pool;
    this.listener = listener;
  }

  /**
   * Measures every case, one after the other.
   *
   * @param backend the device under test; its threads were chosen when it was opened
   * @param inputs makes test keys and opens inputs
   * @param pool for witnesses
   * @throws InputException if a file of the user is at fault, the earlier export included
   * @throws BenchUsageException if a circuit of that name does not exist
   * @throws UnsatisfiedException if an input does not satisfy its circuit
   */
  public static BenchResult run(
      BenchOptions options,
      Backend backend,
      BenchInputs inputs,
      ForkJoinPool pool,
      BenchListener listener)
      throws InputException, UnsatisfiedException, DeviceException {
    return new BenchRunner(options, backend, inputs, pool, listener).run();
  }

  private BenchResult run() throws InputException, UnsatisfiedException, DeviceException {
    // Read first: a bad file should not cost minutes of measuring.
    Map<String, Double> before =
        options.compare().isPresent() ? BenchExport.readMedians(options.compare().get()) : Map.of();
    Map<String, Object> environment =
        BenchEnvironment.describe(backend.description(), pool.getParallelism());
    List<BenchCase> cases = new ArrayList<>();
    switch (options.kind()) {
      case MSM -> measureMsm(cases);
      case NTT -> measureNtt(cases);
      case PROVE -> new ProveBench(options, backend, inputs, pool, listener).measure(cases);
      case UPLOAD -> new UploadBench(options, backend, listener).measure(cases);
      case SYNTH -> new SynthBench(options, inputs, pool, listener).measure(cases);
      case ENGINE -> new EngineBench(options, pool.getParallelism(), listener).measure(cases);
      default -> throw new BenchUsageException(options.kind().printedName() + " is not measured");
    }
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("warmup", options.warmup());
    settings.put("runs", options.runs());
    return new BenchResult(
        BenchResult.SCHEMA,
        environment,
        settings,
        cases,
        BenchExport.compare(cases, before, options.failAbovePercent()));
  }

  private void measureMsm(List<BenchCase> cases) throws DeviceException {
    for (CurveId curve : options.curves()) {
      for (BenchOptions.Group group : options.groups()) {
        boolean g2 = group == BenchOptions.Group.G2;
        long largest = options.sizes().get(options.sizes().size() - 1);
        try (MsmInput input = MsmInput.make(backend, curve, g2, largest)) {
          for (long size : options.sizes()) {
            String id = caseId("msm", curve, group.printedName(), BenchSizes.print(size));
            listener.step(id);
            double[] samples =
                sample(() -> backend.msm(curve, g2, input.points(), input.scalars(), size).ms());
            cases.add(
                caseOf(id, curve, Map.of("group", group.printedName(), "size", size), samples));
          }
        }
      }
    }
  }

  private void measureNtt(List<BenchCase> cases) throws DeviceException {
    for (CurveId curve : options.curves()) {
      for (long size : options.sizes()) {
        int log2 = Long.numberOfTrailingZeros(size);
        if (log2 > curve.twoAdicity()) {
          throw new BenchUsageException(
              "a transform over " + curve + " has at most 2^" + curve.twoAdicity() + " values");
        }
        String id = caseId("ntt", curve, BenchSizes.print(size));
        listener.step(id);
        try (NttInput input = NttInput.make(backend, curve, size)) {
          double[] samples = sample(() -> input.forward(backend, log2));
          cases.add(caseOf(id, curve, Map.of("size", size), samples));
        }
      }
    }
  }

  /** A run that tells its own time in milliseconds. */
  @FunctionalInterface
  interface Run {
    double ms() throws DeviceException;
  }

  private double[] sample(Run run) throws DeviceException {
    for (int i = 0; i < options.warmup(); i++) {
      run.ms();
    }
    double[] samples = new double[options.runs()];
    for (int i = 0; i < samples.length; i++) {
      samples[i] = run.ms();
    }
    return samples;
  }

  private BenchCase caseOf(String id, CurveId curve, Map<String, Object> facts, double[] samples) {
    return new BenchCase(
        id,
        options.kind().printedName(),
        curve.printedName(),
        facts,
        samples,
        Statistics.of(samples),
        Map.of());
  }

  static String caseId(String kind, CurveId curve, String... rest) {
    return kind + "/" + curve.printedName() + "/" + String.join("/", rest);
  }
}
