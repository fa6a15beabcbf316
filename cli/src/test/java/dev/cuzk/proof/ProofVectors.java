package dev.cuzk.proof;

import dev.cuzk.format.TestFiles;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The vectors of testdata/proof. */
final class ProofVectors {
  static final List<String> ALL =
      List.of("multiplier-bn128", "multiplier-bls12381", "nopub-bn128", "semaphore-20");

  private ProofVectors() {}

  static Path path(String vector, String file) {
    return TestFiles.testdata("proof").resolve(vector).resolve(file);
  }

  static String text(String vector, String file) throws IOException {
    return Files.readString(path(vector, file));
  }

  static VerifyingKey key(String vector) throws Exception {
    return SnarkjsDocument.read(path(vector, "verification_key.json")).verifyingKey();
  }

  static Proof proof(String vector) throws Exception {
    return SnarkjsDocument.read(path(vector, "proof.json")).proof(key(vector).curve());
  }

  static List<BigInteger> publicSignals(String vector) throws Exception {
    return SnarkjsDocument.read(path(vector, "public.json")).publicSignals(key(vector).curve());
  }
}
