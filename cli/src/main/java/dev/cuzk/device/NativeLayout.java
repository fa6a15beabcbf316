package dev.cuzk.device;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import dev.cuzk.device.Backend.DeviceDescription;
import dev.cuzk.device.Backend.MemoryNeeds;
import dev.cuzk.device.Backend.ProofRequest;
import dev.cuzk.device.Backend.StageTimes;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.key.Query;
import dev.cuzk.math.CurveId;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The structures of cuzk.h by explicit offsets (x86-64: natural alignment). */
final class NativeLayout {
  static final int ERROR_SIZE = 256;
  static final int NEEDS_SIZE = 32;
  static final int PROPERTIES_SIZE = 256;
  static final int TIMINGS_SIZE = 200;
  static final int PROOF_SIZE = 384;

  private static final int ERROR_CODE = 8;
  private static final int ERROR_DETAIL = 16;
  private static final int ERROR_TEXT = 24;
  private static final int OPTIONS_SIZE = 24;
  private static final int SHAPE_SIZE = 72;
  private static final int PLAN_SIZE = 24;
  private static final int REQUEST_SIZE = 80;
  private static final int PROOF_B = 96;
  private static final int PROOF_C = 96 + 192;

  private NativeLayout() {}

  /** cuzk_device_options; {@code arithmetic} must outlive the call. */
  static Memory options(BackendOptions options, Memory arithmetic) {
    Memory memory = new Memory(OPTIONS_SIZE);
    memory.setInt(0, options.ordinal());
    memory.setInt(4, options.threads());
    memory.setLong(8, options.memoryLimit());
    memory.setPointer(16, arithmetic);
    return memory;
  }

  static Memory text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Memory memory = new Memory(bytes.length + 1L);
    memory.write(0, bytes, 0, bytes.length);
    memory.setByte(bytes.length, (byte) 0);
    return memory;
  }

  static DeviceDescription description(Pointer properties, int ordinal, String buildId) {
    return new DeviceDescription(
        ordinal,
        properties.getString(0, "UTF-8"),
        properties.getString(128, "UTF-8"),
        properties.getString(176, "UTF-8"),
        properties.getString(208, "UTF-8"),
        properties.getInt(224),
        properties.getInt(228),
        properties.getInt(232),
        properties.getLong(240),
        properties.getLong(248),
        buildId);
  }

  static Memory shape(ProvingKey key) {
    Memory memory = new Memory(SHAPE_SIZE);
    memory.setInt(0, key.curve().ordinal());
    memory.setInt(4, key.quotient().ordinal());
    memory.setInt(8, key.domainLog2());
    memory.setInt(12, key.publicInputs());
    memory.setLong(16, key.variables());
    memory.setLong(24, key.entryCount());
    for (Query query : Query.values()) {
      memory.setLong(32 + 8L * query.ordinal(), key.count(query));
    }
    return memory;
  }

  /** A plan by the formulas of one of the libraries. */
  static Memory plan(NativeLibrary.Kind backend, Plan plan) {
    Memory memory = new Memory(PLAN_SIZE);
    memory.setInt(0, backend.ordinal() + 1);
    memory.setInt(4, plan.residentKey() ? 1 : 0);
    memory.setInt(8, plan.batch());
    memory.setInt(12, plan.tableLevels());
    memory.setInt(16, plan.windowBits());
    memory.setInt(20, plan.chunkLog2());
    return memory;
  }

  static Plan plan(Pointer plan) {
    return new Plan(
        plan.getInt(4) != 0, plan.getInt(8), plan.getInt(12), plan.getInt(16), plan.getInt(20));
  }

  static MemoryNeeds needs(Pointer needs) {
    return new MemoryNeeds(
        needs.getLong(0), needs.getLong(8), needs.getLong(16), needs.getLong(24));
  }

  static Memory requests(List<ProofRequest> requests) {
    Memory memory = new Memory((long) REQUEST_SIZE * requests.size());
    long offset = 0;
    for (ProofRequest request : requests) {
      memory.setLong(offset, request.witness().address());
      memory.write(offset + 8, request.r(), 0, CurveId.SCALAR_BYTES);
      memory.write(offset + 40, request.s(), 0, CurveId.SCALAR_BYTES);
      memory.setInt(offset + 72, request.packed() ? 1 : 0);
      memory.setInt(offset + 76, 0);
      offset += REQUEST_SIZE;
    }
    return memory;
  }

  /** A, B, C of one cuzk_proof, back to back. */
  static byte[] proof(Pointer proofs, int index, CurveId curve) {
    int g1 = curve.pointBytes(false);
    int g2 = curve.pointBytes(true);
    byte[] points = new byte[2 * g1 + g2];
    long base = (long) PROOF_SIZE * index;
    proofs.read(base, points, 0, g1);
    proofs.read(base + PROOF_B, points, g1, g2);
    proofs.read(base + PROOF_C, points, g1 + g2, g1);
    return points;
  }

  static StageTimes timings(Pointer timings) {
    int stages = Stage.values().length;
    return new StageTimes(
        timings.getDoubleArray(0, stages),
        timings.getDoubleArray(8L * stages, stages),
        timings.getDouble(16L * stages),
        timings.getLong(16L * stages + 8),
        timings.getLong(16L * stages + 16));
  }

  /** What a failed call says: device, call, what is wrong, what to do. */
  static DeviceException exception(int code, Pointer error, String device, String function) {
    DeviceStatus[] all = DeviceStatus.values();
    DeviceStatus status = code > 0 && code < all.length ? all[code] : DeviceStatus.INTERNAL;
    int deviceCode = error.getInt(ERROR_CODE);
    long detail = error.getLong(ERROR_DETAIL);
    StringBuilder message = new StringBuilder(device).append(": ").append(function).append(": ");
    message.append(error.getString(ERROR_TEXT, "UTF-8"));
    if (deviceCode != 0) {
      message.append(" (code ").append(deviceCode).append(')');
    }
    if (status == DeviceStatus.OUT_OF_DEVICE_MEMORY && detail > 0) {
      message.append(" (").append(detail).append(" bytes asked for)");
    }
    String remedy =
        switch (status) {
          case OUT_OF_HOST_MEMORY -> ". Lower --jobs or raise the machine's memory limit";
          case OUT_OF_PINNED_MEMORY -> ". Lower --pinned-memory or --jobs";
          case OUT_OF_DEVICE_MEMORY ->
              ". Stop what else uses this GPU, or use one with more memory";
          case NO_DEVICE, UNSUPPORTED_DEVICE -> ". 'cuzk doctor' says what is missing";
          case DEVICE_LOST -> ". Look at the kernel's log (dmesg) for Xid messages, then run again";
          case INTERNAL, INVALID_ARGUMENT, INCOMPLETE ->
              ". This is a bug in cuzk: please report it";
          default -> "";
        };
    return new DeviceException(status, detail, message.append(remedy).toString());
  }
}
