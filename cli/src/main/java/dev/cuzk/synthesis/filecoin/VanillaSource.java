package dev.cuzk.synthesis.filecoin;

import dev.cuzk.format.ByteSource;
import dev.cuzk.format.FileIdentity;
import dev.cuzk.format.InputException;
import dev.cuzk.synthesis.SourceOpener;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The vanilla proofs of a job. They are read once for all of its partitions, as long as memory
 * allows, and again if it was short: thousands of jobs may wait.
 *
 * @param <P> what is read
 */
public final class VanillaSource<P> {
  /** Reads proofs from opened files. */
  @FunctionalInterface
  public interface Reader<P> {
    P read(List<ByteSource> sources) throws InputException;
  }

  private final List<SourceOpener> openers;
  private final Reader<P> reader;
  private final List<Optional<FileIdentity>> identities = new ArrayList<>();
  private long bytes;
  private SoftReference<P> proofs;

  private VanillaSource(List<SourceOpener> openers, Reader<P> reader) {
    this.openers = List.copyOf(openers);
    this.reader = reader;
  }

  /**
   * Reads the files for the first time.
   *
   * @throws InputException if they are malformed
   */
  public static <P> VanillaSource<P> read(List<SourceOpener> openers, Reader<P> reader)
      throws InputException {
    VanillaSource<P> source = new VanillaSource<>(openers, reader);
    source.proofs = new SoftReference<>(source.read());
    return source;
  }

  private P read() throws InputException {
    boolean first = proofs == null;
    List<ByteSource> sources = new ArrayList<>();
    try {
      for (int i = 0; i < openers.size(); i++) {
        ByteSource source = openers.get(i).open();
        sources.add(source);
        if (first) {
          bytes += source.length();
          identities.add(source.identity());
        } else if (!source.identity().equals(identities.get(i))) {
          throw new InputException(
              source.name(), "the input changed since it was checked. Start again with it.");
        }
      }
      return reader.read(sources);
    } finally {
      sources.forEach(ByteSource::close);
    }
  }

  /** Length of the files: proofs in memory take no more. */
  long bytes() {
    return bytes;
  }

  /** The proofs, read again if memory was short. */
  public synchronized P get() throws InputException {
    P known = proofs.get();
    if (known == null) {
      known = read();
      proofs = new SoftReference<>(known);
    }
    return known;
  }
}
