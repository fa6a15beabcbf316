package dev.cuzk.bench;

import dev.cuzk.circuit.BuiltInCircuit;
import dev.cuzk.device.Backend;
import dev.cuzk.device.Backend.LoadedKey;
import dev.cuzk.device.Backend.ProofRequest;
import dev.cuzk.device.Backend.ProofResult;
import dev.cuzk.device.DeviceException;
import dev.cuzk.device.DeviceStatus;
import dev.cuzk.device.Plan;
import dev.cuzk.device.Planner;
import dev.cuzk.device.Stage;
import dev.cuzk.format.InputException;
import dev.cuzk.format.LittleEndian;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.key.ZkeyKey;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
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
import java.util.concurrent.ForkJoinPool;

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
      try (ProvingKey key = ZkeyKey.open(path)) {
        requireFits(key, synthesizer);
        cases.add(measure(key, path.getFileName().toString(), Witness.of(synthesizer)));
      }
      return;
    }
    for (String name : options.circuits()) {
      for (CurveId curve : options.curves()) {
        BuiltInCircuit circuit = Witness.circuit(name, curve);
        listener.step("making a test key for " + name + " over " + curve);
        try (ProvingKey key = inputs.keyFor(circuit)) {
          cases.add(measure(key, name, Witness.of(circuit, pool)));
        }
      }
    }
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

  private BenchCase measure(ProvingKey key, String name, Witness witness)
      throws InputException, UnsatisfiedException, DeviceException {
    String id = BenchRunner.caseId("prove", key.curve(), name);
    Plan plan = plan(key);
    listener.step("loading the key of " + name + " (" + plan + ")");
    try (LoadedKey loaded = backend.load(key, plan);
        Buffer buffer = backend.allocatePinned(key.variables() * CurveId.SCALAR_BYTES)) {
      try {
        witness.write(buffer);
        return measure(id, loaded, name, buffer);
      } finally {
        buffer.zero();
      }
    }
  }

  /** The fastest that fits into free memory; a streamed key where that is asked for. */
  private Plan plan(ProvingKey key) throws DeviceException {
    if (options.streamed()) {
      return new Plan(false, 1, 0, 0, STREAMED_CHUNK_LOG2);
    }
    if (backend.description().isCpu()) {
      return Plan.RESIDENT;
    }
    long memory = backend.description().memoryFree();
    Planner.Choice choice = backend.choosePlan(key, memory - memory / 32, Plan.RESIDENT);
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

  private BenchCase measure(String id, LoadedKey loaded, String name, Buffer witness)
      throws InputException, UnsatisfiedException, DeviceException {
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
    ProvingKey key = loaded.source();
    verify(key, name, witness, results.get(results.size() - 1).points().get(0));
    return caseOf(id, key, name, samples, results);
  }

  /** A time of wrong proofs is worth nothing. */
  private static void verify(ProvingKey key, String name, Buffer witness, byte[] points)
      throws InputException, UnsatisfiedException {
    List<BigInteger> publicInputs = new ArrayList<>();
    byte[] value = new byte[CurveId.SCALAR_BYTES];
    for (int i = 1; i <= key.publicInputs(); i++) {
      witness.view((long) i * value.length, value.length).get(value);
      publicInputs.add(LittleEndian.toInteger(value, 0, value.length));
    }
    Proof proof = Proof.fromLittleEndian(key.curve(), points);
    Verdict verdict = Verifier.verify(key.verifyingKey(), proof, publicInputs);
    if (!verdict.valid()) {
      throw new UnsatisfiedException(
          name
              + ": the measured proofs are not valid ("
              + verdict.reason()
              + "): the witness does not satisfy the circuit, or the device computes wrongly");
    }
  }

  private ProofResult prove(LoadedKey key, Buffer witness) throws DeviceException {
    BigInteger r = key.source().curve().scalarModulus();
    return backend.submit(key, List.of(new ProofRequest(witness, scalar(r), scalar(r)))).await();
  }

  private byte[] scalar(BigInteger r) {
    return LittleEndian.toBytes(
        new BigInteger(r.bitLength() + 64, random).mod(r), CurveId.SCALAR_BYTES);
  }

  private static BenchCase caseOf(
      String id, ProvingKey key, String name, double[] samples, List<ProofResult> results) {
    Map<String, Double> stages = new LinkedHashMap<>();
    for (Stage stage : Stage.values()) {
      double[] times =
          results.stream().mapToDouble(result -> result.times().ms()[stage.ordinal()]).toArray();
      double median = Statistics.of(times).median();
      if (median > 0) {
        stages.put(stage.stableName(), median);
      }
    }
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("circuit", name);
    facts.put("domain", BenchSizes.print(1L << key.domainLog2()));
    facts.put("variables", key.variables());
    facts.put("verified", true);
    facts.put(
        "peak_bytes",
        results.stream().mapToLong(result -> result.times().peakBytes()).max().orElse(0));
    return new BenchCase(
        id,
        BenchKind.PROVE.printedName(),
        key.curve().printedName(),
        facts,
        samples,
        Statistics.of(samples),
        stages);
  }
}
