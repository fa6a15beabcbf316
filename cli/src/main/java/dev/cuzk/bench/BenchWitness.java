package dev.cuzk.bench;

import dev.cuzk.device.Backend;
import dev.cuzk.device.Backend.ProofRequest;
import dev.cuzk.device.DeviceException;
import dev.cuzk.format.InputException;
import dev.cuzk.format.LittleEndian;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.memory.PackedScalars;
import dev.cuzk.synthesis.UnsatisfiedException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A measured assignment in memory of the device's liking: packed where that saves half of what a
 * GPU uploads.
 */
final class BenchWitness implements AutoCloseable {
  private final Buffer buffer;
  private final boolean packed;
  private final List<BigInteger> publicInputs;

  private BenchWitness(Buffer buffer, boolean packed, List<BigInteger> publicInputs) {
    this.buffer = buffer;
    this.packed = packed;
    this.publicInputs = publicInputs;
  }

  /**
   * Makes the assignment.
   *
   * @param facts is told the times and the form
   */
  static BenchWitness make(
      Backend backend, ProvingKey key, Witness witness, Map<String, Object> facts)
      throws InputException, UnsatisfiedException, DeviceException {
    if (witness.packedBytes() > 0 && !backend.description().isCpu()) {
      return makePacked(backend, key, witness, facts);
    }
    Buffer plain = backend.allocatePinned(key.variables() * CurveId.SCALAR_BYTES);
    boolean keepsPlain = false;
    try {
      long start = System.nanoTime();
      witness.write(plain);
      facts.put("synthesis_ms", (System.nanoTime() - start) / 1e6);
      List<BigInteger> publicInputs = publicInputs(key, plain);
      Buffer packed = backend.description().isCpu() ? null : pack(backend, key, plain, facts);
      facts.put("packed", packed != null);
      keepsPlain = packed == null;
      return new BenchWitness(keepsPlain ? plain : packed, packed != null, publicInputs);
    } finally {
      if (!keepsPlain) {
        release(plain);
      }
    }
  }

  /** As the engine does it for makers that can: the plain form never exists. */
  private static BenchWitness makePacked(
      Backend backend, ProvingKey key, Witness witness, Map<String, Object> facts)
      throws InputException, UnsatisfiedException, DeviceException {
    long start = System.nanoTime();
    try (PackedScalars scalars = new PackedScalars(key.variables())) {
      witness.write(scalars);
      Buffer packed = backend.allocatePinned(scalars.byteSize());
      scalars.write(packed);
      facts.put("synthesis_ms", (System.nanoTime() - start) / 1e6);
      facts.put("packed", true);
      List<BigInteger> publicInputs = new ArrayList<>();
      for (int i = 1; i <= key.publicInputs(); i++) {
        publicInputs.add(scalars.scalar(i));
      }
      return new BenchWitness(packed, true, publicInputs);
    }
  }

  /** Null where packing saves too little. */
  private static Buffer pack(
      Backend backend, ProvingKey key, Buffer plain, Map<String, Object> facts)
      throws DeviceException {
    Buffer target = backend.allocatePinned((plain.byteSize() / 2 + 15) / 16 * 16);
    boolean complete = false;
    try {
      long start = System.nanoTime();
      complete = backend.pack(plain, key.variables(), target) > 0;
      facts.put("pack_ms", (System.nanoTime() - start) / 1e6);
      return complete ? target : null;
    } finally {
      if (!complete) {
        release(target);
      }
    }
  }

  private static List<BigInteger> publicInputs(ProvingKey key, Buffer plain) {
    List<BigInteger> publicInputs = new ArrayList<>();
    byte[] value = new byte[CurveId.SCALAR_BYTES];
    for (int i = 1; i <= key.publicInputs(); i++) {
      plain.view((long) i * value.length, value.length).get(value);
      publicInputs.add(LittleEndian.toInteger(value, 0, value.length));
    }
    return publicInputs;
  }

  List<BigInteger> publicInputs() {
    return publicInputs;
  }

  /** A request for a proof of it. */
  ProofRequest request(byte[] r, byte[] s) {
    return new ProofRequest(buffer, r, s, packed);
  }

  private static void release(Buffer buffer) {
    buffer.zero();
    buffer.close();
  }

  @Override
  public void close() {
    release(buffer);
  }
}
