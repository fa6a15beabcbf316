package dev.cuzk.device;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Which devices a run uses: what {@code --gpus} asks for, held against what the machine has.
 *
 * @param gpus in the order of the list; empty = the CPU
 * @param notice a line for the user, or empty
 * @param withoutGpu why a CPU that nobody asked for stands in for GPUs; empty where it does not
 */
public record DeviceSelection(List<Gpu> gpus, String notice, String withoutGpu) {
  /** Without {@code --gpus}, the CPU proves domains below 2^24 only: beyond it takes hours. */
  static final int CPU_MAX_DOMAIN_LOG2 = 23;

  public DeviceSelection {
    gpus = List.copyOf(gpus);
  }

  private static DeviceSelection of(List<Gpu> gpus) {
    return new DeviceSelection(gpus, "", "");
  }

  /** The CPU, because somebody asked for it. */
  public static DeviceSelection cpu() {
    return of(List.of());
  }

  /** The first device alone. */
  public DeviceSelection first() {
    return isCpu() ? this : new DeviceSelection(gpus.subList(0, 1), notice, withoutGpu);
  }

  public boolean isCpu() {
    return gpus.isEmpty();
  }

  /**
   * Whether a list names the CPU, so that no GPU need be looked for.
   *
   * @param list the value of {@code --gpus}; null = not given
   */
  public static boolean namesCpu(String list) {
    return list != null && list.trim().equalsIgnoreCase("none");
  }

  /**
   * Refuses a list that is wrong on every machine, so that it is refused before any work.
   *
   * @param list the value of {@code --gpus}
   * @throws DeviceSelectionException if an entry is empty, of no known form, or repeated
   */
  public static void requireWellFormed(String list) throws DeviceSelectionException {
    entries(list);
  }

  /**
   * Chooses the devices.
   *
   * @param list the value of {@code --gpus}; null = not given
   * @param largestDomainLog2 of the keys to be used; −1 = not known yet
   * @throws DeviceSelectionException if an entry is empty, unknown, ambiguous or repeated
   * @throws DeviceException NO_DEVICE or UNSUPPORTED_DEVICE if what was asked for cannot be used
   */
  public static DeviceSelection choose(
      String list,
      GpuInventory inventory,
      int largestDomainLog2,
      Function<String, List<String>> migInstances)
      throws DeviceSelectionException, DeviceException {
    if (list == null) {
      return byDefault(inventory, largestDomainLog2);
    }
    List<String> entries = entries(list);
    if (entries.equals(List.of("none"))) {
      return cpu();
    }
    if (inventory.gpus().isEmpty()) {
      throw unusable("--gpus " + list + ": " + inventory.problem());
    }
    if (entries.equals(List.of("all"))) {
      return of(usable(inventory.gpus(), migInstances));
    }
    List<Gpu> chosen = new ArrayList<>();
    for (String entry : entries) {
      Gpu gpu = find(entry, inventory.gpus());
      if (chosen.contains(gpu)) {
        throw new DeviceSelectionException(
            "--gpus: '" + entry + "' names GPU " + gpu.ordinal() + ", which is listed already");
      }
      chosen.add(gpu);
    }
    return of(usable(chosen, migInstances));
  }

  /** As above, asking NVML for MIG instances. */
  public static DeviceSelection choose(String list, GpuInventory inventory, int largestDomainLog2)
      throws DeviceSelectionException, DeviceException {
    return choose(list, inventory, largestDomainLog2, Nvml::migInstances);
  }

  private static DeviceSelection byDefault(GpuInventory inventory, int largestDomainLog2)
      throws DeviceException {
    if (!inventory.gpus().isEmpty()) {
      return of(usable(inventory.gpus(), uuid -> List.of()));
    }
    if (inventory.hardware() && !inventory.hiddenOnPurpose()) {
      throw unusable(
          "there is an NVIDIA GPU, but it cannot be used: "
              + inventory.problem()
              + ". 'cuzk doctor' says more; --gpus none proves on the CPU.");
    }
    DeviceSelection cpu =
        new DeviceSelection(
            List.of(), inventory.problem() + ": proving on the CPU", inventory.problem());
    cpu.requireDomain(largestDomainLog2);
    return cpu;
  }

  /**
   * Refuses a key that these devices were not meant for, such as one that is first named when they
   * have been chosen.
   *
   * @throws DeviceException NO_DEVICE if the CPU would be used unasked for a domain of 2^24 or more
   */
  public void requireDomain(int domainLog2) throws DeviceException {
    if (!withoutGpu.isEmpty() && domainLog2 > CPU_MAX_DOMAIN_LOG2) {
      throw unusable(
          withoutGpu
              + ", and a domain of 2^"
              + domainLog2
              + " takes very long on the CPU. Ask for it with --gpus none.");
    }
  }

  private static List<String> entries(String list) throws DeviceSelectionException {
    List<String> entries = new ArrayList<>();
    for (String raw : list.split(",", -1)) {
      String entry = raw.trim();
      if (entry.isEmpty()) {
        throw new DeviceSelectionException(
            "--gpus '" + list + "': an entry is empty. 'none' means the CPU.");
      }
      boolean word = entry.equalsIgnoreCase("all") || entry.equalsIgnoreCase("none");
      if (!word && !isUuid(entry) && !isOrdinal(entry)) {
        throw new DeviceSelectionException(
            "--gpus: '"
                + entry
                + "' is neither an ordinal nor a UUID (GPU-… or MIG-…), 'all' or 'none'");
      }
      String written = word ? entry.toLowerCase(Locale.ROOT) : entry;
      if (entries.contains(written)) {
        throw new DeviceSelectionException("--gpus '" + list + "': '" + written + "' is repeated");
      }
      entries.add(written);
    }
    if (entries.size() > 1 && (entries.contains("all") || entries.contains("none"))) {
      throw new DeviceSelectionException("--gpus '" + list + "': 'all' and 'none' stand alone");
    }
    return entries;
  }

  private static boolean isUuid(String entry) {
    String upper = entry.toUpperCase(Locale.ROOT);
    return upper.startsWith("GPU-") || upper.startsWith("MIG-");
  }

  private static boolean isOrdinal(String entry) {
    return entry.matches("[0-9]{1,9}");
  }

  private static Gpu find(String entry, List<Gpu> gpus) throws DeviceSelectionException {
    List<Gpu> matching;
    if (isUuid(entry)) {
      String upper = entry.toUpperCase(Locale.ROOT);
      matching =
          gpus.stream()
              .filter(gpu -> gpu.uuid().toUpperCase(Locale.ROOT).startsWith(upper))
              .toList();
    } else {
      int ordinal = Integer.parseInt(entry);
      matching = gpus.stream().filter(gpu -> gpu.ordinal() == ordinal).toList();
    }
    if (matching.size() != 1) {
      String visible =
          gpus.stream()
              .map(gpu -> gpu.ordinal() + " = " + gpu.uuid())
              .collect(Collectors.joining(", "));
      throw new DeviceSelectionException(
          "--gpus: '"
              + entry
              + (matching.isEmpty() ? "' names no visible GPU" : "' names several GPUs")
              + "; visible are "
              + visible);
    }
    return matching.get(0);
  }

  private static List<Gpu> usable(List<Gpu> gpus, Function<String, List<String>> migInstances)
      throws DeviceException {
    for (Gpu gpu : gpus) {
      if (!gpu.usable()) {
        throw new DeviceException(
            DeviceStatus.UNSUPPORTED_DEVICE,
            0,
            "GPU " + gpu.ordinal() + " (" + gpu.name() + "): " + gpu.problem());
      }
      List<String> instances =
          gpu.uuid().startsWith("GPU-") ? migInstances.apply(gpu.uuid()) : List.of();
      if (!instances.isEmpty()) {
        throw unusable(
            "GPU "
                + gpu.ordinal()
                + " is in MIG mode: name one of its instances: "
                + String.join(", ", instances));
      }
    }
    return List.copyOf(gpus);
  }

  private static DeviceException unusable(String message) {
    return new DeviceException(DeviceStatus.NO_DEVICE, 0, message);
  }
}
