package dev.cuzk.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;

/**
 * A large file that is written out of order under a temporary name in the same folder: {@link
 * #commit} makes it durable and gives it its name, closing without that leaves nothing behind. Not
 * thread-safe.
 */
final class AtomicOutput implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 20;

  private final Path target;
  private final Path temporary;
  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
  private long flushed;
  private boolean committed;

  AtomicOutput(Path target) throws IOException {
    this.target = target;
    SpecialFiles.requireReplaceable(target);
    // Not Files.createTempFile, which would keep the finished file from everybody but its owner.
    String random = Long.toHexString(new SecureRandom().nextLong());
    this.temporary = target.resolveSibling("." + target.getFileName() + "." + random + ".part");
    this.channel =
        FileChannel.open(temporary, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
  }

  /** Bytes written so far. */
  long position() {
    return flushed + buffer.position();
  }

  /** Appends all bytes between position and limit. */
  void write(ByteBuffer bytes) throws IOException {
    if (bytes.remaining() > buffer.remaining()) {
      flush();
    }
    if (bytes.remaining() <= buffer.remaining()) {
      buffer.put(bytes);
      return;
    }
    while (bytes.hasRemaining()) {
      flushed += channel.write(bytes, flushed);
    }
  }

  /** Replaces bytes that were written before. */
  void patch(long position, ByteBuffer bytes) throws IOException {
    flush();
    for (long at = position; bytes.hasRemaining(); ) {
      at += channel.write(bytes, at);
    }
  }

  private void flush() throws IOException {
    buffer.flip();
    while (buffer.hasRemaining()) {
      flushed += channel.write(buffer, flushed);
    }
    buffer.clear();
  }

  /** Completes the file, forces it to the disk and gives it its name. */
  void commit() throws IOException {
    flush();
    channel.force(true);
    channel.close();
    Files.move(
        temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    committed = true;
    try (FileChannel folder =
        FileChannel.open(target.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
      folder.force(true);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    if (!committed) {
      Files.deleteIfExists(temporary);
    }
  }
}
