package dev.cuzk.proof;

import dev.cuzk.math.CurveId;
import java.math.BigInteger;
import java.util.List;

/**
 * The arguments of a Solidity verifier's {@code verifyProof}, as {@code snarkjs zkey export
 * soliditycalldata} prints them: hexadecimal words of 32 bytes, B's coordinates with c1 before c0
 * (the order of EIP-197).
 */
public final class SolidityCalldata {
  private SolidityCalldata() {}

  /**
   * One line, no line feed.
   *
   * @throws IllegalArgumentException for a proof on another curve than BN254, the only one that the
   *     Ethereum virtual machine's precompiled contracts of EIP-197 know
   */
  public static String of(Proof proof, List<BigInteger> publicSignals) {
    if (proof.curve() != CurveId.BN254) {
      throw new IllegalArgumentException("Solidity calldata exists for bn254 alone");
    }
    List<BigInteger> b = proof.b();
    StringBuilder out = new StringBuilder();
    pair(out, proof.a().get(0), proof.a().get(1));
    out.append(",[");
    pair(out, b.get(1), b.get(0));
    out.append(',');
    pair(out, b.get(3), b.get(2));
    out.append("],");
    pair(out, proof.c().get(0), proof.c().get(1));
    out.append(",[");
    for (int i = 0; i < publicSignals.size(); i++) {
      out.append(i == 0 ? "" : ",").append(word(publicSignals.get(i)));
    }
    return out.append(']').toString();
  }

  private static void pair(StringBuilder out, BigInteger first, BigInteger second) {
    out.append('[').append(word(first)).append(", ").append(word(second)).append(']');
  }

  private static String word(BigInteger value) {
    String digits = value.toString(16);
    return "\"0x" + "0".repeat(64 - digits.length()) + digits + '"';
  }
}
