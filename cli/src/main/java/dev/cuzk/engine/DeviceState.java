package dev.cuzk.engine;

import dev.cuzk.device.Backend;
import dev.cuzk.device.Backend.MemoryNeeds;
import dev.cuzk.device.DeviceException;
import dev.cuzk.engine.Admission.Need;
import dev.cuzk.key.ProvingKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A device of the run with its executor and its record. */
final class DeviceState {
  enum Health {
    GOOD,
    QUARANTINED,
    LOST
  }

  /** At its second wrong proof a device gets no more work. */
  static final int MAX_FAULTS = 2;

  /** Small proofs share an arena up to this size, and up to this many. */
  private static final long BATCH_ARENA_BYTES = 64L << 20;

  private static final int MAX_BATCH = 16;

  /** Free device memory that is left alone by default: the larger of 1 GiB and 5 %. */
  private static final long MARGIN_BYTES = 1L << 30;

  final int index;
  final DeviceExecutor executor;
  final boolean cpu;

  /** The CPU of a run on GPUs: it gets what must be repeated, nothing else. */
  final boolean repeatOnly;

  volatile Health health = Health.GOOD;
  volatile int faults;
  private final Map<ProvingKey, MemoryNeeds> needs = new ConcurrentHashMap<>();

  DeviceState(int index, DeviceExecutor executor, boolean repeatOnly) {
    this.index = index;
    this.executor = executor;
    this.repeatOnly = repeatOnly;
    this.cpu = executor.backend().description().isCpu();
  }

  /** What a device may use: the budget asked for, or what is free less a margin. */
  static Admission.DeviceBudget budget(Backend backend, EngineOptions options) {
    Backend.DeviceDescription description = backend.description();
    long free = description.memoryFree();
    long margin = Math.max(MARGIN_BYTES, free / 20);
    long bytes =
        options.deviceMemoryBudget() > 0
            ? options.deviceMemoryBudget()
            : Math.max(0, free - margin);
    return new Admission.DeviceBudget(description.isCpu(), bytes);
  }

  boolean usable() {
    return health == Health.GOOD;
  }

  /** What a partition takes here; callable from any thread. */
  Need need(Partition partition) throws DeviceException {
    ProvingKey key = partition.key();
    MemoryNeeds known = needs.get(key);
    if (known == null) {
      known = executor.backend().needs(key);
      needs.put(key, known);
    }
    long proof = Math.max(1, known.proofBytes());
    int batch = (int) Math.max(1, Math.min(MAX_BATCH, BATCH_ARENA_BYTES / proof));
    return new Need(
        index,
        known.hostBytes() + known.pinnedBytes() + partition.synthesizer().hostBytes(),
        cpu ? 0 : known.pinnedBytes(),
        key,
        known.keyBytes(),
        proof * batch,
        Math.max(1, known.pinnedBytes()),
        batch);
  }

  /** How messages call it. */
  String label() {
    return cpu ? "the CPU" : "GPU " + executor.backend().description().ordinal();
  }

  EngineSnapshot.DeviceSnapshot snapshot(long startNanos) {
    String state =
        switch (health) {
          case GOOD -> "";
          case QUARANTINED -> "quarantined";
          case LOST -> "lost";
        };
    return executor.snapshot(startNanos, state, faults);
  }
}
