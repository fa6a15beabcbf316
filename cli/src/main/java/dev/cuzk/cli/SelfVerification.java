package dev.cuzk.cli;

import dev.cuzk.engine.ProofChecker;
import dev.cuzk.proof.BatchVerifier;
import dev.cuzk.proof.PreparedVerifyingKey;
import dev.cuzk.proof.Proof;
import dev.cuzk.proof.Verdict;
import dev.cuzk.proof.Verifier;
import dev.cuzk.proof.VerifyingKey;
import java.math.BigInteger;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** The engine's judge: the Java verifier, with each key prepared once. */
final class SelfVerification implements ProofChecker {
  private final Map<VerifyingKey, PreparedVerifyingKey> prepared = new IdentityHashMap<>();

  @Override
  public boolean[] check(
      VerifyingKey key, List<Proof> proofs, List<List<BigInteger>> publicInputs) {
    PreparedVerifyingKey ready = prepare(key);
    boolean[] valid = new boolean[proofs.size()];
    if (proofs.size() == 1) {
      valid[0] = new Verifier(ready).verify(proofs.get(0), publicInputs.get(0)).valid();
      return valid;
    }
    // The engine's finalizers are parallel themselves.
    List<Verdict> verdicts = new BatchVerifier(ready, null).verify(proofs, publicInputs);
    for (int i = 0; i < valid.length; i++) {
      valid[i] = verdicts.get(i).valid();
    }
    return valid;
  }

  private synchronized PreparedVerifyingKey prepare(VerifyingKey key) {
    return prepared.computeIfAbsent(key, PreparedVerifyingKey::of);
  }
}
