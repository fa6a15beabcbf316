package dev.cuzk.bench;

import dev.cuzk.engine.Engine;
import dev.cuzk.engine.EngineOptions;
import dev.cuzk.engine.EngineSummary;
import dev.cuzk.engine.Job;
import dev.cuzk.engine.Partition;
import dev.cuzk.engine.ProofSink;
import dev.cuzk.engine.Scheduler;
import dev.cuzk.engine.simulation.FakeBackend;
import dev.cuzk.engine.simulation.SimulatedKey;
import dev.cuzk.engine.simulation.SimulatedSynthesizer;
import dev.cuzk.math.CurveId;
import dev.cuzk.report.EngineFigures.LockFigures;
import dev.cuzk.report.Timeline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the engine itself costs: small proofs on fake devices that take no time, in real time, from
 * submission to acceptance, assignments, verification and writing taking none either.
 */
final class EngineBench {
  private static final int PROOFS = 2_000;
  private static final int SMALL_LOG2 = 6;
  private static final long BUDGET = 1L << 30;

  private final BenchOptions options;
  private final int threads;
  private final BenchListener listener;

  EngineBench(BenchOptions options, int threads, BenchListener listener) {
    this.options = options;
    this.threads = threads;
    this.listener = listener;
  }

  void measure(List<BenchCase> cases) {
    for (int devices : new int[] {1, 2, 8}) {
      String id = "engine/" + devices + "-devices/a-proof";
      listener.step(id);
      for (int i = 0; i < options.warmup(); i++) {
        run(devices);
      }
      double[] samples = new double[options.runs()];
      List<LockFigures> locks = List.of();
      for (int i = 0; i < samples.length; i++) {
        long start = System.nanoTime();
        locks = run(devices).locks();
        samples[i] = (System.nanoTime() - start) / 1e6 / PROOFS;
      }
      Map<String, Object> facts = new LinkedHashMap<>();
      facts.put("devices", devices);
      facts.put("proofs", PROOFS);
      facts.put("locks", locks.stream().map(EngineBench::figures).toList());
      cases.add(
          new BenchCase(
              id,
              BenchKind.ENGINE.printedName(),
              CurveId.BN254.printedName(),
              facts,
              samples,
              Statistics.of(samples),
              Map.of()));
    }
  }

  private static Map<String, Object> figures(LockFigures lock) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("name", lock.name());
    figures.put("acquisitions", lock.acquisitions());
    figures.put("hold_us_p50", lock.holding().p50());
    figures.put("hold_us_p99", lock.holding().p99());
    figures.put("wait_us_p50", lock.waiting().p50());
    figures.put("wait_us_p99", lock.waiting().p99());
    return figures;
  }

  private EngineSummary run(int devices) {
    List<FakeBackend> fakes = new ArrayList<>();
    for (int i = 0; i < devices; i++) {
      fakes.add(new FakeBackend(new FakeBackend.Model(i, 4 * BUDGET, 0)));
    }
    Engine engine =
        new Engine(
            EngineOptions.builder(BUDGET, BUDGET)
                .threads(threads)
                .synthesisThreads(threads)
                .verifyThreads(Math.max(1, threads / 2))
                .build(),
            fakes,
            null,
            (key, proofs, publicInputs) -> {
              boolean[] valid = new boolean[proofs.size()];
              Arrays.fill(valid, true);
              return valid;
            },
            new Sink(),
            Timeline.NONE);
    SimulatedKey key = new SimulatedKey("small", SMALL_LOG2);
    SimulatedSynthesizer synthesizer =
        new SimulatedSynthesizer(key.curve(), key.variables(), 0, 0, Scheduler.SYSTEM);
    try {
      for (int i = 0; i < PROOFS; i++) {
        Partition only = new Partition(0, key, synthesizer);
        engine.submit(new Job(i, "job" + i, "circom", 10, null, List.of(only), null));
      }
      EngineSummary summary = engine.finishAndClose();
      if (summary.jobsProved() != PROOFS) {
        throw new IllegalStateException("only " + summary.jobsProved() + " proofs were made");
      }
      return summary;
    } catch (InterruptedException e) {
      throw new IllegalStateException("the measurement was interrupted", e);
    }
  }

  private static final class Sink implements ProofSink {
    @Override
    public void accept(List<ProvedPartition> group) {}

    @Override
    public void finished(JobOutcome outcome) {}
  }
}
