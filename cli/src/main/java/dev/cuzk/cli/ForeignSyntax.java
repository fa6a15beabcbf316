package dev.cuzk.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Recognizes the argument order of other provers: {@code KEY WITNESS PROOF PUBLIC}, as {@code
 * snarkjs groth16 prove} and rapidsnark take them. Such a line is answered with ours, not guessed
 * at: its last two files would be overwritten.
 */
final class ForeignSyntax {
  private ForeignSyntax() {}

  /** What to type instead, if the arguments are in that order. */
  static Optional<String> advice(String[] arguments, int commandPosition) {
    List<String> files = new ArrayList<>();
    for (int i = Math.max(0, commandPosition); i < arguments.length; i++) {
      if (!arguments[i].startsWith("-")) {
        files.add(arguments[i]);
      }
    }
    for (String word : List.of("groth16", "prove")) {
      if (!files.isEmpty() && files.get(0).equals(word)) {
        files.remove(0);
      }
    }
    // Values of options may stand before and after the four.
    int first = 0;
    while (first + 1 < files.size()
        && !(hasSuffix(files.get(first), ".zkey") && hasSuffix(files.get(first + 1), ".wtns"))) {
      first++;
    }
    if (first + 4 > files.size() || Arrays.asList(arguments).contains("--key")) {
      return Optional.empty();
    }
    files = files.subList(first, first + 4);
    return Optional.of(
        "these are the arguments of another prover. Write: cuzk prove --key "
            + quoted(files.get(0))
            + " --proof "
            + quoted(files.get(2))
            + " --public "
            + quoted(files.get(3))
            + " "
            + quoted(files.get(1)));
  }

  private static boolean hasSuffix(String file, String suffix) {
    return file.toLowerCase(Locale.ROOT).endsWith(suffix);
  }

  /** Quoted for a POSIX shell where that is needed. */
  static String quoted(String argument) {
    return argument.matches("[A-Za-z0-9_@%+=:,./-]+")
        ? argument
        : "'" + argument.replace("'", "'\\''") + "'";
  }
}
