package dev.cuzk.key;

import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.ParamsFile;
import dev.cuzk.format.ParamsFile.Section;
import dev.cuzk.math.CurveId;
import dev.cuzk.proof.BellmanVerifyingKey;
import dev.cuzk.proof.VerifyingKey;
import dev.cuzk.proof.VerifyingKeyCheck;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A proving key in a bellman .params file. It holds no constraint matrices: whoever proves with it
 * knows the circuit, and adds them.
 *
 * <p>Opening reads a kilobyte; points stream from the file when they are asked for. Safe for use by
 * several threads.
 */
public final class ParamsKey extends FileKey {
  private final ParamsFile file;
  private BellmanVerifyingKey verifyingKey;

  private ParamsKey(FileRange range, ParamsFile file, KeyDigest digests) {
    super(range, file.source(), digests);
    this.file = file;
  }

  /** Opens a key whose digest is not remembered between runs. */
  public static ParamsKey open(Path path) throws InputException {
    return open(FileRange.whole(path), KeyDigest.forgetful());
  }

  /**
   * Opens a key.
   *
   * @throws InputException if it is a verifying key alone, is truncated, or contradicts itself
   */
  public static ParamsKey open(FileRange range, KeyDigest digests) throws InputException {
    ParamsFile file = ParamsFile.open(range);
    if (file.isVerifyingKey()) {
      file.close();
      throw new InputException(
          range.name(),
          "it is a verifying key (.vk), and proving needs the .params file beside it");
    }
    return new ParamsKey(range, file, digests);
  }

  @Override
  public CurveId curve() {
    return ParamsFile.CURVE;
  }

  @Override
  public QuotientForm quotient() {
    return QuotientForm.MONOMIAL;
  }

  @Override
  public PointEncoding pointEncoding() {
    return PointEncoding.UNCOMPRESSED_BIG_ENDIAN;
  }

  @Override
  public int domainLog2() {
    return Long.numberOfTrailingZeros(file.count(Section.H) + 1);
  }

  @Override
  public long variables() {
    return file.count(Section.IC) + file.count(Section.L);
  }

  @Override
  public int publicInputs() {
    return (int) file.count(Section.IC) - 1;
  }

  @Override
  public long entryCount() {
    return 0;
  }

  @Override
  public long count(Query query) {
    return file.count(section(query));
  }

  /** The file has alpha1, beta1, beta2, gamma2, delta1, delta2. */
  @Override
  public byte[] singlePoints() {
    int g1 = curve().pointBytes(false);
    int g2 = curve().pointBytes(true);
    byte[] all = file.singlePoints();
    return ByteBuffer.allocate(3 * g1 + 2 * g2)
        .put(all, 0, 2 * g1)
        .put(all, 2 * g1 + 2 * g2, g1)
        .put(all, 2 * g1, g2)
        .put(all, 3 * g1 + 2 * g2, g2)
        .array();
  }

  @Override
  public void readPoints(Query query, long first, int count, ByteBuffer target)
      throws InputException {
    file.readPoints(section(query), first, count, target);
    file.verifyUnchanged();
  }

  @Override
  public void readEntries(long first, int count, ByteBuffer target) {
    if (count != 0) {
      throw new IndexOutOfBoundsException("a .params file has no matrix entries");
    }
  }

  @Override
  public Optional<FileRange> pointsInFile(Query query) {
    Section section = section(query);
    long offset = range().offset() + file.offset(section);
    return Optional.of(new FileRange(path(), name(), offset, count(query) * section.pointBytes()));
  }

  @Override
  public String place(Query query, long index) {
    return file.place(section(query), index);
  }

  @Override
  public String entryPlace(long index) {
    throw new IndexOutOfBoundsException("a .params file has no matrix entries");
  }

  private static Section section(Query query) {
    return switch (query) {
      case A -> Section.A;
      case B1 -> Section.B1;
      case B2 -> Section.B2;
      case L -> Section.L;
      case H -> Section.H;
    };
  }

  @Override
  public VerifyingKey verifyingKey() throws InputException {
    return bellmanVerifyingKey().key();
  }

  /** The verifying key with the points that only bellman keeps; checked. */
  public synchronized BellmanVerifyingKey bellmanVerifyingKey() throws InputException {
    if (verifyingKey == null) {
      BellmanVerifyingKey read = BellmanVerifyingKey.read(file);
      VerifyingKeyCheck.requireSound(name(), read.key());
      verifyingKey = read;
    }
    return verifyingKey;
  }
}
