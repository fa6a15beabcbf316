package dev.cuzk.format;

import java.util.Optional;

/**
 * The files that are iden3 binfiles: their magic, the one version that is read, and their names.
 */
public enum BinfileType {
  ZKEY("zkey", 1, "a proving key (.zkey)"),
  WTNS("wtns", 2, "a witness (.wtns)"),
  R1CS("r1cs", 1, "a constraint system (.r1cs)"),
  PTAU("ptau", 1, "a powers-of-tau file (.ptau)"),
  CONTAINER("cuzk", 1, "a cuzk container (input.bin)");

  private final String magic;
  private final int version;
  private final String description;

  BinfileType(String magic, int version, String description) {
    this.magic = magic;
    this.version = version;
    this.description = description;
  }

  /** The first four bytes, ASCII. */
  public String magic() {
    return magic;
  }

  /** The version that this tool reads and writes. */
  public int version() {
    return version;
  }

  /** With its article, for messages: {@code a witness (.wtns)}. */
  public String description() {
    return description;
  }

  /** The type whose files begin with these four characters. */
  public static Optional<BinfileType> byMagic(String magic) {
    for (BinfileType type : values()) {
      if (type.magic.equals(magic)) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }
}
