package dev.cuzk.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What this process may use of the machine: memory by the tightest cgroup above it (version 2 or 1)
 * or the machine's own, threads by affinity mask and cgroup quota.
 *
 * @param memoryLimit bytes
 * @param memorySource where the limit stands, for {@code doctor}
 * @param threads at least 1
 */
record HostLimits(long memoryLimit, String memorySource, int threads) {
  /** Kernels without a limit write 2^63 rounded down to a page in version 1. */
  private static final long UNLIMITED = 1L << 60;

  static HostLimits ofProcess() {
    return read(Path.of("/"), Runtime.getRuntime().availableProcessors());
  }

  /** Reads below another root, for tests. */
  static HostLimits read(Path root, int processors) {
    long limit = Long.MAX_VALUE;
    String source = "unknown";
    Path memoryInformation = root.resolve("proc/meminfo");
    OptionalLong machine = machineMemory(memoryInformation);
    if (machine.isPresent()) {
      limit = machine.getAsLong();
      source = "machine";
    }
    for (Path file : limitFiles(root)) {
      OptionalLong found = number(file);
      if (found.isPresent() && found.getAsLong() < Math.min(limit, UNLIMITED)) {
        limit = found.getAsLong();
        source = "/" + root.relativize(file);
      }
    }
    if (limit == Long.MAX_VALUE) {
      limit = Runtime.getRuntime().maxMemory();
      source = "Java heap";
    }
    return new HostLimits(limit, source, Math.max(1, processors));
  }

  /** The limit less a tenth (at least 256 MiB, at most 4 GiB, never more than half). */
  long hostBudget() {
    long margin = Math.min(Math.max(memoryLimit / 10, 256L << 20), 4L << 30);
    return memoryLimit - Math.min(margin, memoryLimit / 2);
  }

  private static OptionalLong machineMemory(Path file) {
    for (String line : lines(file)) {
      if (line.startsWith("MemTotal:")) {
        return OptionalLong.of(Long.parseLong(line.replaceAll("[^0-9]", "")) << 10);
      }
    }
    return OptionalLong.empty();
  }

  /** Every limit file from the process's own group up to the root of the hierarchy. */
  private static List<Path> limitFiles(Path root) {
    Path base = root.resolve("sys/fs/cgroup");
    return lines(root.resolve("proc/self/cgroup")).stream()
        .flatMap(line -> limitFiles(base, line.split(":", 3)).stream())
        .toList();
  }

  private static List<Path> limitFiles(Path base, String[] group) {
    if (group.length != 3) {
      return List.of();
    }
    boolean unified = group[0].equals("0") && group[1].isEmpty();
    if (!unified && !List.of(group[1].split(",")).contains("memory")) {
      return List.of();
    }
    Path top = unified ? base : base.resolve("memory");
    String name = unified ? "memory.max" : "memory.limit_in_bytes";
    List<Path> files = new ArrayList<>();
    Path folder = top.resolve(group[2].replaceFirst("^/+", "")).normalize();
    while (folder.startsWith(top)) {
      files.add(folder.resolve(name));
      folder = folder.getParent();
    }
    return files;
  }

  private static OptionalLong number(Path file) {
    Optional<String> first = lines(file).stream().findFirst().map(String::strip);
    return first.filter(text -> text.matches("[0-9]{1,18}")).isPresent()
        ? OptionalLong.of(Long.parseLong(first.get()))
        : OptionalLong.empty();
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }
}
