package dev.cuzk.engine;

import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * What a run's engine may use and how it behaves.
 *
 * @param threads that synthesize, verify and prove on the CPU at a time, together, at least 1
 * @param synthesisThreads threads that make assignments, at least 1
 * @param verifyThreads threads that verify proofs, at least 1
 * @param hostMemoryBudget bytes of host memory for everything in flight; on a run without a GPU
 *     keys and proofs count against it too
 * @param pinnedMemoryBudget bytes of page-locked memory, part of the host budget; without a GPU
 *     nothing is page-locked and only the host budget counts
 * @param deviceMemoryBudget bytes of each GPU's memory; 0 = what is free when the device is opened,
 *     less the larger of 1 GiB and 5 %
 * @param maxInFlight partitions between admission and acceptance; 0 = as many as keep the devices
 *     busy
 * @param synchronous one partition at a time through every stage
 * @param selfVerify whether proofs are verified before they are accepted
 * @param halt what a failed job means for the others
 * @param insecureSeed fixes all blinding scalars, for tests; empty = from the operating system
 * @param cpuRepeat whether the CPU may repeat what a GPU proved wrongly
 * @param scheduler time and threads; the machine's own except in simulations
 * @param expectedProofs what is known of the proofs to come; others are proved too
 * @param notices receives one line for the user, on engine threads; must not block
 */
public record EngineOptions(
    int threads,
    int synthesisThreads,
    int verifyThreads,
    long hostMemoryBudget,
    long pinnedMemoryBudget,
    long deviceMemoryBudget,
    int maxInFlight,
    boolean synchronous,
    boolean selfVerify,
    Halt halt,
    OptionalLong insecureSeed,
    boolean cpuRepeat,
    Scheduler scheduler,
    ExpectedProofs expectedProofs,
    Consumer<String> notices) {

  /** What a failed job means for the others; the words of {@code --halt}. */
  public enum Halt {
    /** Running partitions are cancelled and all other jobs dropped. */
    NOW,
    /** Jobs that have begun go on; those that have not are dropped. */
    SOON,
    /** The others go on. */
    NEVER
  }

  public EngineOptions {
    if (threads < 1 || synthesisThreads < 1 || verifyThreads < 1) {
      throw new IllegalArgumentException("every pool has at least one thread");
    }
    if (hostMemoryBudget < 1 || pinnedMemoryBudget < 1 || deviceMemoryBudget < 0) {
      throw new IllegalArgumentException("a memory budget is a positive number of bytes");
    }
    if (maxInFlight < 0) {
      throw new IllegalArgumentException("partitions in flight: at least 0");
    }
    Objects.requireNonNull(halt);
    Objects.requireNonNull(insecureSeed);
    Objects.requireNonNull(scheduler);
    Objects.requireNonNull(expectedProofs);
    Objects.requireNonNull(notices);
  }

  /** Options with every choice at its default, for the given budgets. */
  public static Builder builder(long hostMemoryBudget, long pinnedMemoryBudget) {
    return new Builder(hostMemoryBudget, pinnedMemoryBudget);
  }

  /** Collects the choices that differ from the defaults. */
  public static final class Builder {
    private final long hostMemoryBudget;
    private final long pinnedMemoryBudget;
    private long deviceMemoryBudget;
    private int threads = Integer.MAX_VALUE;
    private int synthesisThreads = Runtime.getRuntime().availableProcessors();
    private int verifyThreads = Runtime.getRuntime().availableProcessors();
    private int maxInFlight;
    private boolean synchronous;
    private boolean selfVerify = true;
    private Halt halt = Halt.NEVER;
    private OptionalLong insecureSeed = OptionalLong.empty();
    private boolean cpuRepeat = true;
    private Scheduler scheduler = Scheduler.SYSTEM;
    private ExpectedProofs expectedProofs = new ExpectedProofs();
    private Consumer<String> notices = line -> {};

    private Builder(long hostMemoryBudget, long pinnedMemoryBudget) {
      this.hostMemoryBudget = hostMemoryBudget;
      this.pinnedMemoryBudget = pinnedMemoryBudget;
    }

    public Builder deviceMemoryBudget(long bytes) {
      deviceMemoryBudget = bytes;
      return this;
    }

    /** All threads that compute, together; the pools alone bound them by default. */
    public Builder threads(int number) {
      threads = number;
      return this;
    }

    public Builder synthesisThreads(int threads) {
      synthesisThreads = threads;
      return this;
    }

    public Builder verifyThreads(int threads) {
      verifyThreads = threads;
      return this;
    }

    public Builder maxInFlight(int partitions) {
      maxInFlight = partitions;
      return this;
    }

    public Builder synchronous(boolean on) {
      synchronous = on;
      return this;
    }

    public Builder selfVerify(boolean on) {
      selfVerify = on;
      return this;
    }

    public Builder halt(Halt policy) {
      halt = policy;
      return this;
    }

    public Builder insecureSeed(long seed) {
      insecureSeed = OptionalLong.of(seed);
      return this;
    }

    public Builder cpuRepeat(boolean allowed) {
      cpuRepeat = allowed;
      return this;
    }

    public Builder scheduler(Scheduler timeAndThreads) {
      scheduler = timeAndThreads;
      return this;
    }

    public Builder expectedProofs(ExpectedProofs proofs) {
      expectedProofs = proofs;
      return this;
    }

    public Builder notices(Consumer<String> consumer) {
      notices = consumer;
      return this;
    }

    public EngineOptions build() {
      return new EngineOptions(
          threads,
          synthesisThreads,
          verifyThreads,
          hostMemoryBudget,
          pinnedMemoryBudget,
          deviceMemoryBudget,
          maxInFlight,
          synchronous,
          selfVerify,
          halt,
          insecureSeed,
          cpuRepeat,
          scheduler,
          expectedProofs,
          notices);
    }
  }
}
