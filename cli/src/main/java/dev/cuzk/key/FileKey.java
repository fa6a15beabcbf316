package dev.cuzk.key;

import dev.cuzk.format.ByteSource;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.Progress;
import java.nio.file.Path;
import java.util.Optional;

/** A proving key in a file, or in one that lies inside a container: its name and its digest. */
public abstract class FileKey implements ProvingKey {
  private final FileRange range;
  private final ByteSource source;
  private final KeyDigest digests;
  private KeyDigest.Result digest;

  FileKey(FileRange range, ByteSource source, KeyDigest digests) {
    this.range = range;
    this.source = source;
    this.digests = digests;
  }

  /** Where the key lies. */
  final FileRange range() {
    return range;
  }

  @Override
  public final Path path() {
    return range.path();
  }

  /** What messages call the key: its path, or {@code input.bin#17} inside a container. */
  public final String name() {
    return range.name();
  }

  @Override
  public final String sha256() throws InputException {
    return digest(Progress.NONE).hex();
  }

  /**
   * The digest of the whole key, and whether it was remembered; computed once, progress is heard if
   * the file must be read.
   */
  public final synchronized KeyDigest.Result digest(Progress progress) throws InputException {
    if (digest == null) {
      digest = digests.of(source, range.offset(), progress);
    }
    return digest;
  }

  /** The digest if it is known without reading the key; empty if not. */
  public final synchronized Optional<KeyDigest.Result> remembered() throws InputException {
    if (digest == null) {
      digest = digests.known(source, range.offset()).orElse(null);
    }
    return Optional.ofNullable(digest);
  }

  @Override
  public final void close() {
    source.close();
  }
}
