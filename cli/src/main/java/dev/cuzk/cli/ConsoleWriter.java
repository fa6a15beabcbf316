package dev.cuzk.cli;

import java.io.Writer;
import java.nio.charset.StandardCharsets;

/** Lets picocli print help and version through the console, so that a closed pipe is noticed. */
final class ConsoleWriter extends Writer {
  private final Console console;
  private final StringBuilder pending = new StringBuilder();

  ConsoleWriter(Console console) {
    this.console = console;
  }

  @Override
  public void write(char[] characters, int offset, int length) {
    pending.append(characters, offset, length);
  }

  @Override
  public void flush() {
    if (!pending.isEmpty()) {
      console.resultBytes(pending.toString().getBytes(StandardCharsets.UTF_8));
      pending.setLength(0);
    }
  }

  @Override
  public void close() {
    flush();
  }
}
