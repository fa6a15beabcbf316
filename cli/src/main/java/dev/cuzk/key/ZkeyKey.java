package dev.cuzk.key;

import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.ZkeyContributions;
import dev.cuzk.format.ZkeyFile;
import dev.cuzk.format.ZkeyFile.SinglePoints;
import dev.cuzk.format.ZkeySection;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import dev.cuzk.proof.BellmanVerifyingKey;
import dev.cuzk.proof.VerifyingKey;
import dev.cuzk.proof.VerifyingKeyCheck;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A proving key in a .zkey file, or in one that lies inside a container. Opening reads a few
 * hundred bytes; the rest streams from the file whenever it is asked for, so a key may be larger
 * than the heap.
 *
 * <p>Safe for use by several threads.
 */
public final class ZkeyKey extends FileKey {
  private final ZkeyFile file;
  private VerifyingKey verifyingKey;

  private ZkeyKey(FileRange range, ZkeyFile file, KeyDigest digests) {
    super(range, file.source(), digests);
    this.file = file;
  }

  /** Opens a key whose digest is not remembered between runs. */
  public static ZkeyKey open(Path path) throws InputException {
    return open(FileRange.whole(path), KeyDigest.forgetful());
  }

  /**
   * Opens a key.
   *
   * @throws InputException if it is not a Groth16 key over a known curve, is truncated, or its
   *     sections contradict its header
   */
  public static ZkeyKey open(FileRange range, KeyDigest digests) throws InputException {
    return new ZkeyKey(range, ZkeyFile.open(range), digests);
  }

  @Override
  public CurveId curve() {
    return file.header().curve();
  }

  @Override
  public QuotientForm quotient() {
    return QuotientForm.ODD_COSET;
  }

  @Override
  public PointEncoding pointEncoding() {
    return PointEncoding.MONTGOMERY_LITTLE_ENDIAN;
  }

  @Override
  public int domainLog2() {
    return file.header().domainLog2();
  }

  @Override
  public long variables() {
    return file.header().variables();
  }

  @Override
  public int publicInputs() {
    return file.header().publicInputs();
  }

  @Override
  public long entryCount() {
    return file.header().entries();
  }

  @Override
  public long count(Query query) {
    return file.pointCount(section(query));
  }

  @Override
  public byte[] singlePoints() {
    SinglePoints points = file.singlePoints();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(points.alpha1());
    all.writeBytes(points.beta1());
    all.writeBytes(points.delta1());
    all.writeBytes(points.beta2());
    all.writeBytes(points.delta2());
    return all.toByteArray();
  }

  @Override
  public void readPoints(Query query, long first, int count, ByteBuffer target)
      throws InputException {
    file.readPoints(section(query), first, count, target);
    file.verifyUnchanged();
  }

  @Override
  public void readEntries(long first, int count, ByteBuffer target) throws InputException {
    file.readEntries(first, count, target);
    file.verifyUnchanged();
  }

  @Override
  public Optional<FileRange> pointsInFile(Query query) {
    long bytes = count(query) * curve().pointBytes(query.isG2());
    long offset = range().offset() + file.offset(section(query));
    return Optional.of(new FileRange(path(), name(), offset, bytes));
  }

  @Override
  public String place(Query query, long index) {
    return file.place(section(query), index);
  }

  @Override
  public String entryPlace(long index) {
    return file.entryPlace(index);
  }

  private static ZkeySection section(Query query) {
    return switch (query) {
      case A -> ZkeySection.A;
      case B1 -> ZkeySection.B1;
      case B2 -> ZkeySection.B2;
      case L -> ZkeySection.L;
      case H -> ZkeySection.H;
    };
  }

  @Override
  public synchronized VerifyingKey verifyingKey() throws InputException {
    if (verifyingKey == null) {
      SinglePoints points = file.singlePoints();
      VerifyingKey read =
          new VerifyingKey(
              curve(),
              canonical("alpha1", points.alpha1()),
              canonical("beta2", points.beta2()),
              canonical("gamma2", points.gamma2()),
              canonical("delta2", points.delta2()),
              readIc());
      VerifyingKeyCheck.requireSound(name(), read);
      verifyingKey = read;
    }
    return verifyingKey;
  }

  /** The same key with the points that bellman's form has besides; over BLS12-381. */
  public BellmanVerifyingKey bellmanVerifyingKey() throws InputException {
    SinglePoints points = file.singlePoints();
    return new BellmanVerifyingKey(
        verifyingKey(), canonical("beta1", points.beta1()), canonical("delta1", points.delta1()));
  }

  private List<List<BigInteger>> readIc() throws InputException {
    int pointBytes = curve().pointBytes(false);
    int count = publicInputs() + 1;
    List<List<BigInteger>> ic = new ArrayList<>(count);
    byte[] point = new byte[pointBytes];
    for (int i = 0; i < count; i++) {
      file.readPoints(ZkeySection.IC, i, 1, ByteBuffer.wrap(point));
      ic.add(canonical("IC[" + i + "]", point));
    }
    file.verifyUnchanged();
    return ic;
  }

  private List<BigInteger> canonical(String point, byte[] montgomery) throws InputException {
    Field base = Field.base(curve());
    long[] coordinate = new long[base.size()];
    List<BigInteger> coordinates = new ArrayList<>();
    for (int at = 0; at < montgomery.length; at += base.bytes()) {
      if (!base.load(coordinate, 0, montgomery, at)) {
        throw new InputException(
            name(),
            "a coordinate of "
                + point
                + " is not below the base field's prime. "
                + InputException.DAMAGED);
      }
      coordinates.add(base.get(coordinate, 0));
    }
    return coordinates;
  }

  /**
   * What a user should be warned of before trusting proofs under this key; a line each, empty for a
   * key from a ceremony.
   */
  public List<String> warnings() throws InputException {
    List<String> warnings = new ArrayList<>();
    SinglePoints points = file.singlePoints();
    ZkeyContributions contributions = file.contributions();
    if (Arrays.equals(points.delta2(), points.gamma2())) {
      warnings.add(
          "the key has no phase-2 contribution (delta equals gamma): anyone can forge proofs under"
              + " it");
    } else if (contributions == null || contributions.list().isEmpty()) {
      warnings.add(
          "the key lists no phase-2 contribution: whoever made it may be able to forge proofs under"
              + " it");
    } else if (contributions.isOnePartyTest()) {
      warnings.add(
          "the key is a one-party test key (cuzk setup): whoever made it can forge proofs under"
              + " it");
    }
    return warnings;
  }
}
