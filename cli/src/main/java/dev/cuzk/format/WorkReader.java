package dev.cuzk.format;

import dev.cuzk.format.Manifest.Ref;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Reads what a job of a manifest proves; one method a kind. */
final class WorkReader {
  private static final Set<String> COMMON = Set.of("name", "kind", "priority", "key");
  private static final long LARGEST_PARTITION = 1L << 20;

  private final ManifestReader.RefReader refs;

  WorkReader(ManifestReader.RefReader refs) {
    this.refs = refs;
  }

  Manifest.Work read(JsonValue job) throws InputException {
    String kind =
        job.require("kind").oneOf(Set.of("circom", "porep", "snap", "window-post", "winning-post"));
    return switch (kind) {
      case "circom" -> circom(job);
      case "porep" -> porep(job);
      case "snap" -> snap(job);
      case "window-post" -> windowPost(job);
      default -> winningPost(job);
    };
  }

  private static void allow(JsonValue job, String... own) throws InputException {
    Set<String> all = new HashSet<>(COMMON);
    all.addAll(List.of(own));
    job.object(all);
  }

  private Manifest.Circom circom(JsonValue job) throws InputException {
    allow(job, "witness", "program", "input", "system");
    Optional<JsonValue> witness = job.find("witness");
    Optional<JsonValue> program = job.find("program");
    Optional<JsonValue> system = job.find("system");
    if (witness.isPresent() && (program.isPresent() || job.find("input").isPresent())) {
      throw job.problem(
          "a job has a witness and a program", "a witness, or a program and its input", "both");
    }
    Optional<String> systemId =
        system.isEmpty() ? Optional.empty() : Optional.of(system.get().string());
    if (witness.isPresent()) {
      return new Manifest.Circom(
          Optional.of(refs.read(witness.get(), Set.of("wtns"))),
          Optional.empty(),
          Optional.empty(),
          systemId);
    }
    if (program.isEmpty() && job.find("input").isEmpty()) {
      throw job.problem(
          "a job has nothing to prove", "\"witness\", or \"program\" and \"input\"", "neither");
    }
    return new Manifest.Circom(
        Optional.empty(),
        Optional.of(job.require("program").string()),
        Optional.of(refs.read(job.require("input"), Set.of("circom-json"))),
        systemId);
  }

  private Manifest.Porep porep(JsonValue job) throws InputException {
    allow(job, "sector_size", "registered_proof", "miner_id", "sector_number", "input");
    Optional<JsonValue> miner = job.find("miner_id");
    return new Manifest.Porep(
        ManifestValues.sectorSize(job.require("sector_size")),
        ManifestValues.registeredProof(job.require("registered_proof")),
        miner.isEmpty()
            ? OptionalLong.empty()
            : OptionalLong.of(ManifestValues.minerId(miner.get())),
        job.require("sector_number").integer(0, Long.MAX_VALUE),
        refs.read(job.require("input"), Set.of("c1-envelope", "c1-json", "c1-bincode")));
  }

  private Manifest.Snap snap(JsonValue job) throws InputException {
    allow(
        job, "sector_size", "registered_proof", "comm_r_old", "comm_r_new", "comm_d_new", "inputs");
    return new Manifest.Snap(
        ManifestValues.sectorSize(job.require("sector_size")),
        ManifestValues.registeredProof(job.require("registered_proof")),
        ManifestValues.commitment(job.require("comm_r_old")),
        ManifestValues.commitment(job.require("comm_r_new")),
        ManifestValues.commitment(job.require("comm_d_new")),
        inputs(job, "partition-proof-bincode"));
  }

  private Manifest.WindowPost windowPost(JsonValue job) throws InputException {
    allow(
        job, "sector_size", "registered_proof", "randomness", "mode", "partition_index", "inputs");
    Optional<JsonValue> mode = job.find("mode");
    boolean single =
        mode.isPresent() && mode.get().oneOf(Set.of("chunk", "single")).equals("single");
    Optional<JsonValue> index = job.find("partition_index");
    if (!single && index.isPresent()) {
      throw index
          .get()
          .problem("a partition index needs mode single", "\"mode\":\"single\"", "mode chunk");
    }
    return new Manifest.WindowPost(
        ManifestValues.sectorSize(job.require("sector_size")),
        ManifestValues.registeredProof(job.require("registered_proof")),
        ManifestValues.randomness(job.require("randomness")),
        single
            ? OptionalLong.of(job.require("partition_index").integer(0, LARGEST_PARTITION))
            : OptionalLong.empty(),
        inputs(job, "post-sector-bincode"));
  }

  private Manifest.WinningPost winningPost(JsonValue job) throws InputException {
    allow(job, "sector_size", "registered_proof", "randomness", "inputs");
    List<Ref> inputs = inputs(job, "post-sector-bincode");
    if (inputs.size() != 1) {
      throw job.require("inputs").problem("a winning PoSt has one input", 1, inputs.size());
    }
    return new Manifest.WinningPost(
        ManifestValues.sectorSize(job.require("sector_size")),
        ManifestValues.registeredProof(job.require("registered_proof")),
        ManifestValues.randomness(job.require("randomness")),
        inputs.get(0));
  }

  /** Several references of one format, or a single {@code base64-array} that holds them all. */
  private List<Ref> inputs(JsonValue job, String format) throws InputException {
    JsonValue list = job.require("inputs");
    List<Ref> inputs = new ArrayList<>();
    for (JsonValue element : list.array()) {
      inputs.add(refs.read(element, Set.of(format, "base64-array")));
    }
    if (inputs.isEmpty()) {
      throw list.problem("a job has no inputs", "at least 1", 0);
    }
    if (inputs.size() > 1
        && inputs.stream().anyMatch(input -> input.format().equals("base64-array"))) {
      throw list.problem(
          "a base64-array holds all inputs", "one base64-array alone", inputs.size() + " inputs");
    }
    return inputs;
  }
}
