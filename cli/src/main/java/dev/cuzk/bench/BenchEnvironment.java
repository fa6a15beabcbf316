package dev.cuzk.bench;

import dev.cuzk.device.Backend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The facts about machine, device and build that stand beside every figure. */
final class BenchEnvironment {
  private BenchEnvironment() {}

  static Map<String, Object> describe(Backend.DeviceDescription device, int threads) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put(
        "cpu", firstLine("/proc/cpuinfo", "model name").orElse(System.getProperty("os.arch")));
    facts.put("processors", Runtime.getRuntime().availableProcessors());
    facts.put("threads", threads);
    memory().ifPresent(bytes -> facts.put("memory_bytes", bytes));
    facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("java", Runtime.version().toString());
    facts.put("device", device.isCpu() ? "cpu" : device.uuid());
    facts.put("device_name", device.name());
    facts.put("arithmetic", device.arithmetic());
    if (!device.isCpu()) {
      facts.put("device_memory_bytes", device.memoryTotal());
      facts.put("compute_capability", device.computeMajor() + "." + device.computeMinor());
      readFirstLine("/sys/module/nvidia/version").ifPresent(v -> facts.put("driver", v));
    }
    String version = BenchEnvironment.class.getPackage().getImplementationVersion();
    facts.put("version", version == null ? "development" : version);
    facts.put("build", device.buildId());
    readFirstLine("/proc/loadavg").ifPresent(load -> facts.put("load", load));
    return facts;
  }

  private static Optional<Long> memory() {
    return firstLine("/proc/meminfo", "MemTotal")
        .map(text -> Long.parseLong(text.replaceAll("[^0-9]", "")) * 1024);
  }

  /** The value of the first line {@code name : value}; empty where there is no such file. */
  private static Optional<String> firstLine(String file, String name) {
    try (var lines = Files.lines(Path.of(file))) {
      return lines
          .filter(line -> line.startsWith(name))
          .findFirst()
          .map(line -> line.substring(line.indexOf(':') + 1).strip());
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> readFirstLine(String file) {
    try (var lines = Files.lines(Path.of(file))) {
      return lines.findFirst().map(String::strip);
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }
}
