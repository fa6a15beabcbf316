package dev.cuzk.batch;

import dev.cuzk.proof.Proof;
import dev.cuzk.proof.ProofBytes;
import dev.cuzk.proof.SnarkjsJson;
import dev.cuzk.proof.VerifyingKey;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The content of the files that an output folder has for a proof. */
final class ProofFiles {
  static final String PROOF_ENDING = ".proof.json";

  /** Of Filecoin proofs; an encoding's ending follows. */
  static final String FILECOIN_ENDING = ".proof";

  static final String PUBLIC_ENDING = ".public.json";

  private ProofFiles() {}

  /** What a job's proof file is called after its name. */
  static String proofEnding(JobSpec job, BatchOptions.ProofFormat format) {
    return job.isFilecoin() ? FILECOIN_ENDING + encoding(format).ending() : PROOF_ENDING;
  }

  /** How a file of Filecoin proofs is encoded; formats of circom leave it raw. */
  private static ProofBytes.Encoding encoding(BatchOptions.ProofFormat format) {
    return switch (format) {
      case HEX -> ProofBytes.Encoding.HEX;
      case BASE64 -> ProofBytes.Encoding.BASE64;
      default -> ProofBytes.Encoding.RAW;
    };
  }

  /** A job's proof file: of Filecoin's the proofs of all partitions in order. */
  static byte[] proof(JobState job, BatchOptions.ProofFormat format) {
    if (job.spec.isFilecoin()) {
      return ProofBytes.encode(
          Arrays.stream(job.accepted).map(JournalLine::proof).toList(), encoding(format));
    }
    Proof proof = job.accepted[0].proof();
    return bytes(
        format == BatchOptions.ProofFormat.RAPIDSNARK
            ? SnarkjsJson.compactProof(proof)
            : SnarkjsJson.proof(proof));
  }

  /** A job's public inputs: of Filecoin's an array for each partition. */
  static byte[] publicInputs(JobState job, BatchOptions.ProofFormat format) {
    if (job.spec.isFilecoin()) {
      return bytes(
          SnarkjsJson.publicSignalsOfPartitions(
              Arrays.stream(job.accepted).map(JournalLine::publicInputs).toList()));
    }
    List<BigInteger> values = job.accepted[0].publicInputs();
    return bytes(
        format == BatchOptions.ProofFormat.RAPIDSNARK
            ? SnarkjsJson.compactPublicSignals(values)
            : SnarkjsJson.publicSignals(values));
  }

  static byte[] verifyingKey(VerifyingKey key) {
    return bytes(SnarkjsJson.verifyingKey(key));
  }

  private static byte[] bytes(String json) {
    return json.getBytes(StandardCharsets.UTF_8);
  }
}
