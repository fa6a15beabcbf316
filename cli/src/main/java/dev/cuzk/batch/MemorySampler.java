package dev.cuzk.batch;

import dev.cuzk.engine.EngineSnapshot.Reserved;
import dev.cuzk.report.EngineFigures.DeviceLoad;
import dev.cuzk.report.EngineFigures.DeviceMemory;
import dev.cuzk.report.EngineFigures.MemorySample;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Notes what memory a run has in use, five times a second; on a long run, in which the samples
 * would become too many, it puts pairs of them together and goes on half as often. On a thread of
 * its own.
 */
final class MemorySampler {
  static final long INTERVAL_MILLISECONDS = 200;
  static final int MOST_SAMPLES = 4_000;

  private static final Path STATM = Path.of("/proc/self/statm");
  private static final long PAGE_BYTES = 4_096;

  private final long startNanos;
  private final Supplier<Reserved> reserved;
  private final Supplier<List<DeviceLoad>> loads;
  private final Thread thread = new Thread(this::run, "cuzk-memory");

  // Of the thread alone until it has ended.
  private final List<MemorySample> samples = new ArrayList<>();
  private final List<Double> utilisationSums = new ArrayList<>();
  private final List<Long> utilisationCounts = new ArrayList<>();
  private long interval = INTERVAL_MILLISECONDS;

  MemorySampler(long startNanos, Supplier<Reserved> reserved, Supplier<List<DeviceLoad>> loads) {
    this.startNanos = startNanos;
    this.reserved = reserved;
    this.loads = loads;
  }

  /** {@code startNanos}: {@link System#nanoTime} of the run's start. */
  static MemorySampler start(
      long startNanos, Supplier<Reserved> reserved, Supplier<List<DeviceLoad>> loads) {
    MemorySampler sampler = new MemorySampler(startNanos, reserved, loads);
    sampler.thread.setDaemon(true);
    sampler.thread.start();
    return sampler;
  }

  private void run() {
    try {
      while (true) {
        sample((System.nanoTime() - startNanos) / 1e6);
        TimeUnit.MILLISECONDS.sleep(interval);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  void sample(double startMs) {
    Reserved now = reserved.get();
    List<DeviceLoad> known = loads.get();
    List<DeviceMemory> devices = new ArrayList<>();
    for (int i = 0; i < Math.max(now.devices().size(), known.size()); i++) {
      DeviceLoad load = i < known.size() ? known.get(i) : DeviceLoad.UNKNOWN;
      long bytes = i < now.devices().size() ? now.devices().get(i) : 0;
      devices.add(new DeviceMemory(bytes, load.usedBytes()));
      note(i, load.utilisation());
    }
    samples.add(new MemorySample(startMs, residentBytes(), now.host(), now.pinned(), devices));
    if (samples.size() >= MOST_SAMPLES) {
      halve();
    }
  }

  private void note(int device, double utilisation) {
    while (utilisationSums.size() <= device) {
      utilisationSums.add(0.0);
      utilisationCounts.add(0L);
    }
    if (utilisation >= 0) {
      utilisationSums.set(device, utilisationSums.get(device) + utilisation);
      utilisationCounts.set(device, utilisationCounts.get(device) + 1);
    }
  }

  private void halve() {
    List<MemorySample> all = List.copyOf(samples);
    samples.clear();
    for (int i = 0; i + 1 < all.size(); i += 2) {
      samples.add(most(all.get(i), all.get(i + 1)));
    }
    interval *= 2;
  }

  private static MemorySample most(MemorySample a, MemorySample b) {
    List<DeviceMemory> devices = new ArrayList<>();
    for (int i = 0; i < b.devices().size(); i++) {
      DeviceMemory later = b.devices().get(i);
      DeviceMemory earlier = i < a.devices().size() ? a.devices().get(i) : later;
      devices.add(
          new DeviceMemory(
              Math.max(earlier.reservedBytes(), later.reservedBytes()),
              Math.max(earlier.usedBytes(), later.usedBytes())));
    }
    return new MemorySample(
        a.startMs(),
        Math.max(a.rssBytes(), b.rssBytes()),
        Math.max(a.hostBytes(), b.hostBytes()),
        Math.max(a.pinnedBytes(), b.pinnedBytes()),
        devices);
  }

  /** Of this process; 0 = unknown. */
  private static long residentBytes() {
    try {
      String[] pages = Files.readString(STATM, StandardCharsets.US_ASCII).split(" ");
      return Long.parseLong(pages[1]) * PAGE_BYTES;
    } catch (IOException | RuntimeException unknown) {
      return 0;
    }
  }

  /** Takes no more samples. */
  void stop() throws InterruptedException {
    thread.interrupt();
    thread.join();
  }

  /** After {@link #stop}, in order. */
  List<MemorySample> samples() {
    return List.copyOf(samples);
  }

  /** After {@link #stop}: each device's mean utilisation; negative = unknown. */
  List<Double> utilisations() {
    List<Double> means = new ArrayList<>();
    for (int i = 0; i < utilisationSums.size(); i++) {
      long count = utilisationCounts.get(i);
      means.add(count == 0 ? -1.0 : utilisationSums.get(i) / count);
    }
    return means;
  }
}
