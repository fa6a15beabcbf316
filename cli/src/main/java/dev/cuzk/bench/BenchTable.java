package dev.cuzk.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Results as text: one line a case, columns aligned, then warnings. */
public final class BenchTable {
  private BenchTable() {}

  /** Lines without line feeds. */
  public static List<String> lines(BenchResult result) {
    List<String[]> rows = new ArrayList<>();
    rows.add(new String[] {"case", "median ms", "min", "max", "spread", "note"});
    for (BenchCase entry : result.cases()) {
      Statistics s = entry.statistics();
      String note =
          s.outliers() > 0 ? s.outliers() + " outlier" + (s.outliers() > 1 ? "s" : "") : "";
      rows.add(
          new String[] {
            entry.id(), number(s.median()), number(s.min()), number(s.max()), number(s.mad()), note
          });
    }
    List<String> lines = align(rows);
    for (BenchCase entry : result.cases()) {
      if (!entry.stagesMs().isEmpty()) {
        lines.add("stages of " + entry.id() + ", median ms:" + stages(entry.stagesMs()));
      }
    }
    for (BenchCase entry : result.cases()) {
      if (entry.facts().get("locks") instanceof List<?> locks) {
        locks.forEach(lock -> lines.add(entry.id() + ": " + lock((Map<?, ?>) lock)));
      }
    }
    for (BenchResult.Comparison c : result.comparisons()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%s: %s ms before, %s ms now, %+.1f %%%s",
              c.id(),
              number(c.beforeMs()),
              number(c.nowMs()),
              c.changePercent(),
              c.failed() ? ", slower than allowed" : ""));
    }
    if (result.cases().stream().anyMatch(entry -> entry.statistics().outliers() > 0)) {
      lines.add(
          "warning: some runs lie far from the median; close other programs, or raise --warmup and"
              + " --runs");
    }
    return lines;
  }

  private static String lock(Map<?, ?> figures) {
    return String.format(
        Locale.ROOT,
        "%s: %s times; held %.1f us (99th percentile %.1f), waited for %.1f us (99th %.1f)",
        figures.get("name"),
        figures.get("acquisitions"),
        figures.get("hold_us_p50"),
        figures.get("hold_us_p99"),
        figures.get("wait_us_p50"),
        figures.get("wait_us_p99"));
  }

  private static String stages(Map<String, Double> stages) {
    StringBuilder text = new StringBuilder();
    stages.forEach((name, ms) -> text.append(' ').append(name).append(' ').append(number(ms)));
    return text.toString();
  }

  private static String number(double ms) {
    String format = ms < 1 ? "%.4f" : ms < 100 ? "%.2f" : "%.1f";
    return String.format(Locale.ROOT, format, ms);
  }

  private static List<String> align(List<String[]> rows) {
    int columns = rows.get(0).length;
    int[] widths = new int[columns];
    for (String[] row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        boolean left = i == 0 || i == columns - 1;
        String padding = " ".repeat(widths[i] - row[i].length());
        line.append(i == 0 ? "" : "  ");
        line.append(left ? row[i] + padding : padding + row[i]);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
