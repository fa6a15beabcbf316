package dev.cuzk.batch;

import dev.cuzk.format.Manifest;
import dev.cuzk.format.filecoin.FactText;
import dev.cuzk.format.filecoin.RegisteredProof;
import dev.cuzk.format.filecoin.RegisteredProof.Kind;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Facts by option name without dashes, as options and manifests have them. */
final class FilecoinFacts {
  /** Where parameters are; these say nothing about a job. */
  static final Set<String> OF_PARAMETERS = Set.of("param-cache", "trust-params");

  private static final Set<String> SECTOR = Set.of("sector-size", "registered-proof");

  private static final Map<String, Set<String>> OF_KIND =
      Map.of(
          "porep", Set.of("miner-id", "sector-number", "partition-index"),
          "snap", Set.of("comm-r-old", "comm-r-new", "comm-d-new", "partition-index"),
          "window-post", Set.of("randomness", "partition-index"),
          "winning-post", Set.of("randomness"));

  private FilecoinFacts() {}

  /** Refuses options that say nothing about a job of a kind. */
  static void requireOfKind(String kind, Map<String, String> facts) throws UsageException {
    for (String name : facts.keySet()) {
      if (!OF_PARAMETERS.contains(name)
          && !SECTOR.contains(name)
          && !OF_KIND.get(kind).contains(name)) {
        throw new UsageException(
            "--"
                + name
                + ": is no fact of a "
                + kind
                + " job"
                + (name.equals("partition-index") ? ", which has one partition" : "")
                + ". Leave the option out.");
      }
    }
  }

  /** What a manifest says of a job. */
  static Map<String, String> of(Manifest.Work work) {
    Map<String, String> facts = new LinkedHashMap<>();
    if (work instanceof Manifest.Porep porep) {
      sector(facts, porep.sectorSize(), porep.registeredProof());
      put(facts, "miner-id", porep.minerId());
      put(facts, "sector-number", OptionalLong.of(porep.sectorNumber()));
    } else if (work instanceof Manifest.Snap snap) {
      sector(facts, snap.sectorSize(), snap.registeredProof());
      facts.put("comm-r-old", snap.commROld());
      facts.put("comm-r-new", snap.commRNew());
      facts.put("comm-d-new", snap.commDNew());
    } else if (work instanceof Manifest.WindowPost post) {
      sector(facts, post.sectorSize(), post.registeredProof());
      facts.put("randomness", post.randomness());
      put(facts, "partition-index", post.partitionIndex());
    } else if (work instanceof Manifest.WinningPost post) {
      sector(facts, post.sectorSize(), post.registeredProof());
      facts.put("randomness", post.randomness());
    } else {
      throw new IllegalArgumentException(work.kind());
    }
    return facts;
  }

  private static void sector(Map<String, String> facts, long bytes, String proof) {
    facts.put("sector-size", Long.toString(bytes));
    facts.put("registered-proof", proof);
  }

  private static void put(Map<String, String> facts, String name, OptionalLong value) {
    if (value.isPresent()) {
      facts.put(name, Long.toString(value.getAsLong()));
    }
  }

  /** The manifest's form of complete facts. */
  static Manifest.Work work(String kind, Map<String, String> facts, List<Manifest.Ref> inputs) {
    long size = Long.parseLong(facts.get("sector-size"));
    String proof = facts.get("registered-proof");
    return switch (kind) {
      case "porep" ->
          new Manifest.Porep(
              size,
              proof,
              facts.containsKey("miner-id")
                  ? FactText.minerId(facts.get("miner-id"))
                  : OptionalLong.empty(),
              Long.parseLong(facts.get("sector-number")),
              inputs.get(0));
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
              size,
              proof,
              facts.get("randomness"),
              facts.containsKey("partition-index")
                  ? OptionalLong.of(Long.parseLong(facts.get("partition-index")))
                  : OptionalLong.empty(),
              inputs);
      case "winning-post" ->
          new Manifest.WinningPost(size, proof, facts.get("randomness"), inputs.get(0));
      default -> throw new IllegalArgumentException(kind);
    };
  }

  /**
   * A job's facts and those that options add. Options never override: one that says another thing
   * is refused, however either is written; so is a partition's index where the job has all.
   */
  static Map<String, String> joined(
      String kind, Map<String, String> job, Map<String, String> options, String file, String name)
      throws UsageException {
    requireOfKind(kind, options);
    Map<String, String> joined = new LinkedHashMap<>(job);
    for (Map.Entry<String, String> option : options.entrySet()) {
      String fact = option.getKey();
      if (OF_PARAMETERS.contains(fact)) {
        continue;
      }
      String known = job.get(fact);
      if (known == null && !fact.equals("partition-index")) {
        joined.put(fact, option.getValue());
      } else if (known == null || !isSame(kind, fact, known, option.getValue())) {
        throw new UsageException(
            "--"
                + fact
                + " "
                + option.getValue()
                + ": contradicts "
                + file
                + ", whose job \""
                + name
                + "\" has "
                + (known == null ? "all partitions" : known)
                + ". Leave the option out.");
      }
    }
    return joined;
  }

  private static boolean isSame(String kind, String fact, String known, String given) {
    Optional<Object> value = value(kind, fact, given);
    return value.isPresent() && value.equals(value(kind, fact, known));
  }

  /** What a text means; empty if it means nothing. */
  private static Optional<Object> value(String kind, String fact, String text) {
    return switch (fact) {
      case "registered-proof" -> RegisteredProof.parse(proofKind(kind), text).map(p -> p);
      case "miner-id" -> boxed(FactText.minerId(text));
      case "randomness" -> FactText.randomness(text).map(ByteBuffer::wrap);
      case "comm-r-old", "comm-r-new", "comm-d-new" ->
          FactText.commitment(text).map(ByteBuffer::wrap);
      // Numbers: the sector's size in bytes, its number, a partition's index.
      default -> number(text);
    };
  }

  private static Optional<Object> number(String text) {
    try {
      return Optional.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Optional<Object> boxed(OptionalLong number) {
    return number.isPresent() ? Optional.of(number.getAsLong()) : Optional.empty();
  }

  private static Kind proofKind(String kind) {
    return switch (kind) {
      case "porep" -> Kind.SEAL;
      case "snap" -> Kind.UPDATE;
      case "window-post" -> Kind.WINDOW_POST;
      default -> Kind.WINNING_POST;
    };
  }
}
