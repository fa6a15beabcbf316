package dev.cuzk.cli;

import java.util.Collection;
import java.util.Optional;

/** Finds what somebody meant to type. */
final class Suggestions {
  private Suggestions() {}

  /** The candidate with the fewest edits, if these are few for the word's length. */
  static Optional<String> closest(String typed, Collection<String> candidates) {
    String best = null;
    int fewest = Math.max(1, typed.length() / 3) + 1;
    for (String candidate : candidates) {
      int distance = distance(typed, candidate);
      if (distance < fewest
          || (distance == fewest && best != null && candidate.compareTo(best) < 0)) {
        fewest = distance;
        best = candidate;
      }
    }
    return Optional.ofNullable(best);
  }

  /**
   * Optimal string alignment distance: insertions, deletions, replacements, and swaps of
   * neighbours.
   */
  static int distance(String a, String b) {
    int[][] table = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          table[i][j] = i + j;
          continue;
        }
        int replace = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int least = Math.min(table[i - 1][j], table[i][j - 1]) + 1;
        least = Math.min(least, table[i - 1][j - 1] + replace);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          least = Math.min(least, table[i - 2][j - 2] + 1);
        }
        table[i][j] = least;
      }
    }
    return table[a.length()][b.length()];
  }
}
