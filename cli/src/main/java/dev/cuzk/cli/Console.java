package dev.cuzk.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.fusesource.jansi.Ansi;

/**
 * Where everything is printed: results on standard output, everything else on standard error.
 *
 * <p>Colour and status lines are judged for each stream alone. A reader that closes standard output
 * early does not stop the work: printing stops, and the run ends with the exit code for outputs.
 * Safe for use by several threads.
 */
final class Console {
  private final Environment environment;
  private final OutputStream out;
  private final OutputStream err;
  private When color = When.AUTO;
  private When progress = When.AUTO;
  private int verbosity;
  private boolean quiet;
  private boolean json;
  private boolean outBroken;
  private boolean resultPrinted;
  private int statusHeight;
  private List<String> status = List.of();

  Console(Environment environment) {
    this.environment = environment;
    this.out = new BufferedOutputStream(environment.out(), 1 << 13);
    this.err = environment.err();
  }

  /** Takes over what the options say. */
  synchronized void configure(GlobalOptions options) {
    color = options.color;
    progress = options.progress;
    verbosity = options.verbosity.length;
    quiet = options.quiet;
    json = options.json;
  }

  /** Colour before any option is read, for errors in options. */
  synchronized void setColor(When when) {
    color = when;
  }

  synchronized boolean isJson() {
    return json;
  }

  synchronized int verbosity() {
    return verbosity;
  }

  /** Whether a result or an error object went to standard output already. */
  synchronized boolean hasPrintedResult() {
    return resultPrinted;
  }

  // ---- standard output

  /** A line of results. */
  void result(String line) {
    resultBytes((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Results as they are, flushed: a script may wait for them. */
  synchronized void resultBytes(byte[] bytes) {
    resultPrinted = true;
    if (outBroken) {
      return;
    }
    boolean redraw = statusHeight > 0 && environment.outIsTerminal();
    if (redraw) {
      eraseStatus();
    }
    try {
      out.write(bytes);
      out.flush();
    } catch (IOException e) {
      outBroken = true;
    }
    if (redraw) {
      drawStatus();
    }
  }

  /** Whether a write to standard output has failed. */
  synchronized boolean isOutBroken() {
    return outBroken;
  }

  /** Whether results may be coloured. */
  synchronized boolean isOutColored() {
    return colored(environment.outIsTerminal());
  }

  // ---- standard error

  /** A line that {@code --quiet} leaves out. */
  void note(String line) {
    if (!isQuiet()) {
      print(sanitize(line));
    }
  }

  void warning(String message) {
    print(tag("warning: ", Ansi.Color.YELLOW) + sanitize(message));
  }

  void error(String message) {
    print(tag("error: ", Ansi.Color.RED) + sanitize(message));
  }

  /** The whole stack trace, for {@code -vv}. */
  void trace(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text, true));
    print(text.toString().stripTrailing());
  }

  private synchronized boolean isQuiet() {
    return quiet;
  }

  private synchronized String tag(String word, Ansi.Color foreground) {
    if (!colored(environment.errIsTerminal())) {
      return "cuzk: " + word;
    }
    return "cuzk: " + new Ansi().bold().fg(foreground).a(word).reset();
  }

  /** Text that goes to standard error as it is, such as a usage message. */
  synchronized void print(String text) {
    eraseStatus();
    writeError(text + "\n");
    drawStatus();
  }

  // ---- status lines

  /** How progress is shown. */
  enum ProgressStyle {
    NONE,
    STATUS_LINES,
    LOG_LINES
  }

  synchronized ProgressStyle progressStyle() {
    if (progress == When.NEVER || (progress == When.AUTO && (quiet || json))) {
      return ProgressStyle.NONE;
    }
    return environment.errIsTerminal() && !isDumb()
        ? ProgressStyle.STATUS_LINES
        : ProgressStyle.LOG_LINES;
  }

  /** Replaces the status lines at the bottom of the terminal. */
  synchronized void showStatus(List<String> lines) {
    if (progressStyle() == ProgressStyle.STATUS_LINES) {
      eraseStatus();
      status = List.copyOf(lines);
      drawStatus();
    }
  }

  synchronized void clearStatus() {
    eraseStatus();
    status = List.of();
  }

  private void eraseStatus() {
    if (statusHeight > 0) {
      writeError(new Ansi().cursorUpLine(statusHeight).eraseScreen(Ansi.Erase.FORWARD).toString());
      statusHeight = 0;
    }
  }

  private void drawStatus() {
    if (status.isEmpty()) {
      return;
    }
    int width =
        environment
            .variable("COLUMNS")
            .filter(c -> c.matches("[1-9][0-9]{1,3}"))
            .map(Integer::parseInt)
            .orElse(80);
    StringBuilder text = new StringBuilder();
    for (String line : status) {
      String clean = sanitize(line);
      // A line that wraps would be two lines of the terminal, and erasing would leave one behind.
      text.append(clean, 0, Math.min(clean.length(), width - 1)).append('\n');
    }
    writeError(text.toString());
    statusHeight = status.size();
  }

  // ---- judgement

  private boolean isDumb() {
    return environment.variable("TERM").filter("dumb"::equals).isPresent();
  }

  private boolean colored(boolean terminal) {
    if (color != When.AUTO) {
      return color == When.ALWAYS;
    }
    if (environment.variable("NO_COLOR").isPresent()) {
      return false;
    }
    if (environment.variable("CLICOLOR_FORCE").filter(value -> !value.equals("0")).isPresent()) {
      return true;
    }
    return terminal && !isDumb() && environment.variable("CLICOLOR").filter("0"::equals).isEmpty();
  }

  /** Control characters out of file names and messages of others would reach the terminal. */
  static String sanitize(String text) {
    StringBuilder clean = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean control = Character.isISOControl(c) && c != '\t';
      if (control && clean == null) {
        clean = new StringBuilder(text.substring(0, i));
      }
      if (control) {
        clean.append(String.format("\\x%02x", (int) c));
      } else if (clean != null) {
        clean.append(c);
      }
    }
    return clean == null ? text : clean.toString();
  }

  private void writeError(String text) {
    try {
      err.write(text.getBytes(StandardCharsets.UTF_8));
      err.flush();
    } catch (IOException e) {
      // Nobody reads standard error any more; the work and its exit code do not depend on it.
      statusHeight = 0;
    }
  }

  /** The exit code, with a broken standard output taken into account. */
  synchronized int finish(int exitCode) {
    clearStatus();
    if (outBroken) {
      error("standard output was closed early; not all results were printed");
      return exitCode == ExitCode.OK ? ExitCode.OUTPUT : exitCode;
    }
    return exitCode;
  }
}
