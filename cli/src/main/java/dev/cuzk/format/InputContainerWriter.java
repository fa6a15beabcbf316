package dev.cuzk.format;

import dev.cuzk.format.Manifest.Ref;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;

/** Writes containers: the manifest, then each payload at a multiple of 4,096. */
public final class InputContainerWriter {
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int SECTION_HEADER_BYTES = 12;

  private InputContainerWriter() {}

  /**
   * Writes a whole container under its name, or nothing.
   *
   * @param manifest refers to each payload, with the length and digest that it has
   * @param payloads what goes into which section; ids from 16 on
   * @throws InputException if a payload cannot be read, or is not what the manifest says (any more)
   * @throws IOException if the container cannot be written
   */
  public static void write(
      Path target, Manifest manifest, SortedMap<Long, FileRange> payloads, Progress progress)
      throws IOException, InputException {
    byte[] json = ManifestWriter.toJson(manifest);
    if (json.length > InputContainer.MAXIMUM_MANIFEST_BYTES) {
      throw InputException.at(
          target.toString(),
          "the manifest is too long",
          "section 1",
          "at most " + InputContainer.MAXIMUM_MANIFEST_BYTES + " bytes",
          json.length,
          "Put fewer jobs into one container.");
    }
    Map<Long, Ref> refs = refs(manifest);
    long total = refs.values().stream().mapToLong(ref -> ref.bytes().orElseThrow()).sum();
    try (BinfileWriter file = new BinfileWriter(target, BinfileType.CONTAINER)) {
      file.begin(InputContainer.MANIFEST);
      file.bytes(json);
      file.end();
      long done = 0;
      for (Map.Entry<Long, FileRange> payload : payloads.entrySet()) {
        Ref ref = refs.remove(payload.getKey());
        if (ref == null) {
          throw new IllegalArgumentException("the manifest does not use " + payload.getKey());
        }
        pad(file);
        file.begin(payload.getKey());
        done = copy(payload.getValue(), ref, file, done, total, progress);
        file.end();
      }
      if (!refs.isEmpty()) {
        throw new IllegalArgumentException("no payload for sections " + refs.keySet());
      }
      file.commit();
    }
  }

  private static Map<Long, Ref> refs(Manifest manifest) {
    Map<Long, Ref> refs = new HashMap<>();
    for (Ref ref : manifest.refs()) {
      if (ref.section().isPresent()) {
        refs.put(ref.section().getAsLong(), ref);
      }
    }
    return refs;
  }

  /** Lets the next section's content start at a multiple of the alignment. */
  private static void pad(BinfileWriter file) throws IOException {
    long next = file.position() + SECTION_HEADER_BYTES;
    if (next % InputContainer.ALIGNMENT == 0) {
      return;
    }
    long past = (next + SECTION_HEADER_BYTES) % InputContainer.ALIGNMENT;
    file.begin(InputContainer.PADDING);
    file.bytes(new byte[(int) ((InputContainer.ALIGNMENT - past) % InputContainer.ALIGNMENT)]);
    file.end();
  }

  private static long copy(
      FileRange from, Ref ref, BinfileWriter file, long before, long total, Progress progress)
      throws IOException, InputException {
    MessageDigest digest = Sha256.create();
    byte[] chunk = new byte[CHUNK_BYTES];
    long done = before;
    try (ByteSource source = from.open()) {
      if (source.length() != ref.bytes().orElseThrow()) {
        throw InputException.at(
            source.name(), "input changed", "its length", ref.bytes().getAsLong(), source.length());
      }
      for (long at = 0; at < source.length(); ) {
        int count = (int) Math.min(chunk.length, source.length() - at);
        source.read(at, ByteBuffer.wrap(chunk, 0, count));
        digest.update(chunk, 0, count);
        file.bytes(ByteBuffer.wrap(chunk, 0, count));
        at += count;
        done += count;
        progress.progressed(done, total);
      }
      String found = Sha256.hex(digest.digest());
      if (!found.equals(ref.sha256().orElseThrow())) {
        throw InputException.at(
            source.name(), "input changed", "its SHA-256", ref.sha256().get(), found);
      }
    }
    return done;
  }
}
