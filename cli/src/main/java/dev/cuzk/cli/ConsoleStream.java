package dev.cuzk.cli;

import java.io.OutputStream;
import java.util.Arrays;

/** Standard output as a stream for results that are files: {@code --proof -}. */
final class ConsoleStream extends OutputStream {
  private final Console console;

  ConsoleStream(Console console) {
    this.console = console;
  }

  @Override
  public void write(int value) {
    console.resultBytes(new byte[] {(byte) value});
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    console.resultBytes(Arrays.copyOfRange(bytes, offset, offset + length));
  }
}
