package dev.cuzk.batch;

import dev.cuzk.engine.JobFailure;
import dev.cuzk.engine.MeteredLock;
import dev.cuzk.format.Closing;
import dev.cuzk.format.InputException;
import dev.cuzk.report.EngineFigures.LockFigures;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * {@code journal.jsonl}: what an output folder's runs have accepted, one JSON object a line, only
 * ever appended to (docs/FORMATS.md, "Journal"). A group of lines is forced to the disk before its
 * proofs count as accepted. A last line without its line end is what a kill left; it is cut off
 * when the journal is opened, and any other line whose checksum does not fit is passed over.
 *
 * <p>Not safe for use by several threads, {@link #append} excepted.
 */
final class Journal implements AutoCloseable {
  static final String FILE = "journal.jsonl";

  private final Path file;
  private final MeteredLock lock = MeteredLock.ofFiles("journal");
  private final FileChannel channel;
  private final Map<String, Entry> entries;
  private final int brokenLines;
  private long length;

  /** Where the accepted partitions of one name stand, and what they were made from. */
  static final class Entry {
    private final JournalLine.Source source;
    private final int partitions;
    private final TreeMap<Integer, long[]> places = new TreeMap<>();

    private Entry(JournalLine.Source source, int partitions) {
      this.source = source;
      this.partitions = partitions;
    }

    JournalLine.Source source() {
      return source;
    }

    int partitions() {
      return partitions;
    }

    boolean complete() {
      return places.size() == partitions;
    }
  }

  private Journal(
      Path file, FileChannel channel, Map<String, Entry> entries, long length, int brokenLines) {
    this.file = file;
    this.channel = channel;
    this.entries = entries;
    this.length = length;
    this.brokenLines = brokenLines;
  }

  /**
   * Reads what is there and opens it for appending; makes it if there is none.
   *
   * @throws InputException if it is of a later version
   * @throws JobFailure if it cannot be read or written
   */
  static Journal open(Path file) throws InputException, JobFailure {
    FileChannel channel = null;
    try {
      boolean fresh = !Files.exists(file);
      channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      Reader reader = new Reader(file);
      reader.read();
      if (channel.size() > reader.goodLength) {
        channel.truncate(reader.goodLength);
        channel.force(true);
      }
      if (fresh) {
        AtomicFiles.forceFolder(AtomicFiles.folderOf(file));
      }
      return new Journal(file, channel, reader.entries, reader.goodLength, reader.brokenLines);
    } catch (IOException e) {
      Closing.quietly(channel);
      throw Failures.unwritable(file, e);
    } catch (InputException e) {
      Closing.quietly(channel);
      throw e;
    }
  }

  /**
   * What a journal says.
   *
   * @param linesByName the accepted partitions of each name, by ascending index
   * @param ended whether its last run came to its end
   */
  record Contents(Map<String, List<JournalLine>> linesByName, boolean ended) {}

  /** Reads a journal without touching it; empty if there is none. */
  static Contents load(Path file) throws InputException {
    Map<String, List<JournalLine>> lines = new LinkedHashMap<>();
    if (!Files.exists(file)) {
      return new Contents(lines, false);
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      Reader reader = new Reader(file);
      reader.read();
      for (Map.Entry<String, Entry> entry : reader.entries.entrySet()) {
        lines.put(entry.getKey(), linesOf(file, channel, entry.getValue()));
      }
      return new Contents(lines, reader.ended);
    } catch (IOException e) {
      throw Digests.unreadable(file, e);
    }
  }

  /** Lines in the middle that were passed over because they are damaged. */
  int brokenLines() {
    return brokenLines;
  }

  /** Whether any proof was ever accepted here. */
  boolean isEmpty() {
    return entries.isEmpty();
  }

  Optional<Entry> find(String name) {
    return Optional.ofNullable(entries.get(name));
  }

  /** The accepted partitions of an entry, by ascending index. */
  List<JournalLine> read(Entry entry) throws InputException {
    try {
      return linesOf(file, channel, entry);
    } catch (IOException e) {
      throw Digests.unreadable(file, e);
    }
  }

  private static List<JournalLine> linesOf(Path file, FileChannel channel, Entry entry)
      throws IOException, InputException {
    List<JournalLine> lines = new ArrayList<>();
    for (long[] place : entry.places.values()) {
      ByteBuffer bytes = ByteBuffer.allocate((int) place[1]);
      long at = place[0];
      while (bytes.hasRemaining()) {
        int read = channel.read(bytes, at);
        if (read < 0) {
          throw new InputException(file.toString(), "became shorter while it was read. Run again.");
        }
        at += read;
      }
      lines.add(
          JournalLine.parse(bytes.array())
              .orElseThrow(
                  () ->
                      new InputException(
                          file.toString(), "changed while it was read. Run again.")));
    }
    return lines;
  }

  /** Notes the beginning of a run. */
  void beginRun(String toolVersion, double time) throws JobFailure {
    append(JournalLine.beginOfRun(toolVersion, time));
  }

  /** Notes the end of a run. */
  void endRun(int exitCode, double time) throws JobFailure {
    append(JournalLine.endOfRun(exitCode, time));
  }

  /**
   * Makes accepted partitions durable, all of them or, when it throws, none.
   *
   * @throws JobFailure with class OUTPUT
   */
  void accept(List<JournalLine> lines) throws JobFailure {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (JournalLine line : lines) {
      bytes.writeBytes(line.toBytes());
    }
    append(bytes.toByteArray());
  }

  /** What was measured of its lock. */
  LockFigures lockFigures() {
    return lock.figures();
  }

  private void append(byte[] bytes) throws JobFailure {
    MeteredLock.slow("writing the journal");
    lock.lock();
    try {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      long at = length;
      while (buffer.hasRemaining()) {
        at += channel.write(buffer, at);
      }
      channel.force(true);
      length = at;
    } catch (IOException e) {
      cutBack();
      throw Failures.unwritable(file, e);
    } finally {
      lock.unlock();
    }
  }

  /** Half a group must not stand before the next one; if cutting fails too, its checksum tells. */
  private void cutBack() {
    try {
      channel.truncate(length);
    } catch (IOException e) {
      length = Long.MAX_VALUE;
    }
  }

  @Override
  public void close() {
    Closing.quietly(channel);
  }

  /** Goes through a journal's lines once. */
  private static final class Reader {
    private final Path file;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private long goodLength;
    private int brokenLines;
    private boolean ended;

    Reader(Path file) {
      this.file = file;
    }

    void read() throws IOException, InputException {
      try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next >= 0; next = in.read()) {
          line.write(next);
          if (next == '\n') {
            take(line.toByteArray());
            goodLength += line.size();
            line.reset();
          }
        }
      }
    }

    private void take(byte[] bytes) throws InputException {
      ended = JournalLine.isEnd(bytes);
      if (JournalLine.isRun(bytes)) {
        JournalLine.requireVersion(file, bytes);
        return;
      }
      Optional<JournalLine> parsed = JournalLine.parse(bytes);
      if (parsed.isEmpty()) {
        if (!JournalLine.intact(bytes)) {
          brokenLines++;
        }
        return;
      }
      JournalLine line = parsed.get();
      Entry entry = entries.get(line.name());
      if (entry == null
          || !entry.source.sameAs(line.source())
          || entry.partitions != line.partitions()) {
        entry = new Entry(line.source(), line.partitions());
        entries.put(line.name(), entry);
      }
      entry.places.put(line.partition(), new long[] {goodLength, bytes.length});
    }
  }
}
