package dev.cuzk.cli;

import dev.cuzk.batch.Failures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One thing that {@code doctor} looked at.
 *
 * @param finding what is there
 * @param remedy what to do about it; empty if it is well
 */
record HealthCheck(String name, State state, String finding, String remedy) {
  private static final int OLDEST_JAVA = 17;
  private static final long SMALL_MEMORY = 1L << 30;

  /** How it is. */
  enum State {
    OK,
    WARN,
    FAIL
  }

  static HealthCheck ok(String name, String finding) {
    return new HealthCheck(name, State.OK, finding, "");
  }

  static HealthCheck warn(String name, String finding, String remedy) {
    return new HealthCheck(name, State.WARN, finding, remedy);
  }

  static HealthCheck fail(String name, String finding, String remedy) {
    return new HealthCheck(name, State.FAIL, finding, remedy);
  }

  /** Everything about the process and its machine, devices excepted. */
  static List<HealthCheck> ofProcess(Environment environment, HostLimits limits) {
    List<HealthCheck> checks = new ArrayList<>();
    checks.add(ok("cuzk", Version.number() + ", build " + Version.build()));
    checks.add(java());
    checks.add(platform());
    checks.add(memory(limits));
    checks.add(ok("threads", Integer.toString(limits.threads())));
    checks.add(lockedMemory());
    checks.add(cache(environment));
    checks.add(folder("current folder", Path.of("").toAbsolutePath()));
    return checks;
  }

  private static HealthCheck java() {
    int feature = Runtime.version().feature();
    String found = System.getProperty("java.version") + " in " + System.getProperty("java.home");
    return feature >= OLDEST_JAVA
        ? ok("java", found)
        : fail("java", found, "Install Java 17 or later.");
  }

  private static HealthCheck platform() {
    String found =
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch");
    boolean glibc = Files.exists(Path.of("/lib64/ld-linux-x86-64.so.2"));
    boolean right = System.getProperty("os.arch").equals("amd64") && glibc;
    return right
        ? ok("platform", found)
        : fail("platform", found, "Linux x86-64 with glibc is needed.");
  }

  private static HealthCheck memory(HostLimits limits) {
    String found =
        MemorySize.format(limits.memoryLimit())
            + " ("
            + limits.memorySource()
            + "), budget "
            + MemorySize.format(limits.hostBudget());
    return limits.memoryLimit() >= SMALL_MEMORY
        ? ok("host memory", found)
        : warn("host memory", found, "Large circuits need more; raise the limit.");
  }

  /** For information: CUDA's pinning is not bound by it. */
  private static HealthCheck lockedMemory() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
        if (line.startsWith("Max locked memory")) {
          String[] words = line.substring("Max locked memory".length()).strip().split("\\s+");
          return ok("ulimit -l", words[0] + " (not used: CUDA's pinning is not bound by it)");
        }
      }
    } catch (IOException e) {
      return warn("ulimit -l", Failures.describe(e), "Mount /proc.");
    }
    return ok("ulimit -l", "unknown");
  }

  private static HealthCheck cache(Environment environment) {
    Optional<Path> folder = environment.cacheFolder();
    return folder.isPresent()
        ? folder("cache", folder.get())
        : warn(
            "cache",
            "no folder",
            "Set CUZK_CACHE or HOME; without a cache, digests of keys and"
                + " compiled programs are made anew in every run.");
  }

  /** Writable, or could be made; nothing is written. */
  private static HealthCheck folder(String name, Path folder) {
    Path existing = folder.toAbsolutePath();
    while (existing.getParent() != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    if (!Files.isDirectory(existing)) {
      return warn(name, existing + " is not a folder", "Remove it or choose another folder.");
    }
    return Files.isWritable(existing)
        ? ok(name, folder.toString())
        : warn(name, folder + " cannot be written", "Change its permissions, or choose another.");
  }
}
