package dev.cuzk.batch;

import dev.cuzk.format.ByteSource;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.Progress;
import dev.cuzk.format.Sha256;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The bytes of an input: a file, a part of one, or what came through standard input. Opened as
 * often as they are needed, so that thousands of waiting jobs hold no file open.
 */
sealed interface Content {
  /** What messages call it. */
  String name();

  ByteSource open() throws InputException;

  /** The file behind it. */
  Optional<Path> file();

  /** 64 hex digits over all bytes. */
  default String sha256() throws InputException {
    try (ByteSource source = open()) {
      return Sha256.of(source, Progress.NONE);
    }
  }

  static Content of(Path file) {
    return new InFile(FileRange.whole(file));
  }

  /** A file or a part of one. */
  record InFile(FileRange range) implements Content {
    @Override
    public String name() {
      return range.name();
    }

    @Override
    public ByteSource open() throws InputException {
      return range.open();
    }

    @Override
    public Optional<Path> file() {
      return Optional.of(range.path());
    }
  }

  /** What a pipe brought, kept in a file for the time of the run. */
  record Spooled(FileRange range) implements Content {
    @Override
    public String name() {
      return range.name();
    }

    @Override
    public ByteSource open() throws InputException {
      return range.open();
    }

    @Override
    public Optional<Path> file() {
      return Optional.empty();
    }
  }

  /** What a pipe brought, small enough for memory. */
  record InMemory(String name, byte[] bytes) implements Content {
    @Override
    public ByteSource open() {
      return ByteSource.of(name, bytes);
    }

    @Override
    public Optional<Path> file() {
      return Optional.empty();
    }
  }
}
