package dev.cuzk.format;

import dev.cuzk.format.Manifest.Ref;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A container ({@code input.bin}) or a manifest of its own ({@code jobs.json}): the jobs, and where
 * the bytes lie that they need. Payloads are never copied out: each is a {@link FileRange} that the
 * readers of its format take like a file.
 *
 * <p>A container is a binfile with magic {@code cuzk}, version 1: section 1 is the manifest, at
 * most 64 MiB; sections from 16 on are payloads, each referred to at least once, starting at
 * multiples of 4,096; sections of id 2 after the manifest are padding.
 */
public final class InputContainer {
  /** Id of the manifest's section. */
  public static final int MANIFEST = 1;

  /** Id of sections that hold nothing of interest. */
  public static final int PADDING = 2;

  /** The first id that a payload can have. */
  public static final int FIRST_PAYLOAD = 16;

  /** Payloads start at multiples of this. */
  public static final int ALIGNMENT = 4096;

  /** The longest manifest. */
  public static final int MAXIMUM_MANIFEST_BYTES = 1 << 26;

  private final Path file;
  private final String name;
  private final Path folder;
  private final Manifest manifest;
  private final Map<Long, Binfile.Section> payloads;
  private final boolean digestsRequired;

  private InputContainer(
      Path file,
      String name,
      Path folder,
      Manifest manifest,
      Map<Long, Binfile.Section> payloads,
      boolean digestsRequired) {
    this.file = file;
    this.name = name;
    this.folder = folder;
    this.manifest = manifest;
    this.payloads = payloads;
    this.digestsRequired = digestsRequired;
  }

  /**
   * Reads a container or a manifest, told by content, with all checks that need no payload's bytes.
   * No file stays open.
   *
   * @param allowOutside paths may be absolute or contain {@code ..}
   * @param digestsRequired as in {@link ManifestReader.Options}
   */
  public static InputContainer open(Path file, boolean allowOutside, boolean digestsRequired)
      throws InputException {
    Path folder = file.getParent() == null ? Path.of("") : file.getParent();
    try (ByteSource source = FileRange.whole(file).open()) {
      return read(source, file, folder, allowOutside, digestsRequired);
    }
  }

  /**
   * Reads a container that came through a pipe into a file; its paths are relative to {@code
   * folder}.
   */
  public static InputContainer openSpooled(
      FileRange spool, Path folder, boolean allowOutside, boolean digestsRequired)
      throws InputException {
    try (ByteSource source = spool.open()) {
      return read(source, spool.path(), folder, allowOutside, digestsRequired);
    }
  }

  /**
   * Reads a manifest that came through a pipe; its paths are relative to {@code folder}.
   *
   * @throws InputException also if it is a container, which must be in a file
   */
  public static InputContainer openManifest(
      ByteSource source, Path folder, boolean allowOutside, boolean digestsRequired)
      throws InputException {
    if (hasMagic(source)) {
      throw new InputException(
          source.name(), "a container cannot come through a pipe. Give it as a file.");
    }
    return read(source, null, folder, allowOutside, digestsRequired);
  }

  private static InputContainer read(
      ByteSource source, Path file, Path folder, boolean allowOutside, boolean digestsRequired)
      throws InputException {
    if (!hasMagic(source)) {
      byte[] json = content(source, 0, source.length());
      Manifest manifest =
          ManifestReader.read(
              source.name(),
              new ByteArrayInputStream(json),
              new ManifestReader.Options(allowOutside, digestsRequired, false));
      return new InputContainer(file, source.name(), folder, manifest, null, digestsRequired);
    }
    Binfile container = Binfile.open(source, BinfileType.CONTAINER);
    Binfile.Section section = container.require(MANIFEST, "the manifest");
    byte[] json = content(source, section.offset(), section.length());
    Manifest manifest =
        ManifestReader.read(
            source.name(),
            new ByteArrayInputStream(json),
            new ManifestReader.Options(allowOutside, digestsRequired, true));
    return new InputContainer(
        file,
        source.name(),
        folder,
        manifest,
        payloads(container, section, manifest),
        digestsRequired);
  }

  private static boolean hasMagic(ByteSource source) throws InputException {
    if (source.length() < 4) {
      return false;
    }
    byte[] magic = new byte[4];
    source.read(0, ByteBuffer.wrap(magic));
    return BinfileType.CONTAINER.magic().equals(new String(magic, StandardCharsets.ISO_8859_1));
  }

  private static byte[] content(ByteSource source, long offset, long length) throws InputException {
    if (length > MAXIMUM_MANIFEST_BYTES) {
      throw InputException.at(
          source.name(),
          "the manifest is too long",
          "offset " + offset,
          "at most " + MAXIMUM_MANIFEST_BYTES + " bytes",
          length);
    }
    byte[] json = new byte[(int) length];
    source.read(offset, ByteBuffer.wrap(json));
    return json;
  }

  /** The payloads by id, after comparing the sections with the manifest. */
  private static Map<Long, Binfile.Section> payloads(
      Binfile container, Binfile.Section manifestSection, Manifest manifest) throws InputException {
    Map<Long, Binfile.Section> payloads = new HashMap<>();
    for (Binfile.Section section : container.sections()) {
      if (section.id() == PADDING && section.offset() < manifestSection.offset()) {
        throw InputException.at(
            container.name(),
            "padding before the manifest",
            place(section),
            "the manifest",
            "padding");
      }
      if (section.id() >= FIRST_PAYLOAD) {
        requireAligned(container.name(), section);
        if (payloads.put(section.id(), section) != null) {
          throw InputException.at(
              container.name(),
              "a section is there twice",
              place(section),
              "one such section",
              "another");
        }
      }
    }
    requireUse(container.name(), payloads, manifest);
    return payloads;
  }

  private static String place(Binfile.Section section) {
    return "section " + section.id() + ", offset " + section.offset();
  }

  private static void requireAligned(String name, Binfile.Section section) throws InputException {
    if (section.offset() % ALIGNMENT != 0) {
      throw InputException.at(
          name,
          "a payload does not start where it should",
          place(section),
          "a multiple of " + ALIGNMENT,
          section.offset());
    }
  }

  private static void requireUse(
      String name, Map<Long, Binfile.Section> payloads, Manifest manifest) throws InputException {
    Set<Long> unused = new TreeSet<>(payloads.keySet());
    for (Ref ref : manifest.refs()) {
      if (ref.section().isEmpty()) {
        continue;
      }
      long id = ref.section().getAsLong();
      unused.remove(id);
      Binfile.Section section = payloads.get(id);
      if (section == null) {
        throw InputException.at(
            name,
            "the manifest refers to a section that does not exist",
            ref.pointer(),
            "section " + id,
            "none");
      }
      if (section.length() != ref.bytes().orElseThrow()) {
        throw InputException.at(
            name,
            "a payload is not as long as the manifest says",
            ref.pointer() + ", " + place(section),
            ref.bytes().getAsLong() + " bytes",
            section.length());
      }
    }
    for (long id : unused) {
      throw InputException.at(
          name,
          "a payload is not used",
          place(payloads.get(id)),
          "a reference to it in the manifest",
          "none");
    }
  }

  /** The jobs and what they share. */
  public Manifest manifest() {
    return manifest;
  }

  /**
   * Where a reference's bytes lie.
   *
   * @throws InputException if there is no such file, or its length is not what the manifest says,
   *     or it is short enough for both to be required and lacks one
   */
  public FileRange resolve(Ref ref) throws InputException {
    if (ref.section().isPresent()) {
      long id = ref.section().getAsLong();
      Binfile.Section section = payloads.get(id);
      return new FileRange(file, name + "#" + id, section.offset(), section.length());
    }
    // As the user named the manifest, so that messages name files in the same way.
    FileRange range = FileRange.whole(folder.resolve(ref.path().orElseThrow()));
    long length = range.identity().size();
    if (ref.bytes().isPresent() && ref.bytes().getAsLong() != length) {
      throw InputException.at(
          range.name(),
          "the file is not as long as the manifest says",
          ref.pointer(),
          ref.bytes().getAsLong() + " bytes",
          length);
    }
    if (digestsRequired
        && (ref.bytes().isEmpty() || ref.sha256().isEmpty())
        && length <= ManifestReader.DIGEST_REQUIRED_BYTES) {
      throw InputException.at(
          range.name(),
          "a file of at most 1 GiB must come with its size and digest",
          ref.pointer(),
          "\"bytes\" and \"sha256\"",
          ref.bytes().isPresent() || ref.sha256().isPresent() ? "one of them" : "neither",
          "Add them, or let cuzk pack do so.");
    }
    return range;
  }

  /**
   * Compares a reference's bytes with its digest.
   *
   * @return the digest; computed where the manifest gives none
   * @throws InputException if they differ
   */
  public String requireDigest(Ref ref, Progress progress) throws InputException {
    FileRange range = resolve(ref);
    String found = Sha256.of(range, progress);
    if (ref.sha256().isPresent() && !ref.sha256().get().equals(found)) {
      throw InputException.at(
          range.name(), "the bytes have another SHA-256", ref.pointer(), ref.sha256().get(), found);
    }
    return found;
  }
}
