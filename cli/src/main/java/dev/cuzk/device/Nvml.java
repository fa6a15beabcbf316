package dev.cuzk.device;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.PointerByReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What NVML (libnvidia-ml.so.1) tells about a GPU without making a context on it. Devices are
 * matched by UUID, because NVML's numbering is not CUDA's. Where the library is missing, nothing is
 * known. Facts from NVIDIA's "NVML API Reference".
 */
public final class Nvml {
  private static final int UUID_BYTES = 96;
  private static final int MIG_ENABLED = 1;

  /**
   * A GPU's load.
   *
   * @param memoryTotal bytes
   * @param memoryFree bytes
   * @param utilisationPercent of the last sample period in which a kernel ran; −1 = unknown
   */
  public record Load(long memoryTotal, long memoryFree, int utilisationPercent) {}

  /** Initialised when something is first asked. */
  private static final class Holder {
    static final Optional<NativeLibrary> LIBRARY = open();

    private static Optional<NativeLibrary> open() {
      try {
        NativeLibrary library = NativeLibrary.getInstance("libnvidia-ml.so.1");
        int status = library.getFunction("nvmlInit_v2").invokeInt(new Object[0]);
        return status == 0 ? Optional.of(library) : Optional.empty();
      } catch (LinkageError missing) {
        return Optional.empty();
      }
    }
  }

  private Nvml() {}

  /** Memory and utilisation of the GPU with this UUID. */
  public static Optional<Load> load(String uuid) {
    return device(uuid).flatMap(Nvml::load);
  }

  private static Optional<Load> load(Pointer device) {
    try (Memory memory = new Memory(24);
        Memory rates = new Memory(8)) {
      if (call("nvmlDeviceGetMemoryInfo", device, memory) != 0) {
        return Optional.empty();
      }
      boolean known = call("nvmlDeviceGetUtilizationRates", device, rates) == 0;
      return Optional.of(
          new Load(memory.getLong(0), memory.getLong(8), known ? rates.getInt(0) : -1));
    }
  }

  /** Whether this UUID, with its prefix, is that of a MIG instance. */
  static boolean isMigInstance(String uuid) {
    return device(uuid).isPresent();
  }

  /** UUIDs of the MIG instances of a GPU in MIG mode; empty if it is not. */
  public static List<String> migInstances(String uuid) {
    Optional<Pointer> device = device(uuid);
    IntByReference current = new IntByReference();
    IntByReference pending = new IntByReference();
    if (device.isEmpty()
        || call("nvmlDeviceGetMigMode", device.get(), current, pending) != 0
        || current.getValue() != MIG_ENABLED) {
      return List.of();
    }
    IntByReference count = new IntByReference();
    call("nvmlDeviceGetMaxMigDeviceCount", device.get(), count);
    List<String> instances = new ArrayList<>();
    for (int i = 0; i < count.getValue(); i++) {
      PointerByReference instance = new PointerByReference();
      byte[] text = new byte[UUID_BYTES];
      if (call("nvmlDeviceGetMigDeviceHandleByIndex", device.get(), i, instance) == 0
          && call("nvmlDeviceGetUUID", instance.getValue(), text, text.length) == 0) {
        instances.add(com.sun.jna.Native.toString(text, "UTF-8"));
      }
    }
    return instances;
  }

  private static Optional<Pointer> device(String uuid) {
    PointerByReference handle = new PointerByReference();
    return call("nvmlDeviceGetHandleByUUID", uuid, handle) == 0
        ? Optional.of(handle.getValue())
        : Optional.empty();
  }

  /** NVML's status, or −1 where the library or the function is missing. */
  private static int call(String name, Object... arguments) {
    if (Holder.LIBRARY.isEmpty()) {
      return -1;
    }
    try {
      Function function = Holder.LIBRARY.get().getFunction(name);
      return function.invokeInt(arguments);
    } catch (UnsatisfiedLinkError olderDriver) {
      return -1;
    }
  }
}
