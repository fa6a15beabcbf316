package dev.cuzk.device;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The GPUs of the machine as far as the driver shows them; CUDA_VISIBLE_DEVICES is the driver's
 * business, so its entries may be anything it understands. No context is made.
 *
 * @param gpus by ordinal
 * @param problem why none is visible; empty if some are
 * @param hardware whether the machine has an NVIDIA device, visible or not
 * @param hiddenOnPurpose whether CUDA_VISIBLE_DEVICES is set and shows none
 * @param driverVersion CUDA version that the driver understands, for example 13000; 0 = unknown
 */
public record GpuInventory(
    List<Gpu> gpus, String problem, boolean hardware, boolean hiddenOnPurpose, int driverVersion) {

  /** The least compute capability that libcuzk-cuda is built for: 7.0. */
  static final int LEAST_MAJOR = 7;

  private static final String NVIDIA_VENDOR = "0x10de";

  public GpuInventory {
    gpus = List.copyOf(gpus);
  }

  /** Asks the driver; takes some 0.1 s where there is one, and never fails. */
  public static GpuInventory find() {
    String visible = System.getenv("CUDA_VISIBLE_DEVICES");
    boolean hardware = hasHardware(Path.of("/sys/bus/pci/devices"), Path.of("/dev"));
    if (!hardware) {
      return new GpuInventory(List.of(), "this machine has no NVIDIA GPU", false, false, 0);
    }
    return JcudaDriver.inventory(visible != null);
  }

  /** Whether there is an NVIDIA display or compute controller, driver or not. */
  static boolean hasHardware(Path pciDevices, Path dev) {
    if (Files.exists(dev.resolve("nvidia0")) || Files.exists(dev.resolve("nvidiactl"))) {
      return true;
    }
    try (DirectoryStream<Path> devices = Files.newDirectoryStream(pciDevices)) {
      for (Path device : devices) {
        boolean nvidia = text(device.resolve("vendor")).equals(NVIDIA_VENDOR);
        // PCI base class 3: display controllers, 3D controllers among them.
        if (nvidia && text(device.resolve("class")).startsWith("0x03")) {
          return true;
        }
      }
    } catch (IOException noSuchFolder) {
      return false;
    }
    return false;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file).trim();
    } catch (IOException unreadable) {
      return "";
    }
  }
}
