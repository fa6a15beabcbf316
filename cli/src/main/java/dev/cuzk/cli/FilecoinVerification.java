package dev.cuzk.cli;

import dev.cuzk.batch.FilecoinInputs;
import dev.cuzk.batch.UsageException;
import dev.cuzk.format.ByteSource;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.Progress;
import dev.cuzk.key.KeyDigest;
import dev.cuzk.key.ParameterCache;
import dev.cuzk.proof.BatchVerifier;
import dev.cuzk.proof.PreparedVerifyingKey;
import dev.cuzk.proof.Proof;
import dev.cuzk.proof.ProofBytes;
import dev.cuzk.proof.SnarkjsDocument;
import dev.cuzk.proof.Verdict;
import dev.cuzk.proof.VerifyingKey;
import dev.cuzk.synthesis.filecoin.Statement;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;

/** {@code cuzk verify --input}: a Filecoin proof against public inputs derived afresh. */
final class FilecoinVerification {
  private final VerifyCommand command;
  private final Console console;

  FilecoinVerification(VerifyCommand command) {
    this.command = command;
    this.console = command.console();
  }

  int run() throws InputException, UsageException {
    if (command.files.size() != 1) {
      throw command.usage("--input goes with one file: NAME.proof");
    }
    Path file = command.files.get(0);
    List<Proof> proofs = read(file);
    Statement statement =
        new FilecoinInputs(command.filecoin.facts(), console::warning)
            .read(command.input, command.kind);
    if (proofs.size() != statement.partitions()) {
      throw InputException.at(
          file.toString(),
          "it has another number of proofs than the job of "
              + statement.circuit()
              + " has partitions",
          "size",
          ProofBytes.BYTES * statement.partitions() + " bytes",
          ProofBytes.BYTES * proofs.size());
    }
    VerifyingKey key = key(statement.circuit());
    List<List<BigInteger>> inputs = new ArrayList<>();
    for (int i = 0; i < proofs.size(); i++) {
      inputs.add(statement.publicInputs(i));
    }
    return verify(file, statement.circuit(), key, proofs, inputs);
  }

  /** A proof, a verifying key and {@code NAME.public.json}, in any order. */
  int runWithPublicInputs(Path file) throws InputException {
    Path vk = command.verifyingKey;
    Path publicFile = null;
    for (Path other : command.files) {
      if (other.equals(file)) {
        continue;
      }
      if (InputKind.of(other) == InputKind.PUBLIC_SIGNALS) {
        publicFile = other;
      } else if (vk == null) {
        vk = other;
      } else {
        throw command.usage("two verifying keys are given");
      }
    }
    if (vk == null) {
      throw command.usage("no verifying key is given; name one with --vk FILE");
    }
    if (publicFile == null) {
      throw command.usage("no public inputs are given: NAME.public.json, or --input FILE");
    }
    List<Proof> proofs = read(file);
    VerifyingKey key = VerifyingKeys.read(vk, command.strict, console);
    List<List<BigInteger>> inputs =
        SnarkjsDocument.read(publicFile)
            .publicSignalsOfPartitions(key.curve(), proofs.size(), file);
    return verify(file, null, key, proofs, inputs);
  }

  private int verify(
      Path file,
      String circuit,
      VerifyingKey key,
      List<Proof> proofs,
      List<List<BigInteger>> inputs)
      throws InputException {
    ForkJoinPool pool = command.threads.pool();
    try {
      return report(
          file,
          circuit,
          new BatchVerifier(PreparedVerifyingKey.of(key), pool).verify(proofs, inputs));
    } finally {
      pool.shutdown();
    }
  }

  private static List<Proof> read(Path file) throws InputException {
    try (ByteSource source = FileRange.whole(file).open()) {
      if (source.length() > ProofBytes.LARGEST_FILE) {
        throw InputException.at(
            file.toString(),
            "it is too large for proofs",
            "size",
            "at most " + ProofBytes.LARGEST_FILE + " bytes",
            source.length());
      }
      byte[] content = new byte[(int) source.length()];
      source.read(0, ByteBuffer.wrap(content));
      return ProofBytes.decode(file.toString(), content);
    }
  }

  /** The one that was named, or the network's. */
  private VerifyingKey key(String circuit) throws InputException {
    if (command.verifyingKey != null) {
      return VerifyingKeys.read(command.verifyingKey, command.strict, console);
    }
    Environment environment = command.session().environment();
    Path file = command.filecoin.parameterCache(environment).verifyingKey(circuit);
    ParameterCache.check(
        circuit,
        false,
        FileRange.whole(file),
        environment.cacheFolder().map(KeyDigest::rememberedIn).orElseGet(KeyDigest::forgetful),
        command.filecoin.trustsParameters(environment),
        Progress.NONE);
    return VerifyingKeys.read(file, command.strict, console);
  }

  /** The circuit is null where only the verifying key tells what was proved. */
  private int report(Path file, String circuit, List<Verdict> verdicts) throws InputException {
    List<Object> bad = new ArrayList<>();
    for (int i = 0; i < verdicts.size(); i++) {
      Verdict verdict = verdicts.get(i);
      if (verdict.malformed()) {
        throw new InputException(file.toString(), "partition " + i + ": " + verdict.reason());
      }
      if (!verdict.valid()) {
        bad.add(Map.of("partition", i, "reason", verdict.reason()));
        console.error(
            file + ": the proof of partition " + i + " is not valid: " + verdict.reason());
      }
    }
    if (console.isJson()) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("proof", file.toString());
      object.put("valid", bad.isEmpty());
      object.put("circuit", circuit);
      object.put("partitions", verdicts.size());
      object.put("bad", bad);
      console.result(Json.write(object));
    } else if (bad.isEmpty()) {
      console.result(
          file
              + ": valid ("
              + (circuit == null ? "" : circuit + ", ")
              + verdicts.size()
              + (verdicts.size() == 1 ? " partition)" : " partitions)"));
    }
    return bad.isEmpty() ? ExitCode.OK : ExitCode.INVALID_PROOF;
  }
}
