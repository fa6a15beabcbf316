package dev.cuzk.proof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class SolidityCalldataTest {
  @Test
  void shouldPrintAsSnarkjs() throws Exception {
    for (String vector : List.of("multiplier-bn128", "nopub-bn128")) {
      assertEquals(
          ProofVectors.text(vector, "calldata.txt").strip(),
          SolidityCalldata.of(ProofVectors.proof(vector), ProofVectors.publicSignals(vector)));
    }
  }

  @Test
  void shouldRefuseOtherCurves() throws Exception {
    Proof proof = ProofVectors.proof("multiplier-bls12381");
    assertThrows(IllegalArgumentException.class, () -> SolidityCalldata.of(proof, List.of()));
  }
}
