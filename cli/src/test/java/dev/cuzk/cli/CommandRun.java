package dev.cuzk.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** One command in this process, with its streams captured. */
record CommandRun(int exitCode, String out, String err) {
  /** Runs with nothing in the environment. */
  static CommandRun of(String... arguments) {
    return new Setup().run(arguments);
  }

  static Setup with(String variable, String value) {
    return new Setup().and(variable, value);
  }

  /** The last line of standard error. */
  String lastError() {
    String[] lines = err.strip().split("\n");
    return lines[lines.length - 1];
  }

  /** What the run finds. */
  static final class Setup {
    private final Map<String, String> variables = new HashMap<>();
    private byte[] in = {};
    private boolean outIsTerminal;
    private boolean errIsTerminal;
    private boolean outClosed;

    Setup and(String variable, String value) {
      variables.put(variable, value);
      return this;
    }

    Setup input(String text) {
      in = text.getBytes(StandardCharsets.UTF_8);
      return this;
    }

    Setup terminals(boolean out, boolean err) {
      outIsTerminal = out;
      errIsTerminal = err;
      return this;
    }

    /** Standard output whose reader is gone. */
    Setup closedOutput() {
      outClosed = true;
      return this;
    }

    CommandRun run(String... arguments) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      ByteArrayOutputStream err = new ByteArrayOutputStream();
      OutputStream broken =
          new OutputStream() {
            @Override
            public void write(int b) throws IOException {
              throw new IOException("Broken pipe");
            }
          };
      int code =
          Main.run(
              new Environment(
                  variables,
                  new ByteArrayInputStream(in),
                  outClosed ? broken : out,
                  err,
                  outIsTerminal,
                  errIsTerminal),
              arguments);
      return new CommandRun(
          code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
  }
}
