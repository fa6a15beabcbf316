package dev.cuzk.synthesis;

import dev.cuzk.key.PointEncoding;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.key.Query;
import dev.cuzk.key.QuotientForm;
import dev.cuzk.math.CurveId;
import dev.cuzk.proof.VerifyingKey;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A proving key of which there is only what synthesis compares with: curve and variables. */
public record HeaderKey(CurveId curve, long variables) implements ProvingKey {
  @Override
  public Path path() {
    return Path.of("circuit.zkey");
  }

  @Override
  public QuotientForm quotient() {
    throw new UnsupportedOperationException();
  }

  @Override
  public PointEncoding pointEncoding() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int domainLog2() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int publicInputs() {
    throw new UnsupportedOperationException();
  }

  @Override
  public long entryCount() {
    throw new UnsupportedOperationException();
  }

  @Override
  public long count(Query query) {
    throw new UnsupportedOperationException();
  }

  @Override
  public byte[] singlePoints() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void readPoints(Query query, long first, int count, ByteBuffer target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void readEntries(long first, int count, ByteBuffer target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String place(Query query, long index) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String entryPlace(long index) {
    throw new UnsupportedOperationException();
  }

  @Override
  public VerifyingKey verifyingKey() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String sha256() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    // Nothing is held open.
  }
}
