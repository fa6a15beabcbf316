package dev.cuzk.format;

import dev.cuzk.math.CurveId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Writes a Groth16 proving key that snarkjs accepts. Usage: construct, write the points of IC, then
 * the entries, then the points of A, B1, B2, L and H with {@link #begin}, {@link #append} and
 * {@link #end}, in that order; {@link #commit}. Section 10 says that nobody contributed.
 *
 * <p>The header's number of entries does not matter: those that come are counted. Not thread-safe.
 */
public final class ZkeyWriter implements AutoCloseable {
  private static final int HASH_BYTES = 64;
  private static final int MAXIMUM_NAME_BYTES = 64;
  private static final int PARAMETER_NAME = 1;

  private final BinfileWriter file;
  private final ZkeyFile.Header header;
  private ZkeySection open;
  private ZkeySection last = ZkeySection.HEADER;
  private long countPlace;
  private long written;

  /**
   * Starts a file; nothing is there under its name before {@link #commit}.
   *
   * @param points in Montgomery form, as in the file
   */
  public ZkeyWriter(Path target, ZkeyFile.Header header, ZkeyFile.SinglePoints points)
      throws IOException {
    this.header = header;
    this.file = new BinfileWriter(target, BinfileType.ZKEY);
    file.begin(ZkeySection.PROTOCOL.id());
    file.u32(1);
    file.end();
    file.begin(ZkeySection.HEADER.id());
    CurveId curve = header.curve();
    file.u32(curve.baseFieldBytes());
    file.bytes(LittleEndian.toBytes(curve.baseModulus(), curve.baseFieldBytes()));
    file.u32(CurveId.SCALAR_BYTES);
    file.bytes(LittleEndian.toBytes(curve.scalarModulus(), CurveId.SCALAR_BYTES));
    file.u32(header.variables());
    file.u32(header.publicInputs());
    file.u32(1L << header.domainLog2());
    file.bytes(points.alpha1());
    file.bytes(points.beta1());
    file.bytes(points.beta2());
    file.bytes(points.gamma2());
    file.bytes(points.delta1());
    file.bytes(points.delta2());
    file.end();
  }

  /** Starts the section that follows the last one: IC, ENTRIES, A, B1, B2, L, H. */
  public void begin(ZkeySection section) throws IOException {
    if (open != null || section.ordinal() != last.ordinal() + 1 || !section.hasFixedLength()) {
      throw new IllegalStateException(section + " does not come after " + last);
    }
    file.begin(section.id());
    open = section;
    written = 0;
    if (section == ZkeySection.ENTRIES) {
      countPlace = file.position();
      file.u32(0);
    }
  }

  /**
   * Appends points in Montgomery form, or matrix entries of 44 bytes with values times R², to the
   * open section.
   */
  public void append(ByteBuffer bytes) throws IOException {
    if (open == null) {
      throw new IllegalStateException("no section is open");
    }
    written += bytes.remaining();
    file.bytes(bytes);
  }

  /** Ends the open section, which must have got as much as the header says. */
  public void end() throws IOException {
    if (open == ZkeySection.ENTRIES) {
      if (written % ZkeyFile.ENTRY_BYTES != 0) {
        throw new IllegalStateException("a part of a matrix entry: " + written + " bytes");
      }
      file.patchU32(countPlace, written / ZkeyFile.ENTRY_BYTES);
    } else if (open == null || written != open.length(header)) {
      throw new IllegalStateException(open + " got " + written + " bytes");
    }
    file.end();
    last = open;
    open = null;
  }

  /**
   * A contribution to the key's delta, as section 10 records it.
   *
   * @param name at most 64 bytes of UTF-8
   * @param deltaAfter delta in G1 once it was made; Montgomery form, as all points here
   * @param s a point of G1
   * @param sx the same point times the contribution's secret
   * @param proof the point of G2 that proves knowledge of the secret
   */
  public record Contribution(String name, byte[] deltaAfter, byte[] s, byte[] sx, byte[] proof) {}

  /**
   * Writes the list of contributions and gives the complete file its name. The hashes of the
   * circuit and of the transcript, which only a ceremony has, are zero.
   */
  public void commit(Contribution... contributions) throws IOException {
    if (last != ZkeySection.H || open != null) {
      throw new IllegalStateException("sections are missing after " + last);
    }
    file.begin(ZkeySection.CONTRIBUTIONS.id());
    file.bytes(new byte[HASH_BYTES]);
    file.u32(contributions.length);
    for (Contribution contribution : contributions) {
      byte[] name = contribution.name().getBytes(StandardCharsets.UTF_8);
      if (name.length > MAXIMUM_NAME_BYTES) {
        throw new IllegalArgumentException("the name of a contribution is too long");
      }
      file.bytes(contribution.deltaAfter());
      file.bytes(contribution.s());
      file.bytes(contribution.sx());
      file.bytes(contribution.proof());
      file.bytes(new byte[HASH_BYTES]);
      file.u32(0);
      file.u32(name.length + 2L);
      file.bytes(new byte[] {PARAMETER_NAME, (byte) name.length});
      file.bytes(name);
    }
    file.end();
    file.commit();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
