package dev.cuzk.engine.simulation;

import dev.cuzk.key.PointEncoding;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.key.Query;
import dev.cuzk.key.QuotientForm;
import dev.cuzk.math.CurveId;
import dev.cuzk.proof.VerifyingKey;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;

/** A key of a chosen size without any points; two public inputs. */
public final class SimulatedKey implements ProvingKey {
  private final String name;
  private final int domainLog2;

  public SimulatedKey(String name, int domainLog2) {
    this.name = name;
    this.domainLog2 = domainLog2;
  }

  @Override
  public Path path() {
    return Path.of(name);
  }

  @Override
  public CurveId curve() {
    return CurveId.BN254;
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
    return domainLog2;
  }

  @Override
  public long variables() {
    return 1L << domainLog2;
  }

  @Override
  public int publicInputs() {
    return 2;
  }

  @Override
  public long entryCount() {
    return 2L << domainLog2;
  }

  @Override
  public long count(Query query) {
    return query == Query.L ? variables() - 3 : variables();
  }

  @Override
  public byte[] singlePoints() {
    return new byte[3 * 64 + 2 * 128];
  }

  @Override
  public void readPoints(Query query, long first, int count, ByteBuffer target) {
    throw new UnsupportedOperationException("a simulated key has no points");
  }

  @Override
  public void readEntries(long first, int count, ByteBuffer target) {
    throw new UnsupportedOperationException("a simulated key has no entries");
  }

  @Override
  public String place(Query query, long index) {
    return query + " " + index;
  }

  @Override
  public String entryPlace(long index) {
    return "entry " + index;
  }

  @Override
  public VerifyingKey verifyingKey() {
    List<BigInteger> g1 = Collections.nCopies(2, BigInteger.ZERO);
    List<BigInteger> g2 = Collections.nCopies(4, BigInteger.ZERO);
    return new VerifyingKey(curve(), g1, g2, g2, g2, Collections.nCopies(3, g1));
  }

  @Override
  public String sha256() {
    return "0".repeat(64);
  }

  @Override
  public void close() {}
}
