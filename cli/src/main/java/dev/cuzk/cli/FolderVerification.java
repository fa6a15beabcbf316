package dev.cuzk.cli;

import dev.cuzk.format.InputException;
import dev.cuzk.proof.BatchVerifier;
import dev.cuzk.proof.PreparedVerifyingKey;
import dev.cuzk.proof.Proof;
import dev.cuzk.proof.SnarkjsDocument;
import dev.cuzk.proof.Verdict;
import dev.cuzk.proof.VerifyingKey;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;

/**
 * Verifies all proofs of an output folder with the keys that it holds. Proofs of one key are
 * verified together; each bad one is named.
 */
final class FolderVerification {
  /** Proofs held at a time. */
  private static final int GROUP = 1_024;

  private final Console console;
  private final boolean strict;
  private final ForkJoinPool pool;
  private final Map<Path, PreparedVerifyingKey> keys = new LinkedHashMap<>();
  private final List<Object> bad = new ArrayList<>();
  private long valid;
  private boolean invalid;
  private boolean malformed;

  FolderVerification(Console console, boolean strict, int threads) {
    this.console = console;
    this.strict = strict;
    this.pool = new ForkJoinPool(threads);
  }

  /** One proof that was read. */
  private record Item(Path file, Proof proof, List<BigInteger> signals) {}

  /** Returns the exit code: 1 if a proof is not valid, else 3 if a file is malformed. */
  int run(Path folder) throws InputException {
    try {
      for (ProofFolder each : ProofFolder.open(folder)) {
        verify(each);
      }
    } finally {
      pool.shutdown();
    }
    if (valid == 0 && bad.isEmpty()) {
      throw new InputException(folder.toString(), "there is no proof in this folder");
    }
    if (console.isJson()) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("valid", valid);
      object.put("bad", bad);
      console.result(Json.write(object));
    } else {
      console.result(
          folder + ": " + valid + " valid" + (bad.isEmpty() ? "" : ", " + bad.size() + " not"));
    }
    return invalid ? ExitCode.INVALID_PROOF : malformed ? ExitCode.INPUT : ExitCode.OK;
  }

  private void verify(ProofFolder folder) {
    Map<PreparedVerifyingKey, List<Item>> groups = new LinkedHashMap<>();
    for (String name : folder.names()) {
      try {
        List<Path> candidates = folder.keys(name);
        if (candidates.size() == 1) {
          PreparedVerifyingKey key = key(candidates.get(0));
          List<Item> group = groups.computeIfAbsent(key, any -> new ArrayList<>());
          group.add(read(folder, name, key));
          if (group.size() == GROUP) {
            verify(key, group);
            group.clear();
          }
        } else {
          verifyWithAny(folder, name, candidates);
        }
      } catch (InputException e) {
        bad(folder.proof(name), e.getMessage(), true);
      }
    }
    groups.forEach(this::verify);
  }

  private static Item read(ProofFolder folder, String name, PreparedVerifyingKey key)
      throws InputException {
    Path file = folder.proof(name);
    Proof proof = SnarkjsDocument.read(file).proof(key.curve());
    List<BigInteger> signals =
        SnarkjsDocument.read(folder.publicSignals(name)).publicSignals(key.curve());
    return new Item(file, proof, signals);
  }

  private void verify(PreparedVerifyingKey key, List<Item> items) {
    List<Verdict> verdicts =
        new BatchVerifier(key, pool)
            .verify(
                items.stream().map(Item::proof).toList(),
                items.stream().map(Item::signals).toList());
    for (int i = 0; i < items.size(); i++) {
      judge(items.get(i).file(), verdicts.get(i));
    }
  }

  /** Without a journal nothing says which of the folder's keys a proof belongs to. */
  private void verifyWithAny(ProofFolder folder, String name, List<Path> candidates)
      throws InputException {
    if (candidates.isEmpty()) {
      throw new InputException(
          folder.proof(name).toString(), "the folder holds no verifying key for it");
    }
    Verdict verdict = null;
    InputException problem = null;
    for (Path candidate : candidates) {
      try {
        PreparedVerifyingKey key = key(candidate);
        Item item = read(folder, name, key);
        Verdict found =
            new BatchVerifier(key, null)
                .verify(List.of(item.proof()), List.of(item.signals()))
                .get(0);
        if (found.valid()) {
          judge(item.file(), found);
          return;
        }
        verdict = verdict == null || verdict.malformed() ? found : verdict;
      } catch (InputException e) {
        problem = e;
      }
    }
    if (verdict == null) {
      throw problem;
    }
    judge(folder.proof(name), verdict);
  }

  private PreparedVerifyingKey key(Path file) throws InputException {
    PreparedVerifyingKey ready = keys.get(file);
    if (ready == null) {
      VerifyingKey key = VerifyingKeys.read(file, strict, console);
      ready = PreparedVerifyingKey.of(key);
      keys.put(file, ready);
    }
    return ready;
  }

  private void judge(Path file, Verdict verdict) {
    if (verdict.valid()) {
      valid++;
    } else if (verdict.malformed()) {
      bad(file, file + ": " + verdict.reason(), true);
    } else {
      bad(file, file + ": the proof is not valid: " + verdict.reason(), false);
    }
  }

  private void bad(Path file, String message, boolean isMalformed) {
    malformed |= isMalformed;
    invalid |= !isMalformed;
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("proof", file.toString());
    object.put("malformed", isMalformed);
    object.put("reason", message);
    bad.add(object);
    console.error(message);
  }
}
