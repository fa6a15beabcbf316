package dev.cuzk.synthesis.circom;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * Where one JSON input of a circom program comes from. It is read once, in pieces, when its witness
 * is made.
 */
public interface CircomInput {
  /** The file, as the user named it, for messages. */
  String name();

  /** A stream of the JSON text in UTF-8; the caller closes it. */
  InputStream open() throws IOException;

  /** A file of its own. */
  static CircomInput file(Path file) {
    return range(file.toString(), file, 0, Long.MAX_VALUE);
  }

  /** Text in memory, for example standard input's. */
  static CircomInput text(String name, byte[] utf8) {
    return new CircomInput() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public InputStream open() {
        return new ByteArrayInputStream(utf8);
      }
    };
  }

  /**
   * A part of a container.
   *
   * @param offset of the first byte
   * @param length in bytes; beyond the file's end the text ends with the file
   */
  static CircomInput range(String name, Path file, long offset, long length) {
    return new CircomInput() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public InputStream open() throws IOException {
        FileChannel channel = FileChannel.open(file);
        channel.position(offset);
        return new BufferedInputStream(new Limited(channel, length), 1 << 16);
      }
    };
  }

  /** The next so many bytes of a channel. */
  final class Limited extends InputStream {
    private final InputStream inner;
    private long rest;

    private Limited(FileChannel channel, long length) {
      this.inner = Channels.newInputStream(channel);
      this.rest = length;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (rest == 0) {
        return length == 0 ? 0 : -1;
      }
      int count = inner.read(target, offset, (int) Math.min(length, rest));
      rest -= Math.max(count, 0);
      return count;
    }

    @Override
    public void close() throws IOException {
      inner.close();
    }
  }
}
