package dev.cuzk.key;

import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.proof.VerifyingKey;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A proving key as a view on its file: header values are read when it is opened, points and matrix
 * entries in pieces when a device asks. Opening checks everything that costs no more than reading
 * the headers: section table against the file's length, counts against each other, curve, protocol.
 *
 * <p>Safe for use by several threads. A read past what the file now holds, or after the file
 * changed, is an {@link InputException}.
 */
public interface ProvingKey extends AutoCloseable {
  /** The file, as the user named it. */
  Path path();

  CurveId curve();

  QuotientForm quotient();

  PointEncoding pointEncoding();

  /** The domain has 2^domainLog2 rows. */
  int domainLog2();

  /** Scalars in an assignment, the constant ONE at index 0 counted. */
  long variables();

  /** Public inputs, ONE not counted: assignment indices 1 … publicInputs. */
  int publicInputs();

  /** Entries of the constraint matrices that the file holds (A and B; .zkey section 4). */
  long entryCount();

  /** Points in a query. */
  long count(Query query);

  /**
   * alpha1, beta1, delta1 (G1), beta2, delta2 (G2), back to back in {@link #pointEncoding()}, as
   * {@code cuzk_key_create} wants them.
   */
  byte[] singlePoints();

  /**
   * Puts points first … first + count − 1 of a query into {@code target}, which has room for
   * exactly that many.
   *
   * @throws InputException if the file is shorter than it was, or was changed since it was opened
   */
  void readPoints(Query query, long first, int count, ByteBuffer target) throws InputException;

  /**
   * Whether this is a test key that is known by the logarithms of its points, to the base of the
   * generators, and not by the points.
   */
  default boolean knowsLogarithms() {
    return false;
  }

  /**
   * Puts the logarithms of points first … first + count − 1 into {@code target}: scalars of 32
   * bytes, canonical, little-endian.
   */
  default void readLogarithms(Query query, long first, int count, ByteBuffer target)
      throws InputException {
    throw new UnsupportedOperationException("the logarithms of a key's points are not known");
  }

  /**
   * Puts matrix entries first … first + count − 1 into {@code target}, 44 bytes each as {@code
   * cuzk_entry} in cuzk.h, values times R² (CUZK_SCALARS_MONTGOMERY_SQUARED_LE).
   */
  void readEntries(long first, int count, ByteBuffer target) throws InputException;

  /**
   * Where the points of a query lie back to back in a file, for a device that reads them itself;
   * empty if there is no such file.
   */
  default Optional<FileRange> pointsInFile(Query query) {
    return Optional.empty();
  }

  /**
   * All entries of the constraint matrices as gadgets at places, for a device that expands them
   * itself: docs/FORMATS.md, "Compact matrices", from the modulus on, in a direct buffer. Empty
   * where only {@link #readEntries} has them.
   */
  default Optional<ByteBuffer> compactMatrices() {
    return Optional.empty();
  }

  /** Where a point stands in the file, for messages: {@code section 5, offset 1234}. */
  String place(Query query, long index);

  /** Where a matrix entry stands in the file, for messages. */
  String entryPlace(long index);

  /**
   * The verifying key that this proving key carries. Its points are checked: on the curve, in the
   * subgroup.
   */
  VerifyingKey verifyingKey() throws InputException;

  /** SHA-256 over the whole file, 64 hex digits; computed once, then remembered. */
  String sha256() throws InputException;

  @Override
  void close();
}
