package dev.cuzk.format;

import dev.cuzk.math.CurveId;

/** The sections of a Groth16 .zkey, their ids, and how their lengths follow from the header. */
public enum ZkeySection {
  /** The protocol's number, u32. */
  PROTOCOL(1, "the protocol"),
  /** Fields, counts and single points. */
  HEADER(2, "the key's header"),
  /** The verifying key's points: one for ONE and each public input, G1. */
  IC(3, "the verifying key's points (IC)"),
  /** Number (u32) and entries of the matrices A and B. */
  ENTRIES(4, "the matrix entries"),
  /** The A query, G1, one point a variable. */
  A(5, "the A query"),
  /** The B query in G1. */
  B1(6, "the B query in G1"),
  /** The B query in G2. */
  B2(7, "the B query in G2"),
  /** The L query (snarkjs: C), G1, one point a private variable. */
  L(8, "the L query"),
  /** The H query, G1, one point a row of the domain. */
  H(9, "the H query"),
  /** Hash of the circuit, and the phase-2 contributions. */
  CONTRIBUTIONS(10, "the contributions");

  private final int id;
  private final String content;

  ZkeySection(int id, String content) {
    this.id = id;
    this.content = content;
  }

  public int id() {
    return id;
  }

  /** What it holds, for messages. */
  public String content() {
    return content;
  }

  /** Whether its length follows from the header. */
  boolean hasFixedLength() {
    return this != PROTOCOL && this != HEADER && this != CONTRIBUTIONS;
  }

  /** Bytes of one point in it. */
  int pointBytes(CurveId curve) {
    return curve.pointBytes(this == B2);
  }

  /** Points in it. */
  long points(ZkeyFile.Header header) {
    return switch (this) {
      case IC -> header.publicInputs() + 1L;
      case A, B1, B2 -> header.variables();
      case L -> header.variables() - header.publicInputs() - 1;
      case H -> 1L << header.domainLog2();
      default -> throw new IllegalArgumentException(content + " are not points");
    };
  }

  /** Its length in bytes. */
  long length(ZkeyFile.Header header) {
    return this == ENTRIES
        ? 4 + header.entries() * ZkeyFile.ENTRY_BYTES
        : points(header) * pointBytes(header.curve());
  }
}
