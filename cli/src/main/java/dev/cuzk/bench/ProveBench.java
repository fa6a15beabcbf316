package dev.cuzk.bench;

import dev.cuzk.circuit.BuiltInCircuit;
import dev.cuzk.circuit.Constraints;
import dev.cuzk.circuit.filecoin.FilecoinCircuit;
import dev.cuzk.circuit.filecoin.FilecoinCircuits;
import dev.cuzk.device.Backend;
import dev.cuzk.device.Backend.LoadedKey;
import dev.cuzk.device.Backend.ProofResult;
import dev.cuzk.device.Backend.StageTimes;
import dev.cuzk.device.DeviceException;
import dev.cuzk.device.DeviceStatus;
import dev.cuzk.device.Plan;
import dev.cuzk.device.Planner;
import dev.cuzk.device.Stage;
import dev.cuzk.format.InputException;
import dev.cuzk.format.LittleEndian;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.key.Query;
import dev.cuzk.key.QuotientForm;
import dev.cuzk.key.ZkeyKey;
import dev.cuzk.math.CurveId;
import dev.cuzk.proof.Proof;
import dev.cuzk.proof.Verdict;
import dev.cuzk.proof.Verifier;
import dev.cuzk.synthesis.Synthesizer;
import dev.cuzk.synthesis.UnsatisfiedException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.function.ToDoubleFunction;

/**
 * Whole proofs. Measured is {@code prove_seconds}: from an assignment lying ready in memory of the
 * device's liking to the proof's three points, with the key on the device.
 */
final class ProveBench {
  private static final int STREAMED_CHUNK_LOG2 = 22;

  private final BenchOptions options;
  private final Backend backend;
  private final BenchInputs inputs;
  private final ForkJoinPool pool;
  private final BenchListener listener;
  private final SecureRandom random = new SecureRandom();

  ProveBench(
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

  void measure(List<BenchCase> cases) throws InputException, UnsatisfiedException, DeviceException {
    if (options.key().isPresent()) {
      Path path = options.key().get();
      Synthesizer synthesizer = inputs.synthesizer(options.input().orElseThrow(), options.wasm());
      try (TimedKey key = new TimedKey(ZkeyKey.open(path), 0)) {
        requireFits(key.key, synthesizer);
        cases.add(measure(key, path.getFileName().toString(), Witness.of(synthesizer, pool)));
      }
      return;
    }
    for (String name : options.circuits()) {
      Optional<FilecoinCircuit> filecoin = FilecoinCircuits.byName(name);
      if (filecoin.isPresent()) {
        cases.add(measure(filecoin.get()));
        continue;
      }
      if (options.input().isPresent()) {
        throw new BenchUsageException(name + " makes its own witness: leave --input out");
      }
      for (CurveId curve : options.curves()) {
        BuiltInCircuit circuit = Witness.circuit(name, curve);
        try (TimedKey made = key(circuit, QuotientForm.ODD_COSET)) {
          cases.add(measure(made, name, Witness.of(circuit, pool)));
        }
      }
    }
  }

  private BenchCase measure(FilecoinCircuit circuit)
      throws InputException, UnsatisfiedException, DeviceException {
    String name = circuit.name();
    Path input =
        options
            .input()
            .orElseThrow(
                () ->
                    new BenchUsageException(
                        name + " needs --input FILE: a C1 output or vanilla proofs"));
    Synthesizer synthesizer = inputs.synthesizer(circuit, input);
    try (TimedKey made = key(circuit.matrices(), QuotientForm.MONOMIAL)) {
      requireFits(made.key, synthesizer);
      return measure(made, name, Witness.of(synthesizer, pool));
    }
  }

  /** A key and the seconds that it took to make its scalars; its points are made when loaded. */
  private record TimedKey(ProvingKey key, double seconds) implements AutoCloseable {
    @Override
    public void close() {
      key.close();
    }
  }

  private TimedKey key(Constraints circuit, QuotientForm form)
      throws InputException, DeviceException {
    listener.step("making a test key for " + circuit.name());
    long start = System.nanoTime();
    return new TimedKey(inputs.keyFor(circuit, form), seconds(start));
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private static void requireFits(ProvingKey key, Synthesizer synthesizer) throws InputException {
    if (synthesizer.curve() != key.curve()) {
      throw new InputException(
          key.path().toString(),
          "the input is over another curve (expected "
              + key.curve()
              + ", found "
              + synthesizer.curve()
              + ")");
    }
    long variables = synthesizer.variables();
    if (variables >= 0 && variables != key.variables()) {
      throw new InputException(
          key.path().toString(),
          "the input is of another circuit (expected "
              + key.variables()
              + " values, found "
              + variables
              + ")");
    }
  }

  private BenchCase measure(TimedKey made, String name, Witness witness)
      throws InputException, UnsatisfiedException, DeviceException {
    ProvingKey key = made.key;
    Plan plan = plan(key);
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("circuit", name);
    facts.put("domain", BenchSizes.print(1L << key.domainLog2()));
    facts.put("variables", key.variables());
    facts.put("points_a", key.count(Query.A));
    facts.put("points_b", key.count(Query.B2));
    facts.put("plan", plan.toString());
    facts.put("key_scalars_seconds", made.seconds);
    try (LoadedKey loaded = load(key, plan, name, facts)) {
      listener.step("making the witness of " + name);
      try (BenchWitness assignment = BenchWitness.make(backend, key, witness, facts)) {
        return measure(loaded, name, assignment, facts);
      }
    }
  }

  /** A key with tables is loaded without them first, so that the difference is the tables'. */
  private LoadedKey load(ProvingKey key, Plan plan, String name, Map<String, Object> facts)
      throws InputException, DeviceException {
    Plan bare = plan.withTables(0);
    boolean tables = plan.tableLevels() > 0;
    double without = 0;
    if (tables) {
      listener.step("loading the key of " + name + " without tables");
      long start = System.nanoTime();
      backend.load(key, bare).close();
      without = seconds(start);
    }
    listener.step("loading the key of " + name + " (" + plan + ")");
    long start = System.nanoTime();
    LoadedKey loaded = backend.load(key, plan);
    double with = seconds(start);
    facts.put("key_load_seconds", with);
    if (tables) {
      facts.put("table_seconds", Math.max(0, with - without));
      long bytes = backend.needs(key, plan).keyBytes() - backend.needs(key, bare).keyBytes();
      facts.put("table_bytes", bytes);
    }
    return loaded;
  }

  /** The fastest that fits into free memory; a streamed key where that is asked for. */
  private Plan plan(ProvingKey key) throws DeviceException {
    if (options.streamed()) {
      return new Plan(false, 1, 0, 0, STREAMED_CHUNK_LOG2);
    }
    Plan wish = Plan.RESIDENT.withTables(options.tables() ? Plan.MOST_TABLE_LEVELS : 0);
    if (backend.description().isCpu()) {
      return backend.choosePlan(key, Long.MAX_VALUE, wish).plan();
    }
    long memory = backend.description().memoryFree();
    Planner.Choice choice = backend.choosePlan(key, memory - memory / 32, wish);
    if (!choice.fits()) {
      long bytes = choice.needs().keyBytes() + choice.needs().proofBytes();
      throw new DeviceException(
          DeviceStatus.OUT_OF_DEVICE_MEMORY,
          bytes,
          "the smallest plan for this circuit takes "
              + bytes
              + " bytes of device memory, and "
              + memory
              + " are free. Use a GPU with more memory, or raise --gpu-memory");
    }
    return choice.plan();
  }

  private BenchCase measure(
      LoadedKey loaded, String name, BenchWitness witness, Map<String, Object> facts)
      throws UnsatisfiedException, DeviceException, InputException {
    ProvingKey key = loaded.source();
    String id = BenchRunner.caseId("prove", key.curve(), name);
    listener.step(id);
    for (int i = 0; i < options.warmup(); i++) {
      prove(loaded, witness);
    }
    double[] samples = new double[options.runs()];
    List<ProofResult> results = new ArrayList<>();
    for (int i = 0; i < samples.length; i++) {
      long start = System.nanoTime();
      results.add(prove(loaded, witness));
      samples[i] = (System.nanoTime() - start) / 1e6;
    }
    verify(key, name, witness, results.get(results.size() - 1).points().get(0));
    return caseOf(id, key, facts, samples, results);
  }

  /** A time of wrong proofs is worth nothing. */
  private static void verify(ProvingKey key, String name, BenchWitness witness, byte[] points)
      throws InputException, UnsatisfiedException {
    Proof proof = Proof.fromLittleEndian(key.curve(), points);
    Verdict verdict = Verifier.verify(key.verifyingKey(), proof, witness.publicInputs());
    if (!verdict.valid()) {
      throw new UnsatisfiedException(
          name
              + ": the measured proofs are not valid ("
              + verdict.reason()
              + "): the witness does not satisfy the circuit, or the device computes wrongly");
    }
  }

  private ProofResult prove(LoadedKey key, BenchWitness witness) throws DeviceException {
    BigInteger r = key.source().curve().scalarModulus();
    return backend.submit(key, List.of(witness.request(scalar(r), scalar(r)))).await();
  }

  private byte[] scalar(BigInteger r) {
    return LittleEndian.toBytes(
        new BigInteger(r.bitLength() + 64, random).mod(r), CurveId.SCALAR_BYTES);
  }

  private static BenchCase caseOf(
      String id,
      ProvingKey key,
      Map<String, Object> facts,
      double[] samples,
      List<ProofResult> results) {
    Map<String, Double> stages = new LinkedHashMap<>();
    for (Stage stage : Stage.values()) {
      double median = median(results, times -> times.ms()[stage.ordinal()]);
      if (median > 0) {
        stages.put(stage.stableName(), median);
      }
    }
    facts.put("device_ms", median(results, StageTimes::totalMs));
    facts.put("uploaded_bytes", results.get(0).times().uploadedBytes());
    facts.put("verified", true);
    facts.put(
        "peak_bytes",
        results.stream().mapToLong(result -> result.times().peakBytes()).max().orElse(0));
    HostMemory.peakBytes().ifPresent(bytes -> facts.put("host_peak_bytes", bytes));
    return new BenchCase(
        id,
        BenchKind.PROVE.printedName(),
        key.curve().printedName(),
        facts,
        samples,
        Statistics.of(samples),
        stages);
  }

  private static double median(List<ProofResult> results, ToDoubleFunction<StageTimes> figure) {
    return Statistics.of(
            results.stream().mapToDouble(result -> figure.applyAsDouble(result.times())).toArray())
        .median();
  }
}
