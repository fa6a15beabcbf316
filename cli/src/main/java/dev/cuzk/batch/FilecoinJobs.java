package dev.cuzk.batch;

import dev.cuzk.circuit.filecoin.FilecoinCircuits;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.Manifest;
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
        null);
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
    return open(FileRange.whole(cache.params(circuit)), circuit, trust);
  }

  /** A key of one's own: no digest is published for it. */
  KeyTable.Key own(FileRange file, String circuit) throws InputException {
    return open(file, circuit, true);
  }

  private KeyTable.Key open(FileRange file, String circuit, boolean trust) throws InputException {
    return keys.open(file, FilecoinCircuits.byName(circuit).orElseThrow(), trust);
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
