package dev.cuzk.format;

import dev.cuzk.math.CurveId;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * A Groth16 key over BLS12-381 as bellman and its descendants write it: a verifying key (.vk), or a
 * proving key (.params) that begins with one. Points are affine, canonical, big-endian, c1 before
 * c0, counts big-endian; docs/FORMATS.md has all of it byte for byte. Neither file has a magic
 * number: what tells them is that the counts explain every byte.
 *
 * <p>Opening reads the single points and the counts, a kilobyte, and compares them with the file's
 * length. Points are read in pieces. Safe for use by several threads.
 */
public final class ParamsFile implements AutoCloseable {
  /** The only curve that the format has in use. */
  public static final CurveId CURVE = CurveId.BLS12_381;

  /** Bytes before the first count: alpha1, beta1, beta2, gamma2, delta1, delta2. */
  static final int SINGLE_BYTES = 3 * CURVE.pointBytes(false) + 3 * CURVE.pointBytes(true);

  /** The bits of a point's first byte that say something else than its value. */
  private static final int FLAGS = 0xe0;

  /** Lists of points, in the file's order; each begins with its count, u32. */
  public enum Section {
    /** ONE and each public input. */
    IC("ic", false),
    /** The quotient's basis, one less than the domain has rows. */
    H("h", false),
    /** Each auxiliary variable. */
    L("l", false),
    /** Each input, and the auxiliary variables that occur in A. */
    A("a", false),
    /** The variables that occur in B, inputs first. */
    B1("b_g1", false),
    /** The same variables. */
    B2("b_g2", true);

    private final String title;
    private final boolean g2;

    Section(String title, boolean g2) {
      this.title = title;
      this.g2 = g2;
    }

    /** bellman's name: {@code b_g1}. */
    public String title() {
      return title;
    }

    /** Bytes of a point. */
    public int pointBytes() {
      return CURVE.pointBytes(g2);
    }
  }

  /** Where a list's points begin, and how many there are. */
  private record Extent(long offset, long count) {
    long end(Section section) {
      return offset + count * section.pointBytes();
    }
  }

  private final ByteSource source;
  private final byte[] singlePoints;
  private final Map<Section, Extent> extents;

  private ParamsFile(ByteSource source, byte[] singlePoints, Map<Section, Extent> extents) {
    this.source = source;
    this.singlePoints = singlePoints;
    this.extents = extents;
  }

  /** Opens a file or a part of one; see {@link #open(ByteSource)}. */
  public static ParamsFile open(FileRange range) throws InputException {
    return open(range.open());
  }

  /**
   * Opens a key and owns the source from then on.
   *
   * @throws InputException if the counts do not explain the file's length, or contradict each other
   */
  public static ParamsFile open(ByteSource source) throws InputException {
    try {
      Map<Section, Extent> extents = new EnumMap<>(Section.class);
      Optional<InputException> problem = layOut(source, extents);
      if (problem.isPresent()) {
        throw problem.get();
      }
      byte[] singles = new byte[SINGLE_BYTES];
      source.read(0, ByteBuffer.wrap(singles));
      ParamsFile file = new ParamsFile(source, singles, extents);
      file.requireConsistent();
      file.requireSingles();
      return file;
    } catch (InputException | RuntimeException e) {
      source.close();
      throw e;
    }
  }

  /** Whether the counts in a file explain its length, as those of a .params or a .vk do. */
  public static boolean isLikely(ByteSource source) throws InputException {
    return layOut(source, new EnumMap<>(Section.class)).isEmpty();
  }

  private static Optional<InputException> layOut(ByteSource source, Map<Section, Extent> extents)
      throws InputException {
    long at = SINGLE_BYTES;
    for (Section section : Section.values()) {
      if (at + 4 > source.length()) {
        return Optional.of(
            InputException.at(
                source.name(),
                "it ends before the count of " + section.title(),
                "offset " + at,
                "4 bytes",
                Math.max(0, source.length() - at),
                InputException.DAMAGED));
      }
      ByteBuffer count = ByteBuffer.allocate(4);
      source.read(at, count);
      Extent extent = new Extent(at + 4, Integer.toUnsignedLong(count.getInt(0)));
      extents.put(section, extent);
      long end = extent.end(section);
      if (end > source.length()) {
        return Optional.of(
            InputException.at(
                source.name(),
                "it has fewer points than the count of " + section.title() + " says",
                "offset " + at,
                (source.length() - extent.offset()) / section.pointBytes() + " at most",
                extent.count(),
                InputException.DAMAGED));
      }
      at = end;
      if (at == source.length() && (section == Section.IC || section == Section.B2)) {
        return Optional.empty();
      }
    }
    return Optional.of(
        InputException.at(
            source.name(),
            "it does not end after its last point",
            "offset " + at,
            "the end of the file",
            source.length() - at + " more bytes",
            InputException.DAMAGED));
  }

  private void requireConsistent() throws InputException {
    long inputs = count(Section.IC);
    require(Section.IC, inputs > 0 && inputs < Integer.MAX_VALUE, "1 to 2^31 - 2");
    if (isVerifyingKey()) {
      return;
    }
    long domain = count(Section.H) + 1;
    require(
        Section.H,
        Long.bitCount(domain) == 1
            && Long.numberOfTrailingZeros(domain) <= CURVE.twoAdicity()
            && domain >= inputs,
        "a power of two minus 1, at least " + (inputs - 1));
    long variables = inputs + count(Section.L);
    require(Section.L, variables < 1L << 32, "fewer than 2^32 variables");
    long a = count(Section.A);
    require(Section.A, a >= inputs && a <= variables, inputs + " to " + variables);
    require(Section.B1, count(Section.B1) <= variables, "at most " + variables);
    require(Section.B2, count(Section.B2) == count(Section.B1), "as many as b_g1");
  }

  private void require(Section section, boolean holds, String expected) throws InputException {
    if (!holds) {
      throw InputException.at(
          name(),
          "the count of " + section.title() + " is not possible",
          "offset " + (extents.get(section).offset() - 4),
          expected,
          count(section),
          InputException.DAMAGED);
    }
  }

  private void requireSingles() throws InputException {
    int g1 = CURVE.pointBytes(false);
    int g2 = CURVE.pointBytes(true);
    int at = 0;
    for (int bytes : new int[] {g1, g1, g2, g2, g1, g2}) {
      requirePlain(singlePoints[at], "offset " + at);
      at += bytes;
    }
  }

  /** A point that is neither compressed nor infinity, which no sound key has. */
  private void requirePlain(byte first, String place) throws InputException {
    if ((first & FLAGS) != 0) {
      boolean infinity = (first & FLAGS) == 0x40;
      throw InputException.at(
          name(),
          infinity ? "a point is at infinity" : "a point has flags that this file cannot have",
          place,
          "the top three bits 0",
          String.format("0x%02x", first & 0xff),
          InputException.DAMAGED);
    }
  }

  /** What messages call the file. */
  public String name() {
    return source.name();
  }

  /** The bytes behind it. */
  public ByteSource source() {
    return source;
  }

  /** Whether there is nothing but a verifying key (.vk). */
  public boolean isVerifyingKey() {
    return !extents.containsKey(Section.H);
  }

  /** alpha1, beta1, beta2, gamma2, delta1, delta2, back to back, as they stand in the file. */
  public byte[] singlePoints() {
    return singlePoints.clone();
  }

  /** Points in a list; 0 for those that a verifying key does not have. */
  public long count(Section section) {
    Extent extent = extents.get(section);
    return extent == null ? 0 : extent.count();
  }

  /**
   * Reads points first … first + count − 1 of a list, as they stand in the file.
   *
   * @param target has room for exactly that many
   * @throws InputException if one of them is at infinity or compressed, or the file is shorter now
   * @throws IndexOutOfBoundsException if the list does not have them
   */
  public void readPoints(Section section, long first, int count, ByteBuffer target)
      throws InputException {
    int bytes = section.pointBytes();
    if (first < 0 || count < 0 || first + count > count(section)) {
      throw new IndexOutOfBoundsException(
          "points " + first + " + " + count + " of " + count(section));
    }
    if (target.remaining() != (long) count * bytes) {
      throw new IllegalArgumentException(
          "expected room for " + (long) count * bytes + " bytes, found " + target.remaining());
    }
    if (count == 0) {
      return;
    }
    int start = target.position();
    source.read(extents.get(section).offset() + first * bytes, target);
    for (int i = 0; i < count; i++) {
      byte flags = target.get(start + i * bytes);
      if ((flags & FLAGS) != 0) {
        requirePlain(flags, place(section, first + i));
      }
    }
  }

  /** Where a section's points begin, from the start of the key. */
  public long offset(Section section) {
    return extents.get(section).offset();
  }

  /** Where a point stands, for messages: {@code a[17], offset 1234}. */
  public String place(Section section, long index) {
    long offset = extents.get(section).offset() + index * section.pointBytes();
    return section.title() + "[" + index + "], offset " + offset;
  }

  /** Compares the file with what it was at opening. */
  public void verifyUnchanged() throws InputException {
    source.verifyUnchanged();
  }

  @Override
  public void close() {
    source.close();
  }
}
