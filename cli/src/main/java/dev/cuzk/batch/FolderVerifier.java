package dev.cuzk.batch;

import dev.cuzk.engine.FailureClass;
import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.proof.BatchVerifier;
import dev.cuzk.proof.PreparedVerifyingKey;
import dev.cuzk.proof.Proof;
import dev.cuzk.proof.ProofBytes;
import dev.cuzk.proof.SnarkjsDocument;
import dev.cuzk.proof.Verdict;
import dev.cuzk.proof.VerifyingKey;
import dev.cuzk.proof.VerifyingKeyCheck;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;

/**
 * Verifies all proofs of an output folder with the verifying keys in its {@code keys/}. Which key a
 * proof belongs to is taken from the journal; without an entry there, every key of its curve and
 * number of public signals is tried.
 */
public final class FolderVerifier {
  private static final int GROUP = 128;
  private static final int INVALID = 1;
  private static final String JSON_ENDING = ".json";

  private final Path folder;
  private final boolean strict;
  private final ForkJoinPool pool;
  private final Consumer<String> warnings;
  private final Map<String, Key> keys = new LinkedHashMap<>();
  private final List<Finding> findings = new ArrayList<>();
  private Map<String, List<JournalLine>> journal = Map.of();
  private long valid;

  private record Key(String sha256, VerifyingKey key, PreparedVerifyingKey prepared) {}

  private record Candidate(String name, Path file, Proof proof, List<BigInteger> publicSignals) {}

  /**
   * A proof that is not valid, or could not be checked.
   *
   * @param exitClass 1 not valid, 3 malformed
   */
  public record Finding(String name, int exitClass, String message) {}

  /**
   * What became of a folder.
   *
   * @param proofs all that were found
   * @param findings those that are not valid; by name
   */
  public record Result(long proofs, long valid, List<Finding> findings) {
    public Result {
      findings = List.copyOf(findings);
    }

    /** 0, 1 if one is not valid, 3 if one is malformed. */
    public int exitCode() {
      if (findings.stream().anyMatch(finding -> finding.exitClass() == INVALID)) {
        return INVALID;
      }
      return findings.isEmpty() ? 0 : FailureClass.INPUT.exitCode();
    }
  }

  /**
   * @param folder an output folder
   * @param strict keys that deserve a warning are refused
   * @param pool shares the work; null = the calling thread alone
   */
  public FolderVerifier(Path folder, boolean strict, ForkJoinPool pool, Consumer<String> warnings) {
    this.folder = folder;
    this.strict = strict;
    this.pool = pool;
    this.warnings = warnings;
  }

  /**
   * Verifies everything.
   *
   * @throws InputException if it is no output folder, has no proofs, or a key in it is malformed
   */
  public Result verify() throws InputException {
    Path proofs = folder.resolve(OutputFolder.PROOFS);
    List<Path> files = list(proofs, ProofFiles.PROOF_ENDING);
    List<Path> filecoin = new ArrayList<>();
    for (ProofBytes.Encoding encoding : ProofBytes.Encoding.values()) {
      filecoin.addAll(list(proofs, ProofFiles.FILECOIN_ENDING + encoding.ending()));
    }
    if (files.isEmpty() && filecoin.isEmpty()) {
      throw new InputException(
          folder.toString(),
          Files.isDirectory(folder.resolve(OutputFolder.SHARDS))
              ? "has no proofs of its own, only shards. Join them with cuzk merge, or verify one:"
                  + " shards/I-of-N."
              : "has no proofs (expected proofs/NAME.proof.json or NAME.proof).");
    }
    readKeys();
    journal = Journal.load(folder.resolve(Journal.FILE)).linesByName();
    Map<Key, List<Candidate>> groups = new LinkedHashMap<>();
    for (Path file : files) {
      String fileName = file.getFileName().toString();
      String name = fileName.substring(0, fileName.length() - ProofFiles.PROOF_ENDING.length());
      try {
        take(name, file, groups);
      } catch (InputException e) {
        findings.add(new Finding(name, FailureClass.INPUT.exitCode(), e.getMessage()));
      }
    }
    groups.forEach(this::verifyGroup);
    for (Path file : filecoin) {
      String fileName = file.getFileName().toString();
      String name = fileName.substring(0, fileName.lastIndexOf(ProofFiles.FILECOIN_ENDING));
      try {
        verifyPartitions(name, file);
      } catch (InputException e) {
        findings.add(new Finding(name, FailureClass.INPUT.exitCode(), e.getMessage()));
      }
    }
    findings.sort(Comparator.comparing(Finding::name));
    return new Result(files.size() + filecoin.size(), valid, findings);
  }

  private void take(String name, Path file, Map<Key, List<Candidate>> groups)
      throws InputException {
    SnarkjsDocument proof = SnarkjsDocument.read(file);
    Path publicFile = file.resolveSibling(name + ProofFiles.PUBLIC_ENDING);
    SnarkjsDocument signals = SnarkjsDocument.read(publicFile);
    List<Key> candidates = candidates(name, file, proof.curve());
    InputException failure = null;
    Key fitting = null;
    Candidate candidate = null;
    for (Key key : candidates) {
      CurveId curve = key.key().curve();
      try {
        candidate = new Candidate(name, file, proof.proof(curve), signals.publicSignals(curve));
      } catch (InputException e) {
        failure = e;
        continue;
      }
      if (candidate.publicSignals().size() != key.key().publicInputs()) {
        failure =
            InputException.at(
                publicFile.toString(),
                "has another number of public signals than the key",
                "keys/" + key.sha256() + JSON_ENDING,
                key.key().publicInputs(),
                candidate.publicSignals().size());
        continue;
      }
      fitting = key;
      if (candidates.size() == 1 || isValid(key, candidate)) {
        break;
      }
    }
    if (fitting == null) {
      throw failure;
    }
    List<Candidate> group = groups.computeIfAbsent(fitting, key -> new ArrayList<>());
    group.add(candidate);
    if (group.size() == GROUP) {
      verifyGroup(fitting, group);
      group.clear();
    }
  }

  /** Verifies the proofs of all partitions of a Filecoin job. */
  private void verifyPartitions(String name, Path file) throws InputException {
    Path publicFile = file.resolveSibling(name + ProofFiles.PUBLIC_ENDING);
    List<Proof> proofs = ProofBytes.decode(file.toString(), read(file));
    List<List<BigInteger>> inputs =
        SnarkjsDocument.read(publicFile)
            .publicSignalsOfPartitions(CurveId.BLS12_381, proofs.size(), file);
    List<Verdict> verdicts = null;
    for (Key key : candidates(name, file, Optional.of(CurveId.BLS12_381))) {
      if (inputs.get(0).size() == key.key().publicInputs()) {
        verdicts = new BatchVerifier(key.prepared(), pool).verify(proofs, inputs);
        if (verdicts.stream().allMatch(Verdict::valid)) {
          valid++;
          return;
        }
      }
    }
    if (verdicts == null) {
      throw new InputException(
          publicFile.toString(), "has another number of public inputs than the keys in keys/");
    }
    for (int i = 0; i < verdicts.size(); i++) {
      Verdict verdict = verdicts.get(i);
      if (!verdict.valid()) {
        findings.add(
            new Finding(
                name,
                verdict.malformed() ? FailureClass.INPUT.exitCode() : INVALID,
                file + ": partition " + i + ": " + verdict.reason()));
        return;
      }
    }
  }

  private static byte[] read(Path file) throws InputException {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw Digests.unreadable(file, e);
    }
  }

  private boolean isValid(Key key, Candidate candidate) {
    return new BatchVerifier(key.prepared(), pool)
        .verify(List.of(candidate.proof()), List.of(candidate.publicSignals()))
        .get(0)
        .valid();
  }

  private List<Key> candidates(String name, Path file, Optional<CurveId> curve)
      throws InputException {
    List<JournalLine> lines = journal.get(name);
    if (lines != null) {
      String sha256 = lines.get(0).source().verifyingKey();
      Key key = keys.get(sha256);
      if (key == null) {
        throw new InputException(
            file.toString(),
            "its verifying key is missing (expected keys/" + sha256 + JSON_ENDING + ").");
      }
      return List.of(key);
    }
    List<Key> fitting =
        keys.values().stream()
            .filter(key -> curve.isEmpty() || key.key().curve() == curve.get())
            .toList();
    if (fitting.isEmpty()) {
      throw new InputException(
          file.toString(), "keys/ has no verifying key of its curve. Put it there.");
    }
    return fitting;
  }

  private void verifyGroup(Key key, List<Candidate> group) {
    if (group.isEmpty()) {
      return;
    }
    List<Verdict> verdicts =
        new BatchVerifier(key.prepared(), pool)
            .verify(
                group.stream().map(Candidate::proof).toList(),
                group.stream().map(Candidate::publicSignals).toList());
    for (int i = 0; i < verdicts.size(); i++) {
      Verdict verdict = verdicts.get(i);
      if (verdict.valid()) {
        valid++;
      } else {
        findings.add(
            new Finding(
                group.get(i).name(),
                verdict.malformed() ? FailureClass.INPUT.exitCode() : INVALID,
                group.get(i).file() + ": " + verdict.reason()));
      }
    }
  }

  private void readKeys() throws InputException {
    for (Path file : list(folder.resolve(OutputFolder.KEYS), JSON_ENDING)) {
      byte[] content = read(file);
      String sha256 = Digests.of(content);
      if (!file.getFileName().toString().equals(sha256 + JSON_ENDING)) {
        throw new InputException(
            file.toString(),
            "is not the key that its name says (sha256, expected "
                + file.getFileName().toString().replace(JSON_ENDING, "")
                + ", found "
                + sha256
                + ").");
      }
      VerifyingKey key = SnarkjsDocument.parse(file.toString(), content).verifyingKey();
      for (VerifyingKeyCheck.Finding finding : VerifyingKeyCheck.check(key, pool)) {
        if (finding.fatal() || strict) {
          throw new InputException(file.toString(), finding.message());
        }
        warnings.accept(file + ": " + finding.message());
      }
      keys.put(sha256, new Key(sha256, key, PreparedVerifyingKey.of(key)));
    }
  }

  private static List<Path> list(Path folder, String ending) throws InputException {
    List<Path> files = new ArrayList<>();
    if (!Files.isDirectory(folder)) {
      return files;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        if (!name.startsWith(".") && name.endsWith(ending)) {
          files.add(entry);
        }
      }
    } catch (IOException e) {
      throw Digests.unreadable(folder, e);
    }
    files.sort(Comparator.naturalOrder());
    return files;
  }
}
