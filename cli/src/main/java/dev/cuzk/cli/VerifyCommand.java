package dev.cuzk.cli;

import dev.cuzk.batch.FolderVerifier;
import dev.cuzk.format.InputException;
import dev.cuzk.proof.PreparedVerifyingKey;
import dev.cuzk.proof.Proof;
import dev.cuzk.proof.SnarkjsDocument;
import dev.cuzk.proof.Verdict;
import dev.cuzk.proof.Verifier;
import dev.cuzk.proof.VerifyingKey;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cuzk verify}: one proof, or all of a run. */
@Command(
    name = "verify",
    header = "Verifies one proof, or all proofs of a run.",
    description = {
      "Give a verifying key, a proof and its public signals, told by content, or the output folder"
          + " of a run, which holds all of them. Exit code 1 if a proof is not valid, 3 if a file"
          + " is malformed or a public signal lies outside [0, r)."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk verify --vk verification_key.json proof.json public.json",
      "  cuzk verify verification_key.json public.json proof.json",
      "  cuzk verify --input c1.json --miner-id 1001 sector.proof",
      "  cuzk verify run"
    })
final class VerifyCommand extends BaseCommand {
  @Option(
      names = "--vk",
      paramLabel = "FILE",
      description =
          "Verifying key (JSON or .vk), or a proving key (.zkey, .params) that carries one.")
  Path verifyingKey;

  @Option(
      names = "--input",
      paramLabel = "FILE",
      description =
          "Filecoin: derive the public inputs afresh from FILE; repeated for several sectors or"
              + " partitions.")
  List<Path> input;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "Of --input: porep, snap, window-post or winning-post (by content).")
  String kind;

  @Option(
      names = "--strict",
      fallbackValue = "true",
      description = "Warnings about the verifying key become errors (exit 3).")
  boolean strict;

  @Mixin ThreadOption threads = new ThreadOption();

  @Mixin FilecoinOptions filecoin = new FilecoinOptions();

  @Parameters(
      arity = "1..3",
      paramLabel = "FILE",
      description = "VK, PROOF and PUBLIC in any order (VK not with --vk), or the folder of a run.")
  List<Path> files = new ArrayList<>();

  @Override
  int run() throws Exception {
    threads.check(this);
    if (input != null) {
      return new FilecoinVerification(this).run();
    }
    if (files.size() > 3) {
      throw usage("at most three files: a verifying key, a proof and its public signals");
    }
    if (files.size() == 1 && Files.isDirectory(files.get(0))) {
      if (verifyingKey != null) {
        throw usage("--vk does not go with a folder: it holds the keys of its proofs");
      }
      return verifyFolder(files.get(0));
    }
    for (Path file : files) {
      if (InputKind.of(file) == InputKind.PROOF_BYTES) {
        return new FilecoinVerification(this).runWithPublicInputs(file);
      }
    }
    return verifyOne();
  }

  private int verifyFolder(Path folder) throws InputException {
    ForkJoinPool pool = threads.pool();
    FolderVerifier.Result result;
    try {
      result = new FolderVerifier(folder, strict, pool, console()::warning).verify();
    } finally {
      pool.shutdown();
    }
    if (console().isJson()) {
      List<Object> bad = new ArrayList<>();
      for (FolderVerifier.Finding finding : result.findings()) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", finding.name());
        object.put("exit_class", finding.exitClass());
        object.put("reason", finding.message());
        bad.add(object);
      }
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("proofs", result.proofs());
      object.put("valid", result.valid());
      object.put("bad", bad);
      console().result(Json.write(object));
    } else {
      console().result(folder + ": " + result.valid() + " of " + result.proofs() + " valid");
    }
    result.findings().forEach(finding -> console().error(finding.message()));
    return result.exitCode();
  }

  private int verifyOne() throws InputException {
    Map<SnarkjsDocument.Kind, SnarkjsDocument> documents = sort();
    SnarkjsDocument proofFile = documents.get(SnarkjsDocument.Kind.PROOF);
    VerifyingKey key = key(documents.get(SnarkjsDocument.Kind.VERIFYING_KEY));
    Proof proof = proofFile.proof(key.curve());
    SnarkjsDocument signalsFile = documents.get(SnarkjsDocument.Kind.PUBLIC_SIGNALS);
    List<BigInteger> signals = signalsFile.publicSignals(key.curve());
    Verdict verdict = new Verifier(PreparedVerifyingKey.of(key)).verify(proof, signals);
    if (verdict.malformed()) {
      throw new InputException(
          verdict.failed() == Verdict.Check.PUBLIC_INPUT_COUNT
              ? signalsFile.file()
              : proofFile.file(),
          verdict.reason());
    }
    if (console().isJson()) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("proof", proofFile.file());
      object.put("valid", verdict.valid());
      object.put("curve", key.curve().printedName());
      object.put("public_count", signals.size());
      if (!verdict.valid()) {
        object.put("reason", verdict.reason());
      }
      console().result(Json.write(object));
    } else if (verdict.valid()) {
      console().result(proofFile.file() + ": valid");
    }
    if (!verdict.valid()) {
      console().error(proofFile.file() + ": the proof is not valid: " + verdict.reason());
    }
    return verdict.valid() ? ExitCode.OK : ExitCode.INVALID_PROOF;
  }

  /** Tells the files by content; a proving key may stand where a verifying key may. */
  private Map<SnarkjsDocument.Kind, SnarkjsDocument> sort() throws InputException {
    Map<SnarkjsDocument.Kind, SnarkjsDocument> documents =
        new EnumMap<>(SnarkjsDocument.Kind.class);
    for (Path file : files) {
      if (verifyingKey == null && InputKind.of(file) == InputKind.PROVING_KEY) {
        verifyingKey = file;
        continue;
      }
      SnarkjsDocument document = SnarkjsDocument.read(file);
      SnarkjsDocument other = documents.put(document.kind(), document);
      if (other != null) {
        throw new InputException(
            file.toString(), "is " + document.kind().description() + ", and so is " + other.file());
      }
    }
    boolean hasKey = documents.containsKey(SnarkjsDocument.Kind.VERIFYING_KEY);
    if (hasKey && verifyingKey != null) {
      throw usage("two verifying keys are given");
    }
    if (!hasKey && verifyingKey == null) {
      throw usage("no verifying key is given; name one with --vk FILE");
    }
    for (SnarkjsDocument.Kind kind :
        List.of(SnarkjsDocument.Kind.PROOF, SnarkjsDocument.Kind.PUBLIC_SIGNALS)) {
      if (!documents.containsKey(kind)) {
        throw usage("no file with " + kind.description() + " is given");
      }
    }
    return documents;
  }

  private VerifyingKey key(SnarkjsDocument document) throws InputException {
    if (document == null) {
      return VerifyingKeys.read(verifyingKey, strict, console());
    }
    VerifyingKey key = document.verifyingKey();
    VerifyingKeys.check(Path.of(document.file()), key, strict, console());
    return key;
  }
}
