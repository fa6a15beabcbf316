package dev.cuzk.device;

import dev.cuzk.format.InputException;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.key.QuotientForm;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * One opened device: a GPU through libcuzk-cuda or the processor through libcuzk-cpu.
 *
 * <p>Every call names its device by being made on it. One thread at a time uses a backend, except
 * that {@link #description}, {@link #needs}, {@link #limitThreads}, {@link #allocatePinned},
 * closing a buffer, and {@link ProofTask#cancel} may come from any thread at any time. Encodings
 * are those of cuzk.h.
 */
public interface Backend extends AutoCloseable {
  /** What the device is; for the report. */
  DeviceDescription description();

  /**
   * {@code cuzk_device_limit_threads}: how many of the device's CPU threads may work from now on, 1
   * at least; others leave between two tasks. Quick; any thread, any time.
   */
  default void limitThreads(int threads) {}

  /**
   * Memory that this device reads at full rate, zeroed. The caller closes it before the backend.
   */
  Buffer allocatePinned(long bytes) throws DeviceException;

  /** What a key that stays here and a proof under it need; allocates nothing. */
  default MemoryNeeds needs(ProvingKey key) throws DeviceException {
    return needs(key, Plan.RESIDENT);
  }

  /** What a key and {@code plan.batch()} proofs under it need here; allocates nothing. */
  MemoryNeeds needs(ProvingKey key, Plan plan) throws DeviceException;

  /**
   * The fastest plan that fits.
   *
   * @param memory bytes for the key and the proofs in flight
   * @param wish batch and table levels are the most there may be; the rest is not read
   * @return the smallest plan, marked as one that does not fit, if none does
   */
  Planner.Choice choosePlan(ProvingKey key, long memory, Plan wish) throws DeviceException;

  /**
   * Streams a key onto the device, checking every point and matrix entry.
   *
   * @throws InputException if a point is not on the curve, an entry is out of range, or the file
   *     changed: the message names the place in the file
   */
  LoadedKey load(ProvingKey key, Plan plan) throws DeviceException, InputException;

  /** The same for a key that stays on the device. */
  default LoadedKey load(ProvingKey key) throws DeviceException, InputException {
    return load(key, Plan.RESIDENT);
  }

  /**
   * Starts proofs of one key as one job; see {@code cuzk_proofs_submit}. The buffers stay in use
   * until the wait.
   */
  ProofTask submit(LoadedKey key, List<ProofRequest> requests) throws DeviceException;

  /**
   * {@code cuzk_witness_pack}: an assignment with its zeros and ones as bits.
   *
   * @param target takes the packed form from its start on
   * @return the bytes that were written; 0 if that would not save half at least, or does not fit
   */
  default long pack(Buffer witness, long variables, Buffer target) throws DeviceException {
    return 0;
  }

  /**
   * {@code cuzk_upload}: milliseconds that a copy of a buffer to the device takes.
   *
   * @throws DeviceException INVALID_ARGUMENT if the device has no memory of its own
   */
  default double upload(Buffer source) throws DeviceException {
    throw new DeviceException(
        DeviceStatus.INVALID_ARGUMENT, 0, "this device has no memory of its own");
  }

  /**
   * {@code cuzk_msm}: the sum of the first {@code count} products, as an affine canonical point,
   * little-endian.
   *
   * @throws IllegalArgumentException if a buffer is too short
   */
  Timed<byte[]> msm(CurveId curve, boolean g2, Buffer points, Buffer scalars, long count)
      throws DeviceException;

  /**
   * {@code cuzk_fixed_base}: {@code count} multiples of one point, Montgomery form, into {@code
   * points}. Buffers are direct.
   */
  void fixedBase(
      CurveId curve, boolean g2, byte[] base, ByteBuffer scalars, long count, ByteBuffer points)
      throws DeviceException;

  /**
   * {@code cuzk_ntt}, in place; {@code cosetShift} (a scalar, 32 bytes) may be null. Returns
   * milliseconds.
   */
  Timed<Void> ntt(
      CurveId curve,
      QuotientForm quotient,
      boolean inverse,
      int log2Size,
      byte[] cosetShift,
      Buffer values)
      throws DeviceException;

  /**
   * {@code cuzk_sparse_product}: matrix 0 = A, 1 = B, 2 = C of a loaded key times an assignment.
   */
  void sparseProduct(LoadedKey key, int matrix, ByteBuffer witness, ByteBuffer rows)
      throws DeviceException;

  @Override
  void close();

  /** Opens a backend when it is first needed. */
  @FunctionalInterface
  interface Opener {
    Backend open() throws DeviceException;
  }

  /** What a device is. Unknown texts are empty; ordinal −1 is the CPU. */
  record DeviceDescription(
      int ordinal,
      String name,
      String uuid,
      String pciId,
      String arithmetic,
      int computeMajor,
      int computeMinor,
      int multiprocessors,
      long memoryTotal,
      long memoryFree,
      String buildId) {
    public boolean isCpu() {
      return ordinal < 0;
    }
  }

  /** Bytes, as {@code cuzk_needs}. For the CPU, key and proof bytes are host memory. */
  record MemoryNeeds(long keyBytes, long proofBytes, long pinnedBytes, long hostBytes) {}

  /** A key on a device; closed by whoever loaded it, when no task uses it. */
  interface LoadedKey extends AutoCloseable {
    ProvingKey source();

    @Override
    void close();
  }

  /**
   * An assignment and the blinding scalars r and s (32 bytes each, canonical little-endian).
   *
   * @param packed whether the assignment is in the form that {@link Backend#pack} makes
   */
  record ProofRequest(Buffer witness, byte[] r, byte[] s, boolean packed) {
    public ProofRequest(Buffer witness, byte[] r, byte[] s) {
      this(witness, r, s, false);
    }
  }

  /**
   * Proofs under way. {@link #await} must be called exactly once; {@link #cancel} may come from any
   * thread.
   */
  interface ProofTask {
    ProofResult await() throws DeviceException;

    void cancel();
  }

  /**
   * Finished proofs, in request order.
   *
   * @param points each proof's A, B, C: affine canonical little-endian coordinates, back to back (2
   *     + 4 + 2 base-field elements), infinity all zero
   */
  record ProofResult(List<byte[]> points, StageTimes times) {}

  /** Stage times of one job in milliseconds since its submission; index = {@link Stage} ordinal. */
  record StageTimes(
      double[] startMs, double[] ms, double totalMs, long uploadedBytes, long peakBytes) {}

  /** A value with the device's own time for it. */
  record Timed<T>(T value, double ms) {}
}
