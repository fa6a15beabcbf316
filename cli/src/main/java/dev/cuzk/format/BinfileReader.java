package dev.cuzk.format;

/**
 * What the readers of all iden3 files share: they own an opened {@link Binfile}, whose name, bytes
 * and identity are theirs.
 */
abstract class BinfileReader implements AutoCloseable {
  final Binfile file;

  BinfileReader(Binfile file) {
    this.file = file;
  }

  /** Makes a reader of a file whose section table is sound. */
  interface Opening<R> {
    R open(Binfile file) throws InputException;
  }

  /** Opens a source, and owns it from then on: it is closed if its headers are not sound. */
  static <R> R open(ByteSource source, BinfileType type, Opening<R> opening) throws InputException {
    Binfile file = Binfile.open(source, type);
    try {
      return opening.open(file);
    } catch (InputException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** What messages call the file. */
  public String name() {
    return file.name();
  }

  /** The bytes of the whole file, for digests. */
  public ByteSource source() {
    return file.source();
  }

  /** See {@link ByteSource#verifyUnchanged}. */
  public void verifyUnchanged() throws InputException {
    file.verifyUnchanged();
  }

  @Override
  public void close() {
    file.close();
  }
}
