package dev.cuzk.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** What this process takes of the host's memory. */
final class HostMemory {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String PEAK = "VmHWM:";

  private HostMemory() {}

  /** The most bytes that were resident at a time; empty where the system does not tell. */
  static OptionalLong peakBytes() {
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith(PEAK)) {
          return OptionalLong.of(Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024);
        }
      }
    } catch (IOException e) {
      return OptionalLong.empty();
    }
    return OptionalLong.empty();
  }
}
