package dev.cuzk.engine;

import dev.cuzk.device.Backend;
import dev.cuzk.device.Backend.MemoryNeeds;
import dev.cuzk.device.DeviceException;
import dev.cuzk.device.Plan;
import dev.cuzk.device.Planner;
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

  /** A key that must be streamed serves so many proofs in one pass at most. */
  static final Plan WISH = Plan.RESIDENT.withBatch(8);

  private static final int SMALLER_BY = 4;

  /** Proofs of one submission for each that runs at a time. */
  private static final int ROUNDS = 4;

  /** Free device memory that is left alone by default: the larger of 1 GiB and 5 %. */
  private static final long MARGIN_BYTES = 1L << 30;

  final int index;
  final DeviceExecutor executor;
  final boolean cpu;

  /** The CPU of a run on GPUs: it gets what must be repeated, nothing else. */
  final boolean repeatOnly;

  volatile Health health = Health.GOOD;
  volatile int faults;
  private final Admission.DeviceBudget budget;
  private final EngineOptions options;
  private final Map<ProvingKey, Planner.Choice> choices = new ConcurrentHashMap<>();

  DeviceState(
      int index,
      Admission.DeviceBudget budget,
      EngineOptions options,
      DeviceExecutor executor,
      boolean repeatOnly) {
    this.index = index;
    this.budget = budget;
    this.options = options;
    this.executor = executor;
    this.repeatOnly = repeatOnly;
    this.cpu = executor.backend().description().isCpu();
  }

  /** What a device may use: the budget asked for, or what is free less a margin. */
  static Admission.DeviceBudget budget(Backend backend, EngineOptions options) {
    Backend.DeviceDescription description = backend.description();
    long bytes =
        options.deviceMemoryBudget() > 0
            ? options.deviceMemoryBudget()
            : lessMargin(description.memoryFree());
    return new Admission.DeviceBudget(description.isCpu(), bytes);
  }

  static long lessMargin(long free) {
    return Math.max(0, free - Math.max(MARGIN_BYTES, free / 20));
  }

  /** What key and proofs may take together; the CPU's are counted with the host's memory. */
  private static long limit(Admission.DeviceBudget budget) {
    return budget.cpu() ? Long.MAX_VALUE : budget.bytes();
  }

  /** The fastest plan that a run may use. */
  static Planner.Choice choose(
      Forecast.Chooser chooser,
      ProvingKey key,
      Admission.DeviceBudget budget,
      EngineOptions options)
      throws DeviceException {
    ExpectedProofs expected = options.expectedProofs();
    return budget.cpu()
        ? expected.choose(chooser, key, options.hostMemoryBudget(), WISH, limit(budget))
        : expected.chooseOnGpu(chooser, key, WISH, limit(budget));
  }

  boolean usable() {
    return health == Health.GOOD;
  }

  /** What a partition takes here; callable from any thread. */
  Need need(Partition partition) throws DeviceException {
    ProvingKey key = partition.key();
    Planner.Choice choice = choices.get(key);
    if (choice == null) {
      Planner.Choice fresh = choose(executor.backend()::choosePlan, key, budget, options);
      Planner.Choice known = choices.putIfAbsent(key, fresh);
      choice = known == null ? fresh : known;
    }
    return need(index, budget, choice, partition);
  }

  /** What a partition takes on a device under a plan. */
  static Need need(
      int device, Admission.DeviceBudget budget, Planner.Choice choice, Partition partition) {
    Plan plan = choice.plan();
    MemoryNeeds needs = choice.needs();
    long packed = budget.cpu() ? 0 : partition.synthesizer().packedBytes();
    long witness = packed > 0 ? packed : needs.pinnedBytes();
    int batch = plan.batch();
    long arena = needs.proofBytes();
    if (plan.residentKey() && batch > 1) {
      // The arena has room for as many side by side; more in one submission keep all of them busy.
      batch *= ROUNDS;
    } else if (plan.residentKey()) {
      batch = together(budget, needs);
      arena *= batch;
    }
    return new Need(
        device,
        witness + partition.synthesizer().hostBytes(),
        budget.cpu() ? 0 : witness,
        new PlannedKey(partition.key(), plan),
        needs.keyBytes(),
        needs.hostBytes(),
        arena,
        Math.max(1, needs.pinnedBytes()),
        batch);
  }

  /** Small proofs that share an arena beside a resident key. */
  private static int together(Admission.DeviceBudget budget, MemoryNeeds needs) {
    long room = budget.cpu() ? BATCH_ARENA_BYTES : budget.bytes() - needs.keyBytes();
    long most = Math.min(BATCH_ARENA_BYTES, room) / Math.max(1, needs.proofBytes());
    return (int) Math.max(1, Math.min(MAX_BATCH, most));
  }

  /**
   * The device had less memory than it said, so that a plan failed on it: from now on the key is
   * used here under a plan that takes at least a quarter less, or the smallest there is.
   *
   * @return whether there is one smaller than what failed
   */
  boolean degrade(PlannedKey failed) throws DeviceException {
    if (cpu) {
      return false;
    }
    Planner.Choice now = choices.get(failed.key());
    if (!now.plan().equals(failed.plan())) {
      return true;
    }
    long bytes = bytes(now);
    Planner.Choice smaller =
        executor.backend().choosePlan(failed.key(), bytes - bytes / SMALLER_BY, WISH);
    if (bytes(smaller) >= bytes) {
      return false;
    }
    choices.put(failed.key(), smaller);
    return true;
  }

  /** Whether a key is used here under this plan, and not by now under a smaller one. */
  boolean isCurrent(PlannedKey planned) {
    Planner.Choice choice = choices.get(planned.key());
    return choice == null || choice.plan().equals(planned.plan());
  }

  private static long bytes(Planner.Choice choice) {
    return choice.needs().keyBytes() + choice.needs().proofBytes();
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
