package dev.cuzk.batch;

import dev.cuzk.format.InputException;
import dev.cuzk.format.SpecialFiles;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Reads the names of {@code --files-from} one by one on a thread of its own, so that a stop request
 * is obeyed while the list's other end is silent. Reading pauses while nobody takes the names.
 */
final class ListReader implements AutoCloseable {
  private static final int NAMES_AHEAD = 16;

  /**
   * One entry.
   *
   * @param name what the list calls the job; null = the file's name
   * @param number position in the list, from 1
   */
  record Entry(String name, String path, long number) {}

  private record Item(Entry entry, IOException failure) {}

  private static final Item END = new Item(null, null);

  private final BlockingQueue<Item> queue = new ArrayBlockingQueue<>(NAMES_AHEAD);
  private final Opening opening;
  private final int separator;
  private final Thread thread = new Thread(this::readAll, "cuzk-list");
  private boolean ended;

  /** Opens a list; for a pipe this waits for whoever writes to it. */
  @FunctionalInterface
  interface Opening {
    InputStream open() throws IOException;
  }

  /**
   * How a run's list is opened.
   *
   * @throws InputException if it certainly cannot be
   */
  static Opening opening(BatchOptions options) throws InputException {
    if (options.filesFrom().equals("-")) {
      return options::standardInput;
    }
    Path file = Path.of(options.filesFrom());
    try {
      if (Files.isDirectory(file)) {
        throw new InputException(file.toString(), "is a folder. A list is a file of names.");
      }
      if (SpecialFiles.isSpecial(file)) {
        return () -> Files.newInputStream(file);
      }
      InputStream in = Files.newInputStream(file);
      return () -> in;
    } catch (IOException e) {
      throw Digests.unreadable(file, e);
    }
  }

  /**
   * Starts reading.
   *
   * @param nul whether names end with NUL, not with a line end
   */
  ListReader(Opening opening, boolean nul) {
    this.opening = opening;
    this.separator = nul ? 0 : '\n';
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * The next entry, if it comes in time.
   *
   * @return empty when none came in time, or the list has ended: see {@link #ended}
   * @throws IOException if the list cannot be read
   */
  Optional<Entry> poll(long milliseconds) throws IOException, InterruptedException {
    if (ended) {
      return Optional.empty();
    }
    Item item = queue.poll(milliseconds, TimeUnit.MILLISECONDS);
    if (item == null) {
      return Optional.empty();
    }
    ended = item == END || item.failure() != null;
    if (item.failure() != null) {
      throw item.failure();
    }
    return Optional.ofNullable(item.entry());
  }

  boolean ended() {
    return ended;
  }

  private void readAll() {
    try {
      try (InputStream in = new BufferedInputStream(opening.open())) {
        long number = 0;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0; next = in.read()) {
          if (next == separator) {
            number++;
            put(bytes, number);
          } else {
            bytes.write(next);
          }
        }
        put(bytes, number + 1);
        queue.put(END);
      } catch (IOException e) {
        queue.put(new Item(null, e));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void put(ByteArrayOutputStream bytes, long number) throws InterruptedException {
    String text = bytes.toString(fileNameCharset());
    bytes.reset();
    if (text.isEmpty()) {
      return;
    }
    int tab = text.indexOf('\t');
    queue.put(
        new Item(
            tab < 0
                ? new Entry(null, text, number)
                : new Entry(text.substring(0, tab), text.substring(tab + 1), number),
            null));
  }

  /** The charset in which the runtime hands file names to the system. */
  private static Charset fileNameCharset() {
    String name = System.getProperty("sun.jnu.encoding");
    return name != null && Charset.isSupported(name)
        ? Charset.forName(name)
        : Charset.defaultCharset();
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
