package dev.cuzk.engine;

import dev.cuzk.proof.Proof;
import dev.cuzk.proof.VerifyingKey;
import java.math.BigInteger;
import java.util.List;

/**
 * Decides which proofs are valid. Safe for use by several threads; implementations share no code
 * with the prover.
 */
public interface ProofChecker {
  /**
   * Checks proofs of one circuit.
   *
   * @param publicInputs for each proof the values of assignment indices 1 … n
   * @return for each proof whether it is valid
   */
  boolean[] check(VerifyingKey key, List<Proof> proofs, List<List<BigInteger>> publicInputs);
}
