package dev.cuzk.synthesis.filecoin;

import dev.cuzk.format.ByteSource;
import dev.cuzk.format.InputException;
import dev.cuzk.synthesis.SourceOpener;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.List;

/**
 * The vanilla proofs of a job. They are read once for all of its partitions, as long as memory
 * allows, and again if it was short: thousands of jobs may wait.
 *
 * @param <P> what is read
 */
public final class VanillaSource<P> {
  /** Reads proofs and checks them as far as that takes no hashing of paths. */
  @FunctionalInterface
  public interface Reader<P> {
    P read(List<ByteSource> sources) throws InputException;
  }

  private final List<SourceOpener> openers;
  private final Reader<P> reader;
  private final long bytes;
  private SoftReference<P> proofs;

  private VanillaSource(List<SourceOpener> openers, Reader<P> reader, P first, long bytes) {
    this.openers = openers;
    this.reader = reader;
    this.proofs = new SoftReference<>(first);
    this.bytes = bytes;
  }

  /**
   * Reads the files for the first time.
   *
   * @throws InputException if they are malformed or do not fit what they are to bear out
   */
  public static <P> VanillaSource<P> read(List<SourceOpener> openers, Reader<P> reader)
      throws InputException {
    long[] length = new long[1];
    P proofs = read(openers, reader, length);
    return new VanillaSource<>(List.copyOf(openers), reader, proofs, length[0]);
  }

  private static <P> P read(List<SourceOpener> openers, Reader<P> reader, long[] length)
      throws InputException {
    List<ByteSource> sources = new ArrayList<>();
    try {
      for (SourceOpener opener : openers) {
        ByteSource source = opener.open();
        sources.add(source);
        length[0] += source.length();
      }
      return reader.read(sources);
    } finally {
      for (ByteSource source : sources) {
        source.close();
      }
    }
  }

  /** Length of the files: proofs in memory take no more. */
  long bytes() {
    return bytes;
  }

  synchronized P get() throws InputException {
    P known = proofs.get();
    if (known == null) {
      known = read(openers, reader, new long[1]);
      proofs = new SoftReference<>(known);
    }
    return known;
  }
}
