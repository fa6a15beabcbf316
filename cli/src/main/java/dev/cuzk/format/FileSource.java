package dev.cuzk.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * A file, or a part of it, read with positional reads.
 *
 * <p>Platform behaviour: a {@link FileChannel} is closed for everybody when one thread is
 * interrupted in a read. The interrupted thread gets a {@link CancellationException}; the others
 * open the file again, and see from its identity whether it is still the same.
 */
final class FileSource implements ByteSource {
  private final FileRange range;
  private final FileIdentity identity;
  private final long length;
  private FileChannel channel;
  private boolean closed;

  private FileSource(FileRange range, FileIdentity identity, long length, FileChannel channel) {
    this.range = range;
    this.identity = identity;
    this.length = length;
    this.channel = channel;
  }

  static FileSource open(FileRange range) throws InputException {
    range.requireRegular();
    FileChannel channel = null;
    try {
      channel = FileChannel.open(range.path(), StandardOpenOption.READ);
      FileIdentity identity = FileIdentity.of(range.path());
      long available = identity.size() - range.offset();
      long length = range.length() == FileRange.TO_END ? available : range.length();
      if (length < 0 || length > available) {
        channel.close();
        throw InputException.at(
            range.name(),
            "the file is shorter than what refers to it says",
            "offset " + range.offset(),
            range.length() + " bytes",
            Math.max(0, available));
      }
      return new FileSource(range, identity, length, channel);
    } catch (IOException e) {
      Closing.quietly(channel);
      throw unreadable(range.name(), e);
    }
  }

  static InputException unreadable(String name, IOException e) {
    if (e instanceof NoSuchFileException) {
      return new InputException(name, "there is no such file. Check its name and folder.", e);
    }
    if (e instanceof AccessDeniedException) {
      return new InputException(
          name, "permission to read it was denied. Let this user read it (chmod, chown).", e);
    }
    return new InputException(name, "it cannot be read: " + e.getMessage(), e);
  }

  @Override
  public String name() {
    return range.name();
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public Optional<FileIdentity> identity() {
    return Optional.of(identity);
  }

  @Override
  public void read(long position, ByteBuffer target) throws InputException {
    if (position < 0 || target.remaining() > length - position) {
      throw InputException.at(
          name(),
          "it ends too early",
          "offset " + position,
          target.remaining() + " bytes",
          Math.max(0, length - position));
    }
    int start = target.position();
    while (true) {
      FileChannel current = current();
      try {
        readFully(current, position, target);
        return;
      } catch (ClosedByInterruptException e) {
        throw cancelled(e);
      } catch (ClosedChannelException e) {
        if (Thread.currentThread().isInterrupted()) {
          throw cancelled(e);
        }
        target.position(start);
        reopen(current);
      } catch (IOException e) {
        throw unreadable(name(), e);
      }
    }
  }

  private CancellationException cancelled(IOException cause) {
    CancellationException e = new CancellationException("reading " + name() + " was interrupted");
    e.initCause(cause);
    return e;
  }

  private void readFully(FileChannel from, long position, ByteBuffer target)
      throws IOException, InputException {
    long at = range.offset() + position;
    while (target.hasRemaining()) {
      int count = from.read(target, at);
      if (count < 0) {
        throw InputException.at(
            name(),
            "the file was truncated while it was read",
            "offset " + (at - range.offset()),
            target.remaining() + " more bytes",
            "the end of the file",
            "Run again when nothing else writes to it.");
      }
      at += count;
    }
  }

  private synchronized FileChannel current() {
    if (closed) {
      throw new IllegalStateException(name() + " was closed");
    }
    return channel;
  }

  private synchronized void reopen(FileChannel broken) throws InputException {
    if (closed) {
      throw new IllegalStateException(name() + " was closed");
    }
    if (channel != broken) {
      return;
    }
    try {
      channel = FileChannel.open(range.path(), StandardOpenOption.READ);
    } catch (IOException e) {
      throw unreadable(name(), e);
    }
    verifyUnchanged();
  }

  @Override
  public void verifyUnchanged() throws InputException {
    FileIdentity now;
    try {
      now = FileIdentity.of(range.path());
    } catch (IOException e) {
      throw new InputException(
          name(),
          "input changed: the file went away while it was read. Run again with it in place.",
          e);
    }
    if (!now.equals(identity)) {
      throw new InputException(
          name(),
          "input changed while it was read ("
              + difference(now)
              + "). Run again when nothing else writes to it.");
    }
  }

  private String difference(FileIdentity now) {
    if (now.size() != identity.size()) {
      return "size: expected " + identity.size() + " bytes, found " + now.size();
    }
    if (now.device() != identity.device() || now.inode() != identity.inode()) {
      return "another file has taken its place: expected inode "
          + identity.inode()
          + ", found "
          + now.inode();
    }
    return "its time of change is another one: expected "
        + identity.modifiedNanos()
        + " ns, found "
        + now.modifiedNanos()
        + " ns";
  }

  @Override
  public synchronized void close() {
    closed = true;
    Closing.quietly(channel);
  }
}
