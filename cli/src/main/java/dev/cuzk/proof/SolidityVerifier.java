package dev.cuzk.proof;

import dev.cuzk.math.CurveId;
import java.math.BigInteger;
import java.util.List;

/**
 * A Solidity contract that verifies proofs of one BN254 key through Ethereum's precompiled
 * contracts (EIP-196, EIP-197), with the interface of snarkjs' exported verifiers: contract {@code
 * Groth16Verifier}, {@code verifyProof(uint256[2], uint256[2][2], uint256[2], uint256[n])}. Without
 * public inputs the last argument is left out: Solidity knows no empty fixed arrays.
 */
public final class SolidityVerifier {
  private SolidityVerifier() {}

  /**
   * The contract's source.
   *
   * @throws IllegalArgumentException for a key on another curve than BN254
   */
  public static String of(VerifyingKey key) {
    if (key.curve() != CurveId.BN254) {
      throw new IllegalArgumentException("a Solidity verifier exists for bn254 keys alone");
    }
    int inputs = key.publicInputs();
    StringBuilder out = new StringBuilder();
    out.append(HEAD);
    constants(out, "ALPHA", key.alpha1());
    constants(out, "BETA", key.beta2());
    constants(out, "GAMMA", key.gamma2());
    constants(out, "DELTA", key.delta2());
    out.append(SIGNATURE);
    if (inputs > 0) {
      out.append(",\n        uint256[").append(inputs).append("] calldata input");
    }
    out.append("\n    ) public view returns (bool) {\n");
    if (inputs > 0) {
      out.append("        for (uint256 i = 0; i < ").append(inputs).append("; i++) {\n");
      out.append("            if (input[i] >= R) return false;\n        }\n");
    }
    out.append("        // a[1] is negated below, which would hide that it is out of range.\n");
    out.append("        if (a[1] >= Q) return false;\n\n");
    out.append("        // x = IC[0], plus each public input times its point\n");
    out.append("        uint256[2] memory x;\n");
    point(out, "x", key.ic().get(0));
    for (int i = 0; i < inputs; i++) {
      List<BigInteger> point = key.ic().get(i + 1);
      out.append("        if (!addMultiple(x, ").append(point.get(0)).append(", ");
      out.append(point.get(1)).append(", input[").append(i).append("])) return false;\n");
    }
    return out.append(TAIL).toString();
  }

  private static void point(StringBuilder out, String name, List<BigInteger> point) {
    out.append("        ").append(name).append("[0] = ").append(point.get(0)).append(";\n");
    out.append("        ").append(name).append("[1] = ").append(point.get(1)).append(";\n");
  }

  /** X and Y, or for G2 X1, X0, Y1, Y0: the precompiled contracts take c1 first. */
  private static void constants(StringBuilder out, String name, List<BigInteger> point) {
    String[] names =
        point.size() == 2 ? new String[] {"_X", "_Y"} : new String[] {"_X0", "_X1", "_Y0", "_Y1"};
    for (int i = 0; i < names.length; i++) {
      out.append("    uint256 private constant ").append(name).append(names[i]).append(" = ");
      out.append(point.get(i)).append(";\n");
    }
  }

  private static final String HEAD =
      """
      // SPDX-License-Identifier: Apache-2.0
      // Groth16 verifier of one verifying key, written by cuzk.
      pragma solidity >=0.7.0 <0.9.0;

      contract Groth16Verifier {
          // Order of the groups: public inputs are below it.
          uint256 private constant R =
              21888242871839275222246405745257275088548364400416034343698204186575808495617;
          // Modulus of the coordinates.
          uint256 private constant Q =
              21888242871839275222246405745257275088696311157297823662689037894645226208583;

          // The verifying key: points of G1 as X, Y; of G2 as X0 + X1 u, Y0 + Y1 u.
      """;

  private static final String SIGNATURE =
      """

          /// Whether (a, b, c) is a valid proof; false, too, for anything that is malformed.
          /// b has the second coefficient of each coordinate first, as EIP-197 does.
          function verifyProof(
              uint256[2] calldata a,
              uint256[2][2] calldata b,
              uint256[2] calldata c\
      """;

  private static final String TAIL =
      """

              // e(-a, b) e(alpha, beta) e(x, gamma) e(c, delta) = 1
              uint256[24] memory pairs = [
                  a[0], (Q - a[1]) % Q, b[0][0], b[0][1], b[1][0], b[1][1],
                  ALPHA_X, ALPHA_Y, BETA_X1, BETA_X0, BETA_Y1, BETA_Y0,
                  x[0], x[1], GAMMA_X1, GAMMA_X0, GAMMA_Y1, GAMMA_Y0,
                  c[0], c[1], DELTA_X1, DELTA_X0, DELTA_Y1, DELTA_Y0
              ];
              uint256[1] memory result;
              bool success;
              assembly {
                  success := staticcall(gas(), 8, pairs, 768, result, 32)
              }
              return success && result[0] == 1;
          }

          /// sum = sum + k (x, y), by the contracts at 7 (multiply) and 6 (add).
          function addMultiple(uint256[2] memory sum, uint256 x, uint256 y, uint256 k)
              private
              view
              returns (bool success)
          {
              uint256[4] memory operands;
              operands[0] = x;
              operands[1] = y;
              operands[2] = k;
              assembly {
                  success := staticcall(gas(), 7, operands, 96, operands, 64)
              }
              if (!success) return false;
              operands[2] = sum[0];
              operands[3] = sum[1];
              assembly {
                  success := staticcall(gas(), 6, operands, 128, sum, 64)
              }
          }
      }
      """;
}
