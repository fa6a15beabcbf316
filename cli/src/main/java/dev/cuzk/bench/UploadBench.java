package dev.cuzk.bench;

import dev.cuzk.device.Backend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.memory.Buffer;
import dev.cuzk.memory.PlainBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Copies to a GPU: from page-locked memory, as assignments go, and from ordinary memory through the
 * ring of page-locked buffers, as keys go. Sizes are bytes.
 */
final class UploadBench {
  private final BenchOptions options;
  private final Backend backend;
  private final BenchListener listener;

  UploadBench(BenchOptions options, Backend backend, BenchListener listener) {
    this.options = options;
    this.backend = backend;
    this.listener = listener;
  }

  void measure(List<BenchCase> cases) throws DeviceException {
    for (long size : options.sizes()) {
      if (size > PlainBuffer.MAXIMUM_BYTES) {
        throw new BenchUsageException(
            "bench upload copies at most " + PlainBuffer.MAXIMUM_BYTES + " bytes, not " + size);
      }
    }
    for (long size : options.sizes()) {
      try (Buffer pinned = backend.allocatePinned(size)) {
        cases.add(measure("pinned", size, pinned));
      }
      try (Buffer plain = PlainBuffer.allocate(size)) {
        cases.add(measure("plain", size, plain));
      }
    }
  }

  private BenchCase measure(String memory, long size, Buffer source) throws DeviceException {
    String id = BenchKind.UPLOAD.printedName() + "/" + memory + "/" + BenchSizes.print(size);
    listener.step(id);
    for (int i = 0; i < options.warmup(); i++) {
      backend.upload(source);
    }
    double[] samples = new double[options.runs()];
    for (int i = 0; i < samples.length; i++) {
      samples[i] = backend.upload(source);
    }
    Statistics statistics = Statistics.of(samples);
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("memory", memory);
    facts.put("bytes", size);
    facts.put("gigabytes_per_second", size / 1e6 / statistics.median());
    return new BenchCase(
        id, BenchKind.UPLOAD.printedName(), "", facts, samples, statistics, Map.of());
  }
}
