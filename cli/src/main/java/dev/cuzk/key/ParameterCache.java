package dev.cuzk.key;

import dev.cuzk.format.ByteSource;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The folder in which Filecoin's parameters lie under the names that the network gave them, and the
 * digests that it published for them: the first 16 bytes of BLAKE2b-512, in hex. Names and digests
 * are in the resource {@code filecoin-parameters.tsv}.
 */
public final class ParameterCache {
  /** Where the reference looks when nothing else is said. */
  public static final Path DEFAULT_FOLDER = Path.of("/var/tmp/filecoin-proof-parameters");

  private static final String PREFIX = "v28-";
  private static final int COLUMNS = 4;
  private static final String UNPUBLISHED = "-";

  /** How sure it is that a file is the published one; reports print these in lower case. */
  public enum State {
    /** Its digest was computed and is the published one. */
    VERIFIED,
    /** As verified, in an earlier run; the file has not changed since. */
    REMEMBERED,
    /** Nobody looked, or nothing is published for it. */
    NOT_CHECKED;

    /** {@code not checked}. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /** Published parameters: the file names' stem and two digests, of which both may be missing. */
  private record Entry(String stem, String paramsDigest, String vkDigest) {}

  private static final class Published {
    private static final Map<String, Entry> ENTRIES = read();

    private static Map<String, Entry> read() {
      Map<String, Entry> entries = new LinkedHashMap<>();
      try (InputStream in = ParameterCache.class.getResourceAsStream("filecoin-parameters.tsv")) {
        String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        for (String line : text.split("\n")) {
          String[] columns = line.split("\t");
          if (columns.length == COLUMNS) {
            entries.put(columns[0], new Entry(PREFIX + columns[1], columns[2], columns[3]));
          }
        }
        return entries;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private final Path folder;

  /** A folder that need not exist. */
  public ParameterCache(Path folder) {
    this.folder = folder;
  }

  public Path folder() {
    return folder;
  }

  /** Whether parameters of that circuit have a name. */
  public static boolean knows(String circuit) {
    return Published.ENTRIES.containsKey(circuit);
  }

  /**
   * The circuit's proving key.
   *
   * @param circuit for example {@code porep-32GiB}
   * @throws InputException if it is not there
   */
  public Path params(String circuit) throws InputException {
    return find(circuit, ".params");
  }

  /** The circuit's verifying key. */
  public Path verifyingKey(String circuit) throws InputException {
    return find(circuit, ".vk");
  }

  private Path find(String circuit, String ending) throws InputException {
    Path file = folder.resolve(entry(circuit).stem() + ending);
    if (!Files.exists(file)) {
      throw new InputException(
          file.toString(),
          "the parameters of "
              + circuit
              + " are not there. Fetch them (lotus fetch-params, curio fetch-params), or say where"
              + " they are with --param-cache DIR.");
    }
    return file;
  }

  private static Entry entry(String circuit) {
    Entry entry = Published.ENTRIES.get(circuit);
    if (entry == null) {
      throw new IllegalArgumentException("no parameters are known for " + circuit);
    }
    return entry;
  }

  /**
   * Compares a file's digest with the published one.
   *
   * @param proving the .params; otherwise the .vk
   * @param trust nobody looks
   * @throws InputException if it is another one
   */
  public static State check(
      String circuit,
      boolean proving,
      FileRange file,
      KeyDigest digests,
      boolean trust,
      Progress progress)
      throws InputException {
    Entry entry = entry(circuit);
    String published = proving ? entry.paramsDigest() : entry.vkDigest();
    if (trust || published.equals(UNPUBLISHED)) {
      return State.NOT_CHECKED;
    }
    return compare(circuit, published, file, digests, progress);
  }

  static State compare(
      String circuit, String published, FileRange file, KeyDigest digests, Progress progress)
      throws InputException {
    KeyDigest.Result found;
    try (ByteSource source = file.open()) {
      found = digests.published(source, file.offset(), progress);
    }
    if (!found.hex().equals(published)) {
      throw InputException.at(
          file.name(),
          "it is not the published file of " + circuit,
          "first 16 bytes of BLAKE2b-512",
          published,
          found.hex(),
          "Fetch it again; --trust-params takes it as it is.");
    }
    return found.state() == KeyDigest.State.REMEMBERED ? State.REMEMBERED : State.VERIFIED;
  }
}
