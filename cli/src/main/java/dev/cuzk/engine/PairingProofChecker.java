package dev.cuzk.engine;

import dev.cuzk.proof.BatchVerifier;
import dev.cuzk.proof.PreparedVerifyingKey;
import dev.cuzk.proof.Proof;
import dev.cuzk.proof.Verdict;
import dev.cuzk.proof.Verifier;
import dev.cuzk.proof.VerifyingKey;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks proofs by their pairing equation: a group by one random linear combination. What a
 * verifying key needs to be prepared is done once. Works on the calling thread: the engine verifies
 * several groups at a time.
 */
public final class PairingProofChecker implements ProofChecker {
  private final Map<VerifyingKey, PreparedVerifyingKey> prepared = new ConcurrentHashMap<>();

  /** Prepares a key now, so that the first proof under it need not wait for that. */
  public void prepare(VerifyingKey key) {
    prepared.computeIfAbsent(key, PreparedVerifyingKey::of);
  }

  @Override
  public boolean[] check(
      VerifyingKey key, List<Proof> proofs, List<List<BigInteger>> publicInputs) {
    PreparedVerifyingKey ready = prepared.computeIfAbsent(key, PreparedVerifyingKey::of);
    List<Verdict> verdicts =
        proofs.size() == 1
            ? List.of(new Verifier(ready).verify(proofs.get(0), publicInputs.get(0)))
            : new BatchVerifier(ready, null).verify(proofs, publicInputs);
    boolean[] valid = new boolean[verdicts.size()];
    for (int i = 0; i < valid.length; i++) {
      valid[i] = verdicts.get(i).valid();
    }
    return valid;
  }
}
