package dev.cuzk.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cuzk.circuit.CircuitTesting;
import dev.cuzk.circuit.Constraints;
import dev.cuzk.circuit.filecoin.FilecoinCircuit;
import dev.cuzk.device.Backend;
import dev.cuzk.format.InputException;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.key.QuotientForm;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.memory.PlainBuffer;
import dev.cuzk.synthesis.Synthesizer;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchRunnerTest {
  @TempDir Path folder;

  private final List<String> calls = new ArrayList<>();

  /** A device that knows benchmarks' primitives only and tells the times it is given. */
  private Backend device(double... times) {
    int[] next = {0};
    return (Backend)
        Proxy.newProxyInstance(
            Backend.class.getClassLoader(),
            new Class<?>[] {Backend.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "description" ->
                      new Backend.DeviceDescription(
                          -1, "a processor", "", "", "portable", 0, 0, 2, 8, 4, "build 7");
                  case "allocatePinned" -> PlainBuffer.allocate((long) arguments[0]);
                  case "fixedBase" -> {
                    calls.add("fixedBase " + arguments[4]);
                    yield null;
                  }
                  case "msm" -> {
                    calls.add("msm " + arguments[0] + " " + arguments[1] + " " + arguments[4]);
                    yield new Backend.Timed<>(new byte[64], times[next[0]++ % times.length]);
                  }
                  case "ntt" -> {
                    assertEquals(QuotientForm.ODD_COSET, arguments[1]);
                    Buffer values = (Buffer) arguments[5];
                    assertEquals(32L << (int) arguments[3], values.byteSize());
                    calls.add("ntt " + arguments[0] + " " + arguments[3]);
                    yield new Backend.Timed<Void>(null, times[next[0]++ % times.length]);
                  }
                  default -> throw new AssertionError(method.getName());
                });
  }

  private static final BenchInputs NO_INPUTS =
      new BenchInputs() {
        @Override
        public ProvingKey keyFor(Constraints circuit, QuotientForm form) {
          throw new AssertionError("no key was asked for");
        }

        @Override
        public Synthesizer synthesizer(FilecoinCircuit circuit, Path input) {
          throw new AssertionError("no witness was asked for");
        }

        @Override
        public Synthesizer synthesizer(Path input, Optional<Path> wasm) {
          throw new AssertionError("no witness was asked for");
        }
      };

  private static BenchOptions options(
      BenchKind kind, List<Long> sizes, int warmup, int runs, Path compare, double limit) {
    return new BenchOptions(
        kind,
        List.of(CurveId.BN254, CurveId.BLS12_381),
        List.of(BenchOptions.Group.G1, BenchOptions.Group.G2),
        sizes,
        kind == BenchKind.SYNTH ? List.of("bits-8") : List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false,
        false,
        warmup,
        runs,
        Optional.ofNullable(compare),
        compare == null ? OptionalDouble.empty() : OptionalDouble.of(limit));
  }

  private BenchResult run(BenchOptions options, double... times) throws Exception {
    return BenchRunner.run(
        options, device(times), NO_INPUTS, CircuitTesting.POOL, BenchListener.NONE);
  }

  @Test
  void shouldMeasureTheEngineAndItsLocks() throws Exception {
    BenchResult result = run(options(BenchKind.ENGINE, List.of(), 0, 1, null, 0), 1);
    assertEquals(3, result.cases().size());
    for (BenchCase entry : result.cases()) {
      assertTrue(entry.statistics().median() > 0);
      assertTrue(entry.facts().get("locks").toString().contains("dispatcher"));
    }
    List<String> lines = BenchTable.lines(result);
    assertTrue(lines.stream().anyMatch(line -> line.contains("finalizer: ")), lines.toString());
  }

  @Test
  void shouldMeasureEveryCaseAfterItsWarmUp() throws Exception {
    BenchResult result = run(options(BenchKind.MSM, List.of(8L, 16L), 1, 3, null, 0), 1, 2, 3, 9);
    assertEquals(
        List.of(
            "msm/bn254/g1/8",
            "msm/bn254/g1/16",
            "msm/bn254/g2/8",
            "msm/bn254/g2/16",
            "msm/bls12-381/g1/8",
            "msm/bls12-381/g1/16",
            "msm/bls12-381/g2/8",
            "msm/bls12-381/g2/16"),
        result.cases().stream().map(BenchCase::id).toList());
    // The first of four times is the warm-up's.
    assertEquals(new Statistics(3, 2, 9, 1, 1), result.cases().get(0).statistics());
    assertEquals(4, calls.stream().filter("fixedBase 16"::equals).count());
    assertEquals(4, calls.stream().filter("msm bn254 true 8"::equals).count());
    assertEquals("build 7", result.environment().get("build"));
    assertEquals("cpu", result.environment().get("device"));
  }

  @Test
  void shouldTransformWholePowersOfTwo() throws Exception {
    BenchResult result = run(options(BenchKind.NTT, List.of(1024L), 0, 2, null, 0), 5);
    assertEquals("ntt/bn254/2^10", result.cases().get(0).id());
    assertEquals(List.of("ntt bn254 10", "ntt bn254 10"), calls.subList(0, 2));
  }

  @Test
  void shouldTimeWitnesses() throws Exception {
    BenchResult result = run(options(BenchKind.SYNTH, List.of(), 0, 2, null, 0), 1);
    assertEquals("synth/bn254/bits-8", result.cases().get(0).id());
    assertTrue(result.cases().get(0).statistics().median() > 0);
    assertEquals(249L, result.cases().get(0).facts().get("variables"));
  }

  @Test
  void shouldCompareWithAnEarlierExport() throws Exception {
    BenchOptions first = options(BenchKind.NTT, List.of(64L, 128L), 0, 2, null, 0);
    Path export = folder.resolve("before.json");
    Files.writeString(export, BenchExport.toJson(run(first, 10)));

    BenchOptions second = options(BenchKind.NTT, List.of(128L, 256L), 0, 1, export, 15);
    BenchResult slower = run(second, 12);
    assertEquals(2, slower.comparisons().size());
    assertEquals("ntt/bn254/128", slower.comparisons().get(0).id());
    assertEquals(20, slower.comparisons().get(0).changePercent(), 1e-9);
    assertTrue(slower.failed());
    assertTrue(
        BenchTable.lines(slower)
            .contains(
                "ntt/bn254/128: 10.00 ms before, 12.00 ms now, +20.0 %, slower than allowed"));

    assertFalse(run(second, 11.4).failed());
    assertFalse(run(second, 1).failed());
  }

  @Test
  void shouldExportWhatIsNeededToJudgeAFigure() throws Exception {
    String json =
        BenchExport.toJson(run(options(BenchKind.NTT, List.of(64L), 4, 3, null, 0), 1.5, 2.5));
    JsonNode root = new ObjectMapper().readTree(json);
    assertEquals(1, root.path("schema").asInt());
    assertEquals(4, root.path("settings").path("warmup").asInt());
    for (String fact : List.of("cpu", "threads", "java", "device_name", "arithmetic", "build")) {
      assertFalse(root.path("environment").path(fact).isMissingNode(), fact);
    }
    JsonNode entry = root.path("cases").get(0);
    assertEquals(3, entry.path("samplesMs").size());
    assertEquals(1.5, entry.path("statistics").path("median").asDouble());
    assertEquals(64, entry.path("facts").path("size").asInt());
  }

  @Test
  void shouldRefuseAnExportOfSomethingElseBeforeMeasuring() throws Exception {
    for (String text :
        List.of(
            "",
            "{",
            "[]",
            "{\"schema\":2,\"cases\":[]}",
            "{\"schema\":1}",
            "{\"schema\":1,\"cases\":[{\"id\":\"x\"}]}")) {
      Path file = folder.resolve("other.json");
      Files.writeString(file, text);
      BenchOptions options = options(BenchKind.NTT, List.of(64L), 0, 1, file, 1);
      InputException refused = assertThrows(InputException.class, () -> run(options, 1), text);
      assertTrue(refused.getMessage().startsWith(file.toString()), refused.getMessage());
      assertEquals(List.of(), calls);
    }
    BenchOptions missing =
        options(BenchKind.NTT, List.of(64L), 0, 1, folder.resolve("none.json"), 1);
    assertThrows(InputException.class, () -> run(missing, 1));
  }

  @Test
  void shouldRefuseUnknownCircuits() {
    BenchUsageException refused =
        assertThrows(BenchUsageException.class, () -> Witness.circuit("chain-99", CurveId.BN254));
    assertTrue(refused.getMessage().contains("chain-4 … chain-27"), refused.getMessage());
  }

  private ByteBuffer uniform(long seed) throws Exception {
    return Uniform.scalars(device(), CurveId.BLS12_381, 100, seed).view(0, 3200);
  }

  @Test
  void shouldUseTheSameUniformScalarsInEveryRun() throws Exception {
    ByteBuffer first = uniform(1);
    assertEquals(first, uniform(1));
    assertNotEquals(first, uniform(2));
    long top = CurveId.BLS12_381.scalarModulus().shiftRight(192).longValue();
    for (int i = 0; i < 100; i++) {
      assertTrue(Long.compareUnsigned(first.getLong(32 * i + 24), top) < 0);
    }
  }
}
