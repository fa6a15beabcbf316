package dev.cuzk.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.device.Backend;
import dev.cuzk.device.BackendOptions;
import dev.cuzk.device.CpuBackend;
import dev.cuzk.engine.simulation.FaultInjectingBackend;
import dev.cuzk.engine.simulation.FaultRule;
import dev.cuzk.format.TestFiles;
import dev.cuzk.key.ZkeyKey;
import dev.cuzk.math.CurveId;
import dev.cuzk.report.Timeline;
import dev.cuzk.synthesis.Synthesizer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine with real arithmetic and the real verifier. */
@Timeout(60)
class EngineOnCpuTest {
  private static final Path DATA = TestFiles.testdata("quickstart");

  private final EngineFixture fixture = new EngineFixture();

  private Job job(int number, ZkeyKey key, boolean right) throws IOException {
    byte[] file = Files.readAllBytes(DATA.resolve("witness.wtns"));
    int size = (int) key.variables() * CurveId.SCALAR_BYTES;
    Synthesizer synthesizer =
        new FakeSynthesizer(
            key,
            0,
            target -> {
              ByteBuffer view = target.view(0, size);
              view.put(file, file.length - size, size);
              if (!right) {
                view.put(size - 32, (byte) (view.get(size - 32) ^ 1));
              }
            });
    List<Partition> partitions = List.of(new Partition(0, key, synthesizer));
    return new Job(number, "job" + number, "circom", 10, null, partitions, null);
  }

  private EngineSummary run(Backend backend, int jobs, int wrong) throws Exception {
    return run(backend, jobs, wrong, 2);
  }

  private EngineSummary run(Backend backend, int jobs, int wrong, int threads) throws Exception {
    try (ZkeyKey key = ZkeyKey.open(DATA.resolve("circuit.zkey"))) {
      Engine engine =
          new Engine(
              fixture.options().threads(threads).build(),
              List.of(backend),
              null,
              new PairingProofChecker(),
              fixture.sink,
              Timeline.NONE);
      for (int i = 0; i < jobs; i++) {
        engine.submit(job(i, key, i != wrong));
      }
      EngineSummary summary = engine.finishAndClose();
      assertEquals(List.of(), fixture.violations(engine));
      return summary;
    }
  }

  private static CpuBackend cpu() throws Exception {
    return CpuBackend.open(BackendOptions.cpu(2));
  }

  @Test
  void shouldProveAndVerifyManyAndRefuseTheWrongOne() throws Exception {
    EngineSummary summary = run(cpu(), 100, 42);
    assertEquals(99, summary.jobsProved());
    assertEquals(FailureClass.UNSATISFIED, fixture.failureOf("job42"));
    assertEquals(0, summary.devices().get(0).faults());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void shouldProveOnFewThreads(int threads) throws Exception {
    EngineSummary summary = run(cpu(), 30, -1, threads);
    assertEquals(30, summary.jobsProved());
  }

  /** Resident memory but for the Java heap, which has a limit of its own. */
  private static long residentOutsideTheHeap() throws IOException {
    System.gc();
    long pages = Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]);
    return pages * 4096 - Runtime.getRuntime().totalMemory();
  }

  @Test
  @Timeout(300)
  void shouldKeepMemoryFlatOverHundredsOfProofs() throws Exception {
    try (ZkeyKey key = ZkeyKey.open(DATA.resolve("circuit.zkey"))) {
      List<Long> resident = new ArrayList<>();
      Engine engine =
          new Engine(
              fixture.options().threads(2).build(),
              List.of(cpu()),
              null,
              new PairingProofChecker(),
              fixture.sink,
              Timeline.NONE);
      for (int i = 0; i < 400; i++) {
        engine.submit(job(i, key, true));
        if (i % 100 == 99) {
          while (fixture.accepted.size() <= i) {
            Thread.sleep(5);
          }
          resident.add(residentOutsideTheHeap());
        }
      }
      engine.finishAndClose();
      long grown = resident.get(3) - resident.get(0);
      assertTrue(grown < 48L << 20, "resident memory " + resident);
    }
  }

  @Test
  void shouldCatchAndRepairAFlippedBit() throws Exception {
    FaultRule rule = FaultRule.parse("0:prove:2:wrong-point");
    Backend faulty =
        new FaultInjectingBackend(cpu(), FaultInjectingBackend.Schedule.of(List.of(rule)));
    EngineSummary summary = run(faulty, 4, -1);
    assertEquals(4, summary.jobsProved());
    assertEquals(1, summary.devices().get(0).faults());
    assertTrue(fixture.accepted.stream().anyMatch(one -> one.times().attempts() > 1));
  }
}
