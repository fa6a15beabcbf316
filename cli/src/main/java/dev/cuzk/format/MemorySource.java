package dev.cuzk.format;

import java.nio.ByteBuffer;
import java.util.Optional;

/** Bytes in memory as a source. */
final class MemorySource implements ByteSource {
  private final String name;
  private final byte[] bytes;

  MemorySource(String name, byte[] bytes) {
    this.name = name;
    this.bytes = bytes;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long length() {
    return bytes.length;
  }

  @Override
  public void read(long position, ByteBuffer target) throws InputException {
    if (position < 0 || position + target.remaining() > bytes.length) {
      throw InputException.at(
          name,
          "it ends too early",
          "offset " + position,
          target.remaining() + " bytes",
          Math.max(0, bytes.length - position));
    }
    target.put(bytes, (int) position, target.remaining());
  }

  @Override
  public void verifyUnchanged() {
    // Memory that nobody else holds cannot have changed.
  }

  @Override
  public Optional<FileIdentity> identity() {
    return Optional.empty();
  }

  @Override
  public void close() {
    // Nothing is held open.
  }
}
