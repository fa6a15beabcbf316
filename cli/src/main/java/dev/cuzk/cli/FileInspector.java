package dev.cuzk.cli;

import dev.cuzk.format.Binfile;
import dev.cuzk.format.BinfileType;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.Progress;
import dev.cuzk.format.Sha256;
import dev.cuzk.format.WtnsFile;
import dev.cuzk.format.ZkeyContributions;
import dev.cuzk.format.ZkeyFile;
import dev.cuzk.key.KeyDigest;
import dev.cuzk.key.ZkeyKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Looks into files; checks as much of them as can be checked without the files they belong to. */
final class FileInspector {
  private static final String LINEAR =
      "all constraints are linear: the circuit multiplies nothing, so whoever sees the public"
          + " signals may be able to solve for the witness";

  private final boolean digest;

  FileInspector(boolean digest) {
    this.digest = digest;
  }

  /**
   * What was found.
   *
   * @param facts by name, {@code kind} first
   */
  record Finding(Map<String, Object> facts, List<String> warnings) {}

  /**
   * Looks into one file.
   *
   * @throws InputException if it is malformed, or of no known kind
   */
  Finding inspect(Path file) throws InputException {
    InputKind kind = InputKind.of(file);
    Finding finding = new Finding(new LinkedHashMap<>(), new ArrayList<>());
    finding.facts().put("kind", kind.description());
    finding.facts().put("bytes", size(file));
    switch (kind) {
      case PROVING_KEY -> provingKey(file, finding);
      case WITNESS -> witness(file, finding);
      case POWERS_OF_TAU -> sections(file, BinfileType.PTAU, finding);
      case UNKNOWN ->
          throw new InputException(
              file.toString(),
              "not a file that this program knows (key, witness, constraint system, container,"
                  + " proof, verifying key, public signals)");
      default -> {}
    }
    if (digest) {
      finding.facts().put("sha256", Sha256.of(FileRange.whole(file), Progress.NONE));
    }
    return finding;
  }

  private static long size(Path file) throws InputException {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new InputException(file.toString(), Errors.reason(e), e);
    }
  }

  private static void provingKey(Path path, Finding finding) throws InputException {
    FileRange range = FileRange.whole(path);
    Map<String, Object> facts = finding.facts();
    try (ZkeyFile file = ZkeyFile.open(range);
        ZkeyKey key = ZkeyKey.open(range, KeyDigest.forgetful())) {
      ZkeyFile.Header header = file.header();
      ZkeyFile.MatrixFacts matrix = file.checkEntries(Progress.NONE);
      facts.put("protocol", "groth16");
      facts.put("curve", header.curve().printedName());
      facts.put("constraints", matrix.constraints());
      facts.put("variables", header.variables());
      facts.put("public_inputs", header.publicInputs());
      facts.put("domain", 1L << header.domainLog2());
      facts.put("domain_log2", header.domainLog2());
      facts.put("matrix_entries", header.entries());
      contributions(file.contributions(), facts);
      if (!file.unknownSections().isEmpty()) {
        facts.put("unknown_sections", file.unknownSections());
      }
      finding.warnings().addAll(key.warnings());
      if (matrix.linear()) {
        finding.warnings().add(LINEAR);
      }
    }
  }

  private static void contributions(ZkeyContributions contributions, Map<String, Object> facts) {
    if (contributions == null) {
      return;
    }
    List<String> names = new ArrayList<>();
    for (ZkeyContributions.Contribution each : contributions.list()) {
      names.add(each.name().orElse("unnamed") + (each.beacon() ? " (beacon)" : ""));
    }
    facts.put("circuit_hash", contributions.circuitHash());
    facts.put("contribution_count", names.size());
    facts.put("contributions", names);
  }

  private static void witness(Path path, Finding finding) throws InputException {
    try (WtnsFile file = WtnsFile.open(FileRange.whole(path))) {
      finding.facts().put("curve", file.curve().printedName());
      finding.facts().put("values", file.variables());
      file.verifyUnchanged();
    }
  }

  private static void sections(Path path, BinfileType type, Finding finding) throws InputException {
    try (Binfile file = Binfile.open(FileRange.whole(path).open(), type)) {
      finding.facts().put("sections", file.sections().size());
    }
  }
}
