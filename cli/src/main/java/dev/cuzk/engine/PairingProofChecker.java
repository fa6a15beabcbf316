package dev.cuzk.engine;

import dev.cuzk.proof.BatchVerifier;
import dev.cuzk.proof.PreparedVerifyingKey;
import dev.cuzk.proof.Proof;
import dev.cuzk.proof.Verdict;
import dev.cuzk.proof.VerifyingKey;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;

/**
 * Checks proofs by their pairing equation: a group by one random linear combination, spread over a
 * pool of its own. What a verifying key needs to be prepared is done once.
 */
public final class PairingProofChecker implements ProofChecker {
  private final Map<VerifyingKey, BatchVerifier> verifiers = new ConcurrentHashMap<>();
  private final ForkJoinPool pool;

  /** {@code threads} verify at once; 1 = the calling thread alone. */
  public PairingProofChecker(int threads) {
    this.pool = threads > 1 ? new ForkJoinPool(threads) : null;
  }

  @Override
  public boolean[] check(
      VerifyingKey key, List<Proof> proofs, List<List<BigInteger>> publicInputs) {
    BatchVerifier verifier =
        verifiers.computeIfAbsent(
            key, first -> new BatchVerifier(PreparedVerifyingKey.of(first), pool));
    List<Verdict> verdicts = verifier.verify(proofs, publicInputs);
    boolean[] valid = new boolean[verdicts.size()];
    for (int i = 0; i < valid.length; i++) {
      valid[i] = verdicts.get(i).valid();
    }
    return valid;
  }
}
