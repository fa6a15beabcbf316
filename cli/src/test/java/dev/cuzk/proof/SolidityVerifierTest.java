package dev.cuzk.proof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.math.CurveId;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;

class SolidityVerifierTest {
  @Test
  void shouldHoldTheWholeKey() throws Exception {
    VerifyingKey key = ProofVectors.key("multiplier-bn128");
    String source = SolidityVerifier.of(key);
    assertTrue(source.contains("contract Groth16Verifier {"));
    assertTrue(source.contains("\n    function verifyProof(\n        uint256[2] calldata a,\n"));
    assertTrue(source.contains("c,\n        uint256[3] calldata input\n    ) public view"));
    assertTrue(source.contains("BETA_X1 = " + key.beta2().get(1) + ";"));
    assertTrue(source.contains("DELTA_Y0 = " + key.delta2().get(2) + ";"));
    assertTrue(source.contains("R =\n        " + CurveId.BN254.scalarModulus() + ";"));
    assertTrue(source.contains("Q =\n        " + CurveId.BN254.baseModulus() + ";"));
    for (List<BigInteger> point : key.ic()) {
      assertTrue(source.contains(point.get(0).toString()));
      assertTrue(source.contains(point.get(1).toString()));
    }
    assertEquals(3, source.split("addMultiple\\(x, ", -1).length - 1);
  }

  @Test
  void shouldLeaveOutTheArgumentThatHasNoElements() throws Exception {
    String source = SolidityVerifier.of(ProofVectors.key("nopub-bn128"));
    assertFalse(source.contains("input[") || source.contains("calldata input"));
    assertTrue(source.contains("uint256[2] calldata c\n    ) public view"));
  }

  @Test
  void shouldRefuseOtherCurves() throws Exception {
    VerifyingKey key = ProofVectors.key("multiplier-bls12381");
    assertThrows(IllegalArgumentException.class, () -> SolidityVerifier.of(key));
  }
}
