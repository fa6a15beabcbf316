package dev.cuzk.synthesis;

import dev.cuzk.circuit.CompactMatricesFile;
import dev.cuzk.circuit.Constraints;
import dev.cuzk.circuit.MatrixEntries;
import dev.cuzk.format.InputException;
import dev.cuzk.key.ParamsKey;
import dev.cuzk.key.PointEncoding;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.key.Query;
import dev.cuzk.key.QuotientForm;
import dev.cuzk.math.CurveId;
import dev.cuzk.proof.VerifyingKey;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A .params file, which holds no matrices, with the matrices of the circuit that it was made for.
 * Entries come from replaying the circuit: cheapest in order. Safe for use by several threads.
 */
public final class CircuitKey implements ProvingKey {
  private final ParamsKey key;
  private final Constraints circuit;
  private final MatrixEntries entries;
  private final long entryCount;

  private CircuitKey(ParamsKey key, Constraints circuit, long entryCount) {
    this.key = key;
    this.circuit = circuit;
    this.entries = new MatrixEntries(circuit);
    this.entryCount = entryCount;
  }

  /**
   * Joins a key with its circuit; closing the result closes the key.
   *
   * @throws InputException if the key's counts are not those of the circuit
   */
  public static CircuitKey of(ParamsKey key, Constraints circuit) throws InputException {
    requireFits(key, circuit);
    return new CircuitKey(key, circuit, MatrixEntries.count(circuit));
  }

  /** Refuses a key for another circuit, as far as counts tell. */
  public static void requireFits(ParamsKey key, Constraints circuit) throws InputException {
    require(key, circuit, "public inputs", circuit.publicInputs(), key.publicInputs());
    require(key, circuit, "variables", circuit.variables(), key.variables());
    require(key, circuit, "rows (log2)", circuit.domainLog2(), key.domainLog2());
  }

  private static void require(
      ParamsKey key, Constraints circuit, String what, long expected, long found)
      throws InputException {
    if (expected != found) {
      throw new InputException(
          key.name(),
          "it is the key of another circuit than "
              + circuit.name()
              + " ("
              + what
              + ", expected "
              + expected
              + ", found "
              + found
              + "). Give the .params file of this circuit.");
    }
  }

  @Override
  public Path path() {
    return key.path();
  }

  @Override
  public CurveId curve() {
    return key.curve();
  }

  @Override
  public QuotientForm quotient() {
    return key.quotient();
  }

  @Override
  public PointEncoding pointEncoding() {
    return key.pointEncoding();
  }

  @Override
  public int domainLog2() {
    return key.domainLog2();
  }

  @Override
  public long variables() {
    return key.variables();
  }

  @Override
  public int publicInputs() {
    return key.publicInputs();
  }

  @Override
  public long entryCount() {
    return entryCount;
  }

  @Override
  public long count(Query query) {
    return key.count(query);
  }

  @Override
  public byte[] singlePoints() {
    return key.singlePoints();
  }

  @Override
  public void readPoints(Query query, long first, int count, ByteBuffer target)
      throws InputException {
    key.readPoints(query, first, count, target);
  }

  @Override
  public synchronized void readEntries(long first, int count, ByteBuffer target)
      throws InputException {
    if (target.remaining() != (long) count * MatrixEntries.BYTES) {
      throw new IllegalArgumentException("expected room for " + count + " entries");
    }
    if (first < 0 || first + count > entryCount) {
      throw new IndexOutOfBoundsException(first + " + " + count + " of " + entryCount);
    }
    if (first < entries.position()) {
      entries.rewind();
    }
    ByteBuffer skipped = ByteBuffer.allocate(1024 * MatrixEntries.BYTES);
    while (entries.position() < first) {
      skipped.clear();
      skipped.limit(
          (int) Math.min(skipped.capacity(), (first - entries.position()) * MatrixEntries.BYTES));
      entries.read(skipped);
    }
    entries.read(target);
  }

  @Override
  public Optional<ByteBuffer> compactMatrices() {
    return circuit.compact().map(CompactMatricesFile::encodeContent);
  }

  @Override
  public String place(Query query, long index) {
    return key.place(query, index);
  }

  @Override
  public String entryPlace(long index) {
    return "entry " + index + " of " + circuit.name();
  }

  @Override
  public VerifyingKey verifyingKey() throws InputException {
    return key.verifyingKey();
  }

  @Override
  public String sha256() throws InputException {
    return key.sha256();
  }

  @Override
  public void close() {
    key.close();
  }
}
