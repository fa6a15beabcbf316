package dev.cuzk.batch;

import dev.cuzk.circuit.filecoin.FilecoinCircuit;
import dev.cuzk.circuit.filecoin.FilecoinCircuits;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.Manifest;
import dev.cuzk.format.filecoin.FactText;
import dev.cuzk.key.ParameterCache;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Makes jobs of Filecoin's vanilla proofs, each with the key that it is proved under. */
final class FilecoinJobs {
  private final BatchOptions options;
  private final KeyTable keys;
  private final Consumer<String> warnings;

  FilecoinJobs(BatchOptions options, KeyTable keys, Consumer<String> warnings) {
    this.options = options;
    this.keys = keys;
    this.warnings = warnings;
  }

  /** Finds the key of a circuit. */
  @FunctionalInterface
  interface KeyFinder {
    KeyTable.Key find(String circuit) throws UsageException, InputException;
  }

  /**
   * A job.
   *
   * @param source what messages call the place that names it
   * @param facts by option name without dashes
   * @param kind null = by content
   * @param priority empty = the option's, or by kind
   */
  JobSpec job(
      String name,
      String source,
      List<Content> contents,
      Map<String, String> facts,
      String kind,
      OptionalInt priority,
      KeyFinder key)
      throws UsageException, InputException {
    FilecoinInputs.FilecoinJob job = new FilecoinInputs(facts, warnings).job(contents, kind);
    int byOption = options.priority() == null ? priority(job.kind()) : options.priority();
    return new JobSpec(
        name,
        source,
        job.kind(),
        priority.orElse(byOption),
        contents,
        null,
        key.find(job.statement().circuit()),
        null,
        job.partitions(),
        null,
        job.facts());
  }

  private static int priority(String kind) {
    return switch (kind) {
      case "winning-post" -> 40;
      case "window-post" -> 30;
      case "snap" -> 20;
      default -> InputReader.DEFAULT_PRIORITY;
    };
  }

  /** The key that {@code --key} names, or the network's for the circuit. */
  KeyTable.Key parameters(String circuit) throws InputException {
    KeyTable.Key opened =
        options.key() == null ? published(circuit) : own(FileRange.whole(options.key()), circuit);
    if (options.verifyingKey() != null) {
      JobSources.requireCarries(opened, FileRange.whole(options.verifyingKey()));
    }
    return opened;
  }

  /** The network's key for a circuit. */
  KeyTable.Key published(String circuit) throws InputException {
    String folder = options.facts().get("param-cache");
    ParameterCache cache =
        new ParameterCache(folder == null ? ParameterCache.DEFAULT_FOLDER : Path.of(folder));
    boolean trust = options.facts().containsKey("trust-params");
    return keys.open(FileRange.whole(cache.params(circuit)), circuit(circuit), false, trust);
  }

  /** A key of one's own: no digest is published for it. */
  KeyTable.Key own(FileRange file, String circuit) throws InputException {
    return keys.open(file, circuit(circuit), true, true);
  }

  private static FilecoinCircuit circuit(String name) {
    return FilecoinCircuits.byName(name).orElseThrow();
  }

  /** What a manifest says of a job, by option name without dashes. */
  static Map<String, String> facts(Manifest.Work work) {
    Map<String, String> facts = new LinkedHashMap<>();
    if (work instanceof Manifest.Porep porep) {
      common(facts, porep.sectorSize(), porep.registeredProof());
      put(facts, "miner-id", porep.minerId());
      facts.put("sector-number", Long.toString(porep.sectorNumber()));
    } else if (work instanceof Manifest.Snap snap) {
      common(facts, snap.sectorSize(), snap.registeredProof());
      facts.put("comm-r-old", snap.commROld());
      facts.put("comm-r-new", snap.commRNew());
      facts.put("comm-d-new", snap.commDNew());
    } else if (work instanceof Manifest.WindowPost window) {
      common(facts, window.sectorSize(), window.registeredProof());
      facts.put("randomness", window.randomness());
      put(facts, "partition-index", window.partitionIndex());
    } else if (work instanceof Manifest.WinningPost winning) {
      common(facts, winning.sectorSize(), winning.registeredProof());
      facts.put("randomness", winning.randomness());
    }
    return facts;
  }

  /**
   * The work of a job as a manifest has it.
   *
   * @param inputs references to its files, in order
   * @throws UsageException if a manifest needs a fact that nothing has said
   */
  static Manifest.Work work(JobSpec spec, List<Manifest.Ref> inputs) throws UsageException {
    Map<String, String> facts = spec.facts();
    long size = Long.parseLong(facts.get("sector-size"));
    String proof = facts.get("registered-proof");
    return switch (spec.kind()) {
      case "porep" -> {
        if (!facts.containsKey("sector-number")) {
          throw new UsageException(
              spec.source() + ": does not say everything. Give --sector-number.");
        }
        yield new Manifest.Porep(
            size,
            proof,
            number(facts, "miner-id"),
            Long.parseLong(facts.get("sector-number")),
            inputs.get(0));
      }
      case "snap" ->
          new Manifest.Snap(
              size,
              proof,
              facts.get("comm-r-old"),
              facts.get("comm-r-new"),
              facts.get("comm-d-new"),
              inputs);
      case "window-post" ->
          new Manifest.WindowPost(
              size, proof, facts.get("randomness"), number(facts, "partition-index"), inputs);
      default -> new Manifest.WinningPost(size, proof, facts.get("randomness"), inputs.get(0));
    };
  }

  private static OptionalLong number(Map<String, String> facts, String name) {
    if (!facts.containsKey(name)) {
      return OptionalLong.empty();
    }
    return name.equals("miner-id")
        ? FactText.minerId(facts.get(name))
        : OptionalLong.of(Long.parseLong(facts.get(name)));
  }

  private static void common(Map<String, String> facts, long sectorSize, String proof) {
    facts.put("sector-size", Long.toString(sectorSize));
    facts.put("registered-proof", proof);
  }

  private static void put(Map<String, String> facts, String name, OptionalLong value) {
    if (value.isPresent()) {
      facts.put(name, Long.toString(value.getAsLong()));
    }
  }
}
