package dev.cuzk.math;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;

/**
 * The pairing-friendly curves that this tool proves on, with the sizes and moduli that files are
 * checked against.
 */
public enum CurveId {
  /** Known as bn128, bn254, alt_bn128 or BN256 elsewhere (EIP-197). */
  BN254(
      "bn254",
      "bn128",
      32,
      "30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001",
      "30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47",
      28),
  /** The curve of Zcash Sapling and Filecoin. */
  BLS12_381(
      "bls12-381",
      "bls12381",
      48,
      "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001",
      "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab",
      32);

  /** Bytes of a scalar in every file format. */
  public static final int SCALAR_BYTES = 32;

  private final String printedName;
  private final String snarkjsName;
  private final int baseFieldBytes;
  private final BigInteger scalarModulus;
  private final BigInteger baseModulus;
  private final int twoAdicity;

  CurveId(
      String printedName,
      String snarkjsName,
      int baseFieldBytes,
      String r,
      String p,
      int twoAdicity) {
    this.printedName = printedName;
    this.snarkjsName = snarkjsName;
    this.baseFieldBytes = baseFieldBytes;
    this.scalarModulus = new BigInteger(r, 16);
    this.baseModulus = new BigInteger(p, 16);
    this.twoAdicity = twoAdicity;
  }

  /** The one name that messages, reports and manifests use: {@code bn254} or {@code bls12-381}. */
  public String printedName() {
    return printedName;
  }

  /** The name in snarkjs' JSON files: {@code bn128} or {@code bls12381}. */
  public String snarkjsName() {
    return snarkjsName;
  }

  /** Bytes of a base-field element: 32 or 48. */
  public int baseFieldBytes() {
    return baseFieldBytes;
  }

  /** Bytes of an affine, uncompressed point: two (G1) or four (G2) base-field elements. */
  public int pointBytes(boolean g2) {
    return (g2 ? 4 : 2) * baseFieldBytes;
  }

  /** The order r of both groups: assignments and public signals lie in [0, r). */
  public BigInteger scalarModulus() {
    return scalarModulus;
  }

  /** The modulus p of the base field. */
  public BigInteger baseModulus() {
    return baseModulus;
  }

  /** The largest k such that a domain of size 2^k exists. */
  public int twoAdicity() {
    return twoAdicity;
  }

  /**
   * Understands every name in use (bn128, bn254, alt_bn128, bls12-381, bls12381 …), whatever its
   * case.
   */
  public static Optional<CurveId> byName(String name) {
    return switch (name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "")) {
      case "bn128", "bn254", "altbn128", "bn256", "altbn254" -> Optional.of(BN254);
      case "bls12381", "bls381" -> Optional.of(BLS12_381);
      default -> Optional.empty();
    };
  }

  /**
   * The curve whose scalar field has this modulus, as the headers of .wtns and .r1cs files name it.
   */
  public static Optional<CurveId> byScalarModulus(BigInteger r) {
    for (CurveId curve : values()) {
      if (curve.scalarModulus.equals(r)) {
        return Optional.of(curve);
      }
    }
    return Optional.empty();
  }

  @Override
  public String toString() {
    return printedName;
  }
}
