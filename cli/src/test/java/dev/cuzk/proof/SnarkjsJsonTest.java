package dev.cuzk.proof;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cuzk.math.CurveId;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SnarkjsJsonTest {
  @Test
  void shouldWriteByteForByteAsSnarkjs() throws Exception {
    for (String vector : ProofVectors.ALL) {
      assertEquals(
          ProofVectors.text(vector, "proof.json"),
          SnarkjsJson.proof(ProofVectors.proof(vector)),
          vector);
      assertEquals(
          ProofVectors.text(vector, "public.json"),
          SnarkjsJson.publicSignals(ProofVectors.publicSignals(vector)),
          vector);
    }
    // The semaphore key's publisher indented it otherwise.
    for (String vector : ProofVectors.ALL.subList(0, 3)) {
      assertEquals(
          ProofVectors.text(vector, "verification_key.json"),
          SnarkjsJson.verifyingKey(ProofVectors.key(vector)),
          vector);
    }
  }

  @Test
  void shouldGiveThePairingOfAForeignKey() throws Exception {
    String ours = SnarkjsJson.verifyingKey(ProofVectors.key("semaphore-20"));
    String theirs = ProofVectors.text("semaphore-20", "verification_key.json");
    assertEquals(theirs.replaceAll("\\s", ""), ours.replaceAll("\\s", ""));
  }

  @Test
  void shouldWriteCompactlyAsRapidsnark() {
    List<BigInteger> g1 = List.of(BigInteger.ONE, BigInteger.TWO);
    List<BigInteger> infinity = List.of(BigInteger.ZERO, BigInteger.ZERO);
    List<BigInteger> g2 = Collections.nCopies(4, BigInteger.TEN);
    assertEquals(
        "{\"pi_a\":[\"1\",\"2\",\"1\"],\"pi_b\":[[\"10\",\"10\"],[\"10\",\"10\"],[\"1\",\"0\"]],"
            + "\"pi_c\":[\"0\",\"1\",\"0\"],\"protocol\":\"groth16\"}",
        SnarkjsJson.compactProof(new Proof(CurveId.BN254, g1, g2, infinity)));
    assertEquals("[\"1\",\"2\"]", SnarkjsJson.compactPublicSignals(g1));
    assertEquals("[]", SnarkjsJson.compactPublicSignals(List.of()));
  }

  @Test
  void shouldReadBackWhatItWrites() throws Exception {
    for (CurveId curve : CurveId.values()) {
      List<BigInteger> g1 = List.of(BigInteger.ONE, BigInteger.TWO);
      List<BigInteger> zeros = Collections.nCopies(4, BigInteger.ZERO);
      Proof proof = new Proof(curve, g1, zeros, zeros.subList(0, 2));
      for (String json : List.of(SnarkjsJson.proof(proof), SnarkjsJson.compactProof(proof))) {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        assertEquals(proof, SnarkjsDocument.parse("f", bytes).proof(curve));
      }
      VerifyingKey key = new TrapdoorKey(curve, 3, 1).key();
      byte[] bytes = SnarkjsJson.verifyingKey(key).getBytes(StandardCharsets.UTF_8);
      assertEquals(key, SnarkjsDocument.parse("f", bytes).verifyingKey());
    }
  }
}
