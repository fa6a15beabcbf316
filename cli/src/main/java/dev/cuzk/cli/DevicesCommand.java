package dev.cuzk.cli;

import dev.cuzk.device.Gpu;
import dev.cuzk.device.GpuInventory;
import dev.cuzk.device.Nvml;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code cuzk devices}: the GPUs that can be used, and why others cannot. */
@Command(
    name = "devices",
    header = "Lists GPUs.",
    description = {
      "Ordinal, UUID, PCI id, name, compute capability, memory total and free, and why a GPU cannot"
          + " be used. No context is made on any. Exit code 5 if none is usable."
    })
final class DevicesCommand extends BaseCommand {
  @Option(
      names = "--format",
      paramLabel = "NAME",
      description = "text, or spark for a line of Apache Spark's resource discovery (text).")
  String format = "text";

  @Override
  int run() {
    String form = format.toLowerCase(Locale.ROOT);
    if (!form.equals("text") && !form.equals("spark")) {
      throw usage("--format must be text or spark, found '" + format + "'");
    }
    GpuInventory inventory = GpuInventory.find();
    if (form.equals("spark")) {
      spark(inventory);
    } else if (console().isJson()) {
      json(inventory);
    } else {
      text(inventory);
    }
    return inventory.gpus().stream().anyMatch(Gpu::usable) ? ExitCode.OK : ExitCode.DEVICE;
  }

  private static Optional<Long> freeMemory(Gpu gpu) {
    return Nvml.load(gpu.uuid()).map(Nvml.Load::memoryFree);
  }

  private void text(GpuInventory inventory) {
    for (Gpu gpu : inventory.gpus()) {
      String free =
          freeMemory(gpu).map(bytes -> ", " + MemorySize.format(bytes) + " free").orElse("");
      console()
          .result(
              String.format(
                  Locale.ROOT,
                  "%d  %s  %s  %s  compute %d.%d  %s%s%s",
                  gpu.ordinal(),
                  gpu.uuid(),
                  gpu.pciId(),
                  gpu.name(),
                  gpu.computeMajor(),
                  gpu.computeMinor(),
                  MemorySize.format(gpu.memoryTotal()),
                  free,
                  gpu.usable() ? "" : "  cannot be used: " + gpu.problem()));
    }
    if (inventory.gpus().isEmpty()) {
      console().note("cuzk: " + inventory.problem());
    }
  }

  private void json(GpuInventory inventory) {
    List<Object> list = new ArrayList<>();
    for (Gpu gpu : inventory.gpus()) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("ordinal", gpu.ordinal());
      object.put("uuid", gpu.uuid());
      object.put("pci", gpu.pciId());
      object.put("name", gpu.name());
      object.put("compute_capability", gpu.computeMajor() + "." + gpu.computeMinor());
      object.put("memory_bytes", gpu.memoryTotal());
      object.put("memory_free_bytes", freeMemory(gpu).orElse(null));
      object.put("usable", gpu.usable());
      if (!gpu.usable()) {
        object.put("problem", gpu.problem());
      }
      list.add(object);
    }
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("devices", list);
    if (inventory.gpus().isEmpty()) {
      object.put("problem", inventory.problem());
    }
    console().result(Json.write(object));
  }

  /** {@code {"name":"gpu","addresses":["0","1"]}}, as spark.worker.resource.gpu wants it. */
  private void spark(GpuInventory inventory) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("name", "gpu");
    object.put(
        "addresses",
        inventory.gpus().stream()
            .filter(Gpu::usable)
            .map(gpu -> Integer.toString(gpu.ordinal()))
            .toList());
    console().result(Json.write(object));
  }
}
