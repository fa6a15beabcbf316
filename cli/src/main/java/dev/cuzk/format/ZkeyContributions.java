package dev.cuzk.format;

import dev.cuzk.math.CurveId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Section 10 of a .zkey: the hash of the circuit (64 bytes, BLAKE2b over what the ceremony started
 * from), the number of contributions (u32), and each contribution: delta after it, s and s·x in G1,
 * the proof in G2, the transcript's hash (64 bytes), its type (u32) and its parameters.
 *
 * @param circuitHash 128 hex digits
 */
public record ZkeyContributions(String circuitHash, List<Contribution> list) {
  /** The name of the only contribution to a key that this program made alone, for tests. */
  public static final String ONE_PARTY_TEST = "cuzk insecure one-party test setup";

  private static final int HASH_BYTES = 64;
  private static final int PARAMETER_NAME = 1;
  private static final int PARAMETER_ITERATIONS = 2;
  private static final int PARAMETER_BEACON = 3;

  public ZkeyContributions {
    list = List.copyOf(list);
  }

  /** Whether the key says of itself that one party made it, for tests. */
  public boolean isOnePartyTest() {
    return list.stream().anyMatch(one -> one.name().equals(Optional.of(ONE_PARTY_TEST)));
  }

  /**
   * One contribution.
   *
   * @param name as its maker gave it; not to be trusted, and not to be printed raw
   * @param beacon whether its randomness is a public beacon's (type 1)
   */
  public record Contribution(Optional<String> name, boolean beacon) {}

  static ZkeyContributions read(Binfile file, Binfile.Section section, CurveId curve)
      throws InputException {
    SectionReader reader = new SectionReader(file, section);
    String hash = HexFormat.of().formatHex(reader.bytes(HASH_BYTES, "the circuit's hash"));
    long count = reader.u32("the number of contributions");
    int fixed = 3 * curve.pointBytes(false) + curve.pointBytes(true) + HASH_BYTES;
    if (count > reader.remaining() / (fixed + 8)) {
      throw InputException.at(
          file.name(),
          "more contributions than the section has room for",
          reader.place(),
          "at most " + reader.remaining() / (fixed + 8),
          count);
    }
    List<Contribution> list = new ArrayList<>((int) Math.min(count, 1024));
    for (long i = 0; i < count; i++) {
      reader.skip(fixed, "a contribution's points");
      boolean beacon = reader.u32("a contribution's type") == 1;
      long length = reader.u32("the length of a contribution's parameters");
      list.add(new Contribution(readName(file, reader, length), beacon));
    }
    reader.requireEnd();
    return new ZkeyContributions(hash, list);
  }

  private static Optional<String> readName(Binfile file, SectionReader reader, long length)
      throws InputException {
    long end = reader.position() + length;
    Optional<String> name = Optional.empty();
    while (reader.position() < end) {
      String place = reader.place();
      int parameter = reader.bytes(1, "a contribution's parameter")[0];
      int size = Byte.toUnsignedInt(reader.bytes(1, "a contribution's parameter")[0]);
      switch (parameter) {
        case PARAMETER_NAME ->
            name =
                Optional.of(
                    new String(
                        reader.bytes(size, "a contribution's name"), StandardCharsets.UTF_8));
        case PARAMETER_ITERATIONS -> {
          // The byte after the kind is the value itself, not a length.
        }
        case PARAMETER_BEACON -> reader.bytes(size, "a contribution's beacon");
        default ->
            throw InputException.at(
                file.name(),
                "unknown parameter of a contribution",
                place,
                "kind 1, 2 or 3",
                parameter);
      }
    }
    if (reader.position() != end) {
      throw InputException.at(
          file.name(),
          "a contribution's parameters are longer than they say",
          reader.place(),
          length + " bytes",
          length + reader.position() - end);
    }
    return name;
  }
}
