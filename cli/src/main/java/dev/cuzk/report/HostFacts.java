package dev.cuzk.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The machine a run was on. Unknown texts are empty, unknown numbers 0.
 *
 * @param processors those that this process may use
 * @param memoryBytes of the machine, not of a container's limit
 */
public record HostFacts(
    String name,
    String system,
    String kernel,
    String cpu,
    int processors,
    long memoryBytes,
    String java,
    long processId) {

  /** This machine, from /proc and the runtime. */
  public static HostFacts collect() {
    return new HostFacts(
        hostName(),
        System.getProperty("os.name", "") + " " + System.getProperty("os.arch", ""),
        System.getProperty("os.version", ""),
        valueOf(Path.of("/proc/cpuinfo"), "model name"),
        Runtime.getRuntime().availableProcessors(),
        kibibytes(valueOf(Path.of("/proc/meminfo"), "MemTotal")),
        System.getProperty("java.vm.name", "") + " " + System.getProperty("java.vm.version", ""),
        ProcessHandle.current().pid());
  }

  /** The machine's name; empty if it is not known. */
  public static String hostName() {
    return firstLine(Path.of("/proc/sys/kernel/hostname"));
  }

  private static String firstLine(Path file) {
    try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      return lines.findFirst().orElse("").strip();
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }

  private static String valueOf(Path file, String name) {
    try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
      return lines
          .filter(line -> line.startsWith(name) && line.indexOf(':') > 0)
          .findFirst()
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .orElse("");
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }

  private static long kibibytes(String text) {
    String digits = text.replaceAll("[^0-9]", "");
    return digits.isEmpty() ? 0 : Long.parseLong(digits) * 1024;
  }
}
