package dev.cuzk.batch;

import dev.cuzk.engine.FailureClass;
import dev.cuzk.engine.JobFailure;
import dev.cuzk.format.Closing;
import dev.cuzk.report.HostFacts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Keeps an output folder for one process. The operating system gives the lock back when the process
 * ends, however it ends; the file {@code .lock} stays and says who held it last.
 */
final class FolderLock implements AutoCloseable {
  static final String FILE = ".lock";

  private final FileChannel channel;

  private FolderLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * @throws JobFailure with class OUTPUT if another process holds the folder, or it cannot be
   *     written
   */
  static FolderLock acquire(Path folder) throws JobFailure {
    Path file = folder.resolve(FILE);
    FileChannel channel = null;
    try {
      channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      if (!tryLock(channel)) {
        String holder = Files.readString(file, StandardCharsets.UTF_8).strip();
        channel.close();
        throw new JobFailure(
            FailureClass.OUTPUT,
            folder
                + ": another run is writing into this folder ("
                + (holder.isEmpty() ? "holder unknown" : holder)
                + "). Wait for it, or choose another --out.");
      }
      String holder =
          "process " + ProcessHandle.current().pid() + " on " + HostFacts.hostName() + "\n";
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(holder.getBytes(StandardCharsets.UTF_8)), 0);
      return new FolderLock(channel);
    } catch (IOException e) {
      Closing.quietly(channel);
      throw Failures.unwritable(folder, e);
    }
  }

  private static boolean tryLock(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  @Override
  public void close() {
    Closing.quietly(channel);
  }
}
