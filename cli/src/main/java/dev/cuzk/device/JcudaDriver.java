package dev.cuzk.device;

import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR;
import static jcuda.driver.CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import jcuda.JCudaVersion;
import jcuda.driver.CUdevice;
import jcuda.driver.CUresult;
import jcuda.driver.CUuuid;
import jcuda.driver.JCudaDriver;

/** Lists devices through CUDA's driver API. Using this class loads JCuda's native part. */
final class JcudaDriver {
  private static final String LIBRARY = "JCudaDriver-" + JCudaVersion.get() + "-linux-x86_64";
  private static final int NAME_BYTES = 256;
  private static final int PCI_ID_BYTES = 32;

  private JcudaDriver() {}

  /** {@code filtered}: CUDA_VISIBLE_DEVICES is set. */
  static GpuInventory inventory(boolean filtered) {
    try {
      loadFromInstallation();
      int status = JCudaDriver.cuInit(0);
      if (status == CUresult.CUDA_ERROR_NO_DEVICE) {
        return none(
            filtered
                ? "CUDA_VISIBLE_DEVICES shows no GPU"
                : "the driver finds no GPU (cuInit: CUDA_ERROR_NO_DEVICE)",
            filtered);
      }
      if (status != CUresult.CUDA_SUCCESS) {
        return none("the driver does not start: cuInit: " + CUresult.stringFor(status), false);
      }
      return list(filtered);
    } catch (LinkageError missing) {
      return none(
          "libcuda.so.1 or JCuda cannot be loaded: "
              + String.valueOf(missing.getMessage()).lines().findFirst().orElse("")
              + ". Install the NVIDIA driver",
          false);
    }
  }

  private static GpuInventory none(String problem, boolean hiddenOnPurpose) {
    return new GpuInventory(List.of(), problem, true, hiddenOnPurpose, 0);
  }

  private static GpuInventory list(boolean filtered) {
    int[] value = new int[1];
    JCudaDriver.cuDriverGetVersion(value);
    final int version = value[0];
    JCudaDriver.cuDeviceGetCount(value);
    int count = value[0];
    List<Gpu> gpus = new ArrayList<>(count);
    for (int ordinal = 0; ordinal < count; ordinal++) {
      gpus.add(describe(ordinal));
    }
    String problem = gpus.isEmpty() ? "the driver shows no GPU" : "";
    return new GpuInventory(gpus, problem, true, gpus.isEmpty() && filtered, version);
  }

  private static Gpu describe(int ordinal) {
    CUdevice device = new CUdevice();
    int status = JCudaDriver.cuDeviceGet(device, ordinal);
    if (status != CUresult.CUDA_SUCCESS) {
      String problem = "cuDeviceGet: " + CUresult.stringFor(status);
      return new Gpu(ordinal, "", "", "unknown", 0, 0, 0, problem);
    }
    byte[] name = new byte[NAME_BYTES];
    JCudaDriver.cuDeviceGetName(name, NAME_BYTES, device);
    CUuuid uuid = new CUuuid();
    JCudaDriver.cuDeviceGetUuid(uuid, device);
    String[] pci = new String[1];
    JCudaDriver.cuDeviceGetPCIBusId(pci, PCI_ID_BYTES, device);
    int[] major = new int[1];
    JCudaDriver.cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    int[] minor = new int[1];
    JCudaDriver.cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
    long[] memory = new long[1];
    JCudaDriver.cuDeviceTotalMem(memory, device);
    String problem =
        major[0] >= GpuInventory.LEAST_MAJOR
            ? ""
            : "compute capability "
                + major[0]
                + "."
                + minor[0]
                + " is below "
                + GpuInventory.LEAST_MAJOR
                + ".0";
    return new Gpu(
        ordinal,
        uuidText(uuid.bytes),
        pciText(pci[0]),
        new String(name, StandardCharsets.UTF_8).split("\0", 2)[0].trim(),
        major[0],
        minor[0],
        memory[0],
        problem);
  }

  /** As nvidia-smi writes it; a MIG instance is known by NVML alone. */
  private static String uuidText(byte[] bytes) {
    String hex = HexFormat.of().formatHex(bytes);
    String text =
        String.join(
            "-",
            hex.substring(0, 8),
            hex.substring(8, 12),
            hex.substring(12, 16),
            hex.substring(16, 20),
            hex.substring(20));
    return (Nvml.isMigInstance("MIG-" + text) ? "MIG-" : "GPU-") + text;
  }

  /** CUDA writes a domain of four digits, NVML of eight. */
  private static String pciText(String pci) {
    String text = pci == null ? "" : pci.split("\0", 2)[0].trim();
    return text.indexOf(':') == 4 ? "0000" + text : text;
  }

  /**
   * Loads JCuda's library from the installation, which {@code java.library.path} names as well, so
   * that JCuda finds it there. Where it does not load, as without a driver, JCuda would unpack
   * another one into the temporary folder; the error ends the search before that.
   */
  private static void loadFromInstallation() {
    String folder = System.getProperty(NativeLibrary.PATH_PROPERTY, "");
    Path library = Path.of(folder, System.mapLibraryName(LIBRARY)).toAbsolutePath();
    if (!folder.isEmpty() && Files.exists(library)) {
      System.load(library.toString());
    }
    JCudaDriver.setExceptionsEnabled(false);
  }
}
