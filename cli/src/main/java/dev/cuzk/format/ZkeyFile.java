package dev.cuzk.format;

import dev.cuzk.math.CurveId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A Groth16 proving key as snarkjs writes it (.zkey, version 1, protocol 1). What each section
 * holds, and how its length follows from the header, stands at {@link ZkeySection}; docs/FORMATS.md
 * has all of it byte for byte.
 *
 * <p>Opening reads the header alone (a few hundred bytes) and checks every section's length against
 * it. Points and matrix entries are read in pieces. Safe for use by several threads.
 */
public final class ZkeyFile extends BinfileReader {
  /** Bytes of a matrix entry: matrix, row, column (u32 each) and a scalar. */
  public static final int ENTRY_BYTES = 12 + CurveId.SCALAR_BYTES;

  private static final int GROTH16 = 1;
  private static final int ENTRIES_AT_ONCE = 1 << 14;

  /**
   * The numbers in the header, checked against each other and against the sections.
   *
   * @param variables scalars in an assignment, ONE counted
   * @param publicInputs ONE not counted
   * @param domainLog2 the domain has 2^domainLog2 rows
   * @param entries non-zero entries of the matrices A and B
   */
  public record Header(
      CurveId curve, long variables, int publicInputs, int domainLog2, long entries) {}

  /**
   * The single points, affine, coordinates in Montgomery form, little-endian; G1 has two
   * coordinates, G2 four (c0 before c1).
   */
  public record SinglePoints(
      byte[] alpha1, byte[] beta1, byte[] beta2, byte[] gamma2, byte[] delta1, byte[] delta2) {}

  /**
   * What the matrix entries say about the circuit.
   *
   * @param constraints rows before those that snarkjs adds for ONE and each public input
   * @param linear whether no row multiplies two values that are not constant
   */
  public record MatrixFacts(long constraints, boolean linear) {}

  private final Header header;
  private final SinglePoints points;

  private ZkeyFile(Binfile file, Header header, SinglePoints points) {
    super(file);
    this.header = header;
    this.points = points;
  }

  /** Opens a file or a part of one; see {@link #open(ByteSource)}. */
  public static ZkeyFile open(FileRange range) throws InputException {
    return open(range.open());
  }

  /**
   * Opens a key and owns the source from then on.
   *
   * @throws InputException if it is not a Groth16 key over a known curve, or its sections and its
   *     header contradict each other
   */
  public static ZkeyFile open(ByteSource source) throws InputException {
    return open(source, BinfileType.ZKEY, ZkeyFile::readHeader);
  }

  private static void requireGroth16(Binfile file) throws InputException {
    Binfile.Section section = file.require(ZkeySection.PROTOCOL.id(), "the protocol", 4);
    SectionReader reader = new SectionReader(file, section);
    long protocol = reader.u32("the protocol");
    if (protocol != GROTH16) {
      throw InputException.at(
          file.name(),
          "it is " + protocolName(protocol) + " key, and only groth16 keys can be used",
          "section 1, offset " + section.offset(),
          "protocol 1",
          protocol);
    }
  }

  private static String protocolName(long protocol) {
    if (protocol == 2) {
      return "a plonk";
    }
    return protocol == 10 ? "an fflonk" : "an unknown protocol's";
  }

  private static ZkeyFile readHeader(Binfile file) throws InputException {
    requireGroth16(file);
    Binfile.Section section = file.require(ZkeySection.HEADER.id(), "the key's header");
    SectionReader reader = new SectionReader(file, section);
    CurveId curve = FieldHeader.readBothFields(file, reader);
    String countsPlace = reader.place();
    long variables = reader.u32("the number of variables");
    long publicInputs = reader.u32("the number of public inputs");
    String domainPlace = reader.place();
    long domain = reader.u32("the domain size");
    SinglePoints points = readPoints(reader, curve);
    reader.requireEnd();

    // Integer.MAX_VALUE − 1: the verifying key is a list with one point more.
    if (publicInputs >= Math.min(variables, Integer.MAX_VALUE)) {
      throw InputException.at(
          file.name(),
          "more public inputs than variables",
          countsPlace,
          "at most " + (variables - 1) + " public inputs",
          publicInputs);
    }
    if (Long.bitCount(domain) != 1
        || Long.numberOfTrailingZeros(domain) > curve.twoAdicity()
        || domain <= publicInputs) {
      throw InputException.at(
          file.name(),
          "the domain size is not possible",
          domainPlace,
          "a power of two above " + publicInputs + ", at most 2^" + curve.twoAdicity(),
          domain);
    }
    Header header =
        new Header(
            curve,
            variables,
            (int) publicInputs,
            Long.numberOfTrailingZeros(domain),
            entryCount(file));
    for (ZkeySection required : ZkeySection.values()) {
      if (required.hasFixedLength()) {
        file.require(required.id(), required.content(), required.length(header));
      }
    }
    file.find(ZkeySection.CONTRIBUTIONS.id());
    return new ZkeyFile(file, header, points);
  }

  private static SinglePoints readPoints(SectionReader reader, CurveId curve)
      throws InputException {
    int g1 = curve.pointBytes(false);
    int g2 = curve.pointBytes(true);
    return new SinglePoints(
        reader.bytes(g1, "alpha1"),
        reader.bytes(g1, "beta1"),
        reader.bytes(g2, "beta2"),
        reader.bytes(g2, "gamma2"),
        reader.bytes(g1, "delta1"),
        reader.bytes(g2, "delta2"));
  }

  private static long entryCount(Binfile file) throws InputException {
    Binfile.Section section = file.require(ZkeySection.ENTRIES.id(), ZkeySection.ENTRIES.content());
    return new SectionReader(file, section).u32("the number of matrix entries");
  }

  public Header header() {
    return header;
  }

  public SinglePoints singlePoints() {
    return points;
  }

  /** Points in one of the point sections. */
  public long pointCount(ZkeySection section) {
    return section.points(header);
  }

  /**
   * Reads points first … first + count − 1 of a point section, as they stand in the file.
   *
   * @param target has room for exactly that many
   * @throws IndexOutOfBoundsException if the section does not have them
   */
  public void readPoints(ZkeySection section, long first, int count, ByteBuffer target)
      throws InputException {
    long bytes = section.pointBytes(header.curve());
    requireRoom(target, count * bytes);
    file.read(file.require(section.id(), section.content()), first * bytes, target);
  }

  /**
   * Reads matrix entries first … first + count − 1, {@link #ENTRY_BYTES} each, as they stand in the
   * file.
   *
   * @param target has room for exactly that many
   * @throws IndexOutOfBoundsException if the key does not have them
   */
  public void readEntries(long first, int count, ByteBuffer target) throws InputException {
    requireRoom(target, (long) count * ENTRY_BYTES);
    file.read(entriesSection(), 4 + first * ENTRY_BYTES, target);
  }

  private Binfile.Section entriesSection() throws InputException {
    return file.require(ZkeySection.ENTRIES.id(), ZkeySection.ENTRIES.content());
  }

  private static void requireRoom(ByteBuffer target, long bytes) {
    if (target.remaining() != bytes) {
      throw new IllegalArgumentException(
          "expected room for " + bytes + " bytes, found " + target.remaining());
    }
  }

  /** Where a point stands, for messages: {@code section 5, offset 1234}. */
  public String place(ZkeySection section, long index) {
    return placeAt(section, index * section.pointBytes(header.curve()));
  }

  /** Where a section's content begins, from the start of the key. */
  public long offset(ZkeySection section) {
    for (Binfile.Section candidate : file.sections()) {
      if (candidate.id() == section.id()) {
        return candidate.offset();
      }
    }
    throw new IllegalStateException(
        "section " + section.id() + " was there when the key was opened");
  }

  /** Where a matrix entry stands, for messages. */
  public String entryPlace(long index) {
    return placeAt(ZkeySection.ENTRIES, 4 + index * ENTRY_BYTES);
  }

  private String placeAt(ZkeySection section, long offset) {
    return "section " + section.id() + ", offset " + (offset(section) + offset);
  }

  /**
   * Streams over all matrix entries, checks each (matrix, row, column, canonical value) and says
   * what they tell about the circuit.
   *
   * @throws InputException naming the first entry that is out of range
   */
  public MatrixFacts checkEntries(Progress progress) throws InputException {
    SectionReader reader = new SectionReader(file, entriesSection());
    reader.u32("the number of matrix entries");
    ScalarRange range = ScalarRange.of(header.curve());
    BitSet left = new BitSet();
    BitSet right = new BitSet();
    long lastRow = -1;
    for (long i = 0; i < header.entries(); i++) {
      ByteBuffer entry = reader.need(ENTRY_BYTES, "a matrix entry");
      long matrix = Integer.toUnsignedLong(entry.getInt());
      long row = Integer.toUnsignedLong(entry.getInt());
      long column = Integer.toUnsignedLong(entry.getInt());
      requireBelow(i, "the matrix", 2, matrix);
      requireBelow(i, "the row", 1L << header.domainLog2(), row);
      requireBelow(i, "the column", header.variables(), column);
      if (!range.contains(entry.getLong(), entry.getLong(), entry.getLong(), entry.getLong())) {
        throw InputException.at(
            name(),
            "the value of matrix entry " + i + " is not canonical",
            entryPlace(i),
            "less than " + range.modulus(),
            "a larger number");
      }
      lastRow = Math.max(lastRow, row);
      if (column != 0) {
        // A domain has at most 2^32 rows; the bits of one above 2^31 rows share a place, which
        // can only make a circuit look less linear than it is.
        (matrix == 0 ? left : right).set((int) (row & Integer.MAX_VALUE));
      }
      if (i % ENTRIES_AT_ONCE == 0) {
        progress.progressed(reader.position(), reader.position() + reader.remaining());
      }
    }
    reader.requireEnd();
    file.verifyUnchanged();
    // snarkjs appends one row for ONE and each public input; they come last.
    long constraints = Math.max(0, lastRow - header.publicInputs());
    return new MatrixFacts(constraints, !left.intersects(right));
  }

  private void requireBelow(long entry, String what, long limit, long found) throws InputException {
    if (found >= limit) {
      throw InputException.at(
          name(),
          what + " of matrix entry " + entry + " is out of range",
          entryPlace(entry),
          "less than " + limit,
          found);
    }
  }

  /**
   * The phase-2 contributions that section 10 lists; null where the key has no such section.
   *
   * @throws InputException if the section is malformed
   */
  public ZkeyContributions contributions() throws InputException {
    var section = file.find(ZkeySection.CONTRIBUTIONS.id());
    return section.isEmpty() ? null : ZkeyContributions.read(file, section.get(), header.curve());
  }

  /** Ids of sections that this version does not know. */
  public List<Long> unknownSections() {
    List<Long> unknown = new ArrayList<>();
    for (Binfile.Section section : file.sections()) {
      if (section.id() < 1 || section.id() > ZkeySection.CONTRIBUTIONS.id()) {
        unknown.add(section.id());
      }
    }
    return unknown;
  }
}
