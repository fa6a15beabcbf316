package dev.cuzk.format.filecoin;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A proof type as the network registers it: what it proves, the sector size and the version. Names
 * are those of filecoin-proofs-api, numbers those of go-state-types ({@code go:N}); for seals both
 * libraries count alike.
 *
 * @param sizeLabel {@code 2KiB}, {@code 8MiB}, {@code 512MiB}, {@code 32GiB} or {@code 64GiB}
 * @param version {@code V1}, {@code V1_1} … as in the name
 */
public record RegisteredProof(Kind kind, String sizeLabel, String version) {
  /** What is proved. */
  public enum Kind {
    SEAL("", List.of("V1", "V1_1", "V1_1_Feat_SyntheticPoRep", "V1_2_Feat_NonInteractivePoRep")),
    WINNING_POST("Winning", List.of("V1")),
    WINDOW_POST("Window", List.of("V1", "V1_2")),
    UPDATE("", List.of("V1"));

    private final String infix;
    private final List<String> versions;

    Kind(String infix, List<String> versions) {
      this.infix = infix;
      this.versions = versions;
    }
  }

  private static final List<String> SIZES = List.of("2KiB", "8MiB", "512MiB", "32GiB", "64GiB");
  private static final Pattern NAME =
      Pattern.compile("StackedDrg(Winning|Window|)(\\d+[KMG]iB)(V\\w+)");
  private static final Pattern GO = Pattern.compile("go:(\\d{1,2})");

  /** Numbers of PoSts in Go: the window's follow the winning ones. */
  private static final int FIRST_WINDOW = 5;

  /** The proof of that name or number, if it is one of this kind. */
  public static Optional<RegisteredProof> parse(Kind kind, String text) {
    Matcher go = GO.matcher(text);
    if (go.matches()) {
      int number = Integer.parseInt(go.group(1));
      return ofNumber(kind, kind == Kind.WINDOW_POST ? number - FIRST_WINDOW : number);
    }
    Matcher name = NAME.matcher(text);
    if (!name.matches() || !name.group(1).equals(kind.infix) || !SIZES.contains(name.group(2))) {
      return Optional.empty();
    }
    // go-state-types calls the window proof V1_1 that the Rust library calls V1_2.
    String version =
        kind == Kind.WINDOW_POST && name.group(3).equals("V1_1") ? "V1_2" : name.group(3);
    return kind.versions.contains(version)
        ? Optional.of(new RegisteredProof(kind, name.group(2), version))
        : Optional.empty();
  }

  /** The proof whose number it is, counted from the kind's first. */
  public static Optional<RegisteredProof> ofNumber(Kind kind, int number) {
    int version = Math.floorDiv(number, SIZES.size());
    if (number < 0 || version >= kind.versions.size()) {
      return Optional.empty();
    }
    return Optional.of(
        new RegisteredProof(kind, SIZES.get(number % SIZES.size()), kind.versions.get(version)));
  }

  /** The number within its kind, as bincode has it. */
  public int number() {
    return kind.versions.indexOf(version) * SIZES.size() + SIZES.indexOf(sizeLabel);
  }

  /** {@code StackedDrg32GiBV1_1}. */
  public String name() {
    return "StackedDrg" + kind.infix + sizeLabel + version;
  }

  /** All names of a kind, for messages. */
  public static String known(Kind kind) {
    return "StackedDrg"
        + kind.infix
        + "{"
        + String.join(",", SIZES)
        + "}{"
        + String.join(",", kind.versions)
        + "}";
  }
}
