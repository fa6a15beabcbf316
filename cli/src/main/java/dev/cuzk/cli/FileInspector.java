package dev.cuzk.cli;

import dev.cuzk.batch.Failures;
import dev.cuzk.format.Binfile;
import dev.cuzk.format.BinfileType;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputContainer;
import dev.cuzk.format.InputException;
import dev.cuzk.format.Manifest;
import dev.cuzk.format.Progress;
import dev.cuzk.format.R1csFile;
import dev.cuzk.format.Sha256;
import dev.cuzk.format.WtnsFile;
import dev.cuzk.format.ZkeyContributions;
import dev.cuzk.format.ZkeyFile;
import dev.cuzk.key.KeyDigest;
import dev.cuzk.key.ZkeyKey;
import dev.cuzk.math.CurveId;
import dev.cuzk.proof.SnarkjsDocument;
import dev.cuzk.proof.VerifyingKey;
import dev.cuzk.proof.VerifyingKeyCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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
      case CONSTRAINTS -> constraints(file, finding);
      case CONTAINER, MANIFEST -> jobs(file, finding);
      case PROOF, PUBLIC_SIGNALS, VERIFYING_KEY -> snarkjs(file, finding);
      case PARAMS,
          BELLMAN_VERIFYING_KEY,
          PROOF_BYTES,
          C1,
          POST_SECTOR,
          UPDATE_PARTITION,
          VANILLA_ARRAY ->
          FilecoinInspector.inspect(kind, file, finding);
      case UNKNOWN ->
          throw new InputException(
              file.toString(),
              "not a file that this program knows (key, witness, constraint system, container,"
                  + " proof, verifying key, public signals, Filecoin's vanilla proofs)");
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
      throw new InputException(file.toString(), Failures.describe(e), e);
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

  private static void constraints(Path path, Finding finding) throws InputException {
    try (R1csFile file = R1csFile.open(FileRange.whole(path))) {
      R1csFile.Header header = file.header();
      Map<String, Object> facts = finding.facts();
      facts.put("curve", header.curve().printedName());
      facts.put("constraints", header.constraints());
      facts.put("variables", header.wires());
      facts.put("public_outputs", header.publicOutputs());
      facts.put("public_inputs", header.publicInputs());
      facts.put("private_inputs", header.privateInputs());
      LinearityCheck check = new LinearityCheck();
      file.forEach(check);
      if (check.isLinear()) {
        finding.warnings().add(LINEAR);
      }
    }
  }

  /** Whether no constraint multiplies two variables. */
  private static final class LinearityCheck implements R1csFile.Visitor {
    private boolean left;
    private boolean right;
    private boolean linear = true;

    @Override
    public void term(int matrix, long row, long wire, long v0, long v1, long v2, long v3) {
      left |= matrix == 0 && wire != 0;
      right |= matrix == 1 && wire != 0;
    }

    @Override
    public void endOfConstraint(long row) {
      linear &= !(left && right);
      left = false;
      right = false;
    }

    boolean isLinear() {
      return linear;
    }
  }

  private static void jobs(Path path, Finding finding) throws InputException {
    Manifest manifest = InputContainer.open(path, true, false).manifest();
    Map<String, Object> facts = finding.facts();
    List<String> keys = new ArrayList<>();
    for (Manifest.Key key : manifest.keys()) {
      keys.add(key.id() + " (" + key.curve().printedName() + ")");
    }
    TreeMap<String, Integer> kinds = new TreeMap<>();
    for (Manifest.Job job : manifest.jobs()) {
      kinds.merge(job.work().kind(), 1, Integer::sum);
    }
    facts.put("jobs", manifest.jobs().size());
    kinds.forEach((kind, count) -> facts.put(kind + "_jobs", count));
    facts.put("keys", keys);
    facts.put("programs", manifest.programs().size());
    facts.put("constraint_systems", manifest.systems().size());
  }

  private static void snarkjs(Path path, Finding finding) throws InputException {
    SnarkjsDocument document = SnarkjsDocument.read(path);
    Map<String, Object> facts = finding.facts();
    switch (document.kind()) {
      case PROOF -> {
        CurveId curve = document.curve().orElse(CurveId.BN254);
        document.proof(curve);
        facts.put("curve", curve.printedName());
      }
      case PUBLIC_SIGNALS ->
          // Names no curve; the larger of the two bounds is certain.
          facts.put("signals", document.publicSignals(CurveId.BLS12_381).size());
      case VERIFYING_KEY -> {
        VerifyingKey key = document.verifyingKey();
        facts.put("curve", key.curve().printedName());
        facts.put("public_inputs", key.publicInputs());
        for (VerifyingKeyCheck.Finding each : VerifyingKeyCheck.check(key, null)) {
          if (each.fatal()) {
            throw new InputException(path.toString(), each.message());
          }
          finding.warnings().add(each.message());
        }
      }
    }
  }

  private static void sections(Path path, BinfileType type, Finding finding) throws InputException {
    try (Binfile file = Binfile.open(FileRange.whole(path).open(), type)) {
      finding.facts().put("sections", file.sections().size());
    }
  }
}
