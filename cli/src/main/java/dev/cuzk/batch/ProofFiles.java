package dev.cuzk.batch;

import dev.cuzk.proof.Proof;
import dev.cuzk.proof.SnarkjsJson;
import dev.cuzk.proof.VerifyingKey;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The content of the files that an output folder has for a proof. */
final class ProofFiles {
  static final String PROOF_ENDING = ".proof.json";
  static final String PUBLIC_ENDING = ".public.json";

  private ProofFiles() {}

  static byte[] proof(Proof proof, BatchOptions.ProofFormat format) {
    return switch (format) {
      case SNARKJS -> bytes(SnarkjsJson.proof(proof));
      case RAPIDSNARK -> bytes(SnarkjsJson.compactProof(proof));
    };
  }

  static byte[] publicInputs(List<BigInteger> values, BatchOptions.ProofFormat format) {
    return switch (format) {
      case SNARKJS -> bytes(SnarkjsJson.publicSignals(values));
      case RAPIDSNARK -> bytes(SnarkjsJson.compactPublicSignals(values));
    };
  }

  static byte[] verifyingKey(VerifyingKey key) {
    return bytes(SnarkjsJson.verifyingKey(key));
  }

  private static byte[] bytes(String json) {
    return json.getBytes(StandardCharsets.UTF_8);
  }
}
