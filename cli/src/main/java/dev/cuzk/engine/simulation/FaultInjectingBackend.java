package dev.cuzk.engine.simulation;

import dev.cuzk.device.Backend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.device.DeviceStatus;
import dev.cuzk.device.Plan;
import dev.cuzk.device.Planner;
import dev.cuzk.engine.Scheduler;
import dev.cuzk.format.InputException;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.key.QuotientForm;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A backend that does what another one does, except where it is told to fail: for tests, and for
 * {@code --fault}. Once a device is lost it answers nothing but closing, as a real one.
 */
public final class FaultInjectingBackend implements Backend {
  /** Decides what happens at each call; safe for use by several threads. */
  @FunctionalInterface
  public interface Schedule {
    /**
     * The fault of a call, or null for none.
     *
     * @param number of calls of this kind so far, from 1; proofs of one submission count singly
     */
    Fault at(Call call, long number);

    /** The first of several that has an answer. */
    static Schedule of(List<FaultRule> rules) {
      List<FaultRule> copy = List.copyOf(rules);
      return (call, number) ->
          copy.stream()
              .filter(rule -> rule.applies(call, number))
              .map(FaultRule::fault)
              .findFirst()
              .orElse(null);
    }
  }

  /** Calls that can fail. */
  public enum Call {
    /** Asking what a key and proofs need. */
    PLAN,
    PINNED,
    LOAD,
    SUBMIT,
    PROVE
  }

  /** What goes wrong. */
  public enum Kind {
    /** The call is answered with INTERNAL. */
    FAIL,
    OUT_OF_MEMORY,
    LOST,
    /** A bit of the proof's A is flipped. */
    WRONG_POINT,
    DELAY
  }

  /** A fault; {@code delayMs} is for DELAY. */
  public record Fault(Kind kind, long delayMs) {}

  private final Backend real;
  private final Schedule schedule;
  private final Scheduler scheduler;
  private final AtomicLong[] calls = new AtomicLong[Call.values().length];
  private volatile boolean lost;

  public FaultInjectingBackend(Backend real, Schedule schedule) {
    this(real, schedule, Scheduler.SYSTEM);
  }

  public FaultInjectingBackend(Backend real, Schedule schedule, Scheduler scheduler) {
    this.real = real;
    this.scheduler = scheduler;
    this.schedule = schedule;
    for (int i = 0; i < calls.length; i++) {
      calls[i] = new AtomicLong();
    }
  }

  @Override
  public DeviceDescription description() {
    return real.description();
  }

  @Override
  public void limitThreads(int threads) {
    real.limitThreads(threads);
  }

  @Override
  public MemoryNeeds needs(ProvingKey key, Plan plan) throws DeviceException {
    return real.needs(key, plan);
  }

  @Override
  public Planner.Choice choosePlan(ProvingKey key, long memory, Plan wish) throws DeviceException {
    apply(Call.PLAN, DeviceStatus.OUT_OF_HOST_MEMORY, 0);
    return real.choosePlan(key, memory, wish);
  }

  @Override
  public Buffer allocatePinned(long bytes) throws DeviceException {
    apply(Call.PINNED, DeviceStatus.OUT_OF_PINNED_MEMORY, bytes);
    return real.allocatePinned(bytes);
  }

  @Override
  public LoadedKey load(ProvingKey key, Plan plan) throws DeviceException, InputException {
    apply(Call.LOAD, DeviceStatus.OUT_OF_DEVICE_MEMORY, 0);
    return real.load(key, plan);
  }

  @Override
  public ProofTask submit(LoadedKey key, List<ProofRequest> requests) throws DeviceException {
    apply(Call.SUBMIT, DeviceStatus.OUT_OF_DEVICE_MEMORY, 0);
    ProofTask task = real.submit(key, requests);
    return new ProofTask() {
      @Override
      public ProofResult await() throws DeviceException {
        ProofResult result = task.await();
        List<byte[]> points = new ArrayList<>();
        for (byte[] proof : result.points()) {
          boolean wrong = apply(Call.PROVE, DeviceStatus.OUT_OF_DEVICE_MEMORY, 0);
          points.add(wrong ? flipped(proof) : proof);
        }
        return new ProofResult(points, result.times());
      }

      @Override
      public void cancel() {
        task.cancel();
      }
    };
  }

  private static byte[] flipped(byte[] proof) {
    byte[] changed = proof.clone();
    changed[0] ^= 1;
    return changed;
  }

  /** Returns whether the result is to be wrong. */
  private boolean apply(Call call, DeviceStatus outOfMemory, long bytes) throws DeviceException {
    String where = description().name() + ": injected fault at " + call;
    if (lost) {
      throw new DeviceException(DeviceStatus.DEVICE_LOST, 0, where + ": the device is lost");
    }
    Fault fault = schedule.at(call, calls[call.ordinal()].incrementAndGet());
    if (fault == null) {
      return false;
    }
    switch (fault.kind()) {
      case FAIL -> throw new DeviceException(DeviceStatus.INTERNAL, 0, where);
      case OUT_OF_MEMORY ->
          throw new DeviceException(outOfMemory, bytes, where + ": out of memory");
      case LOST -> {
        lost = true;
        throw new DeviceException(DeviceStatus.DEVICE_LOST, 0, where + ": the device is lost");
      }
      case DELAY -> delay(fault.delayMs());
      case WRONG_POINT -> {
        return true;
      }
    }
    return false;
  }

  /** Like native code, it cannot be interrupted. */
  private void delay(long millis) {
    long end = scheduler.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    boolean interrupted = false;
    while (end - scheduler.nanoTime() > 0) {
      try {
        scheduler.sleep(end - scheduler.nanoTime());
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public Timed<byte[]> msm(CurveId curve, boolean g2, Buffer points, Buffer scalars, long count)
      throws DeviceException {
    return real.msm(curve, g2, points, scalars, count);
  }

  @Override
  public void fixedBase(
      CurveId curve, boolean g2, byte[] base, ByteBuffer scalars, long count, ByteBuffer points)
      throws DeviceException {
    real.fixedBase(curve, g2, base, scalars, count, points);
  }

  @Override
  public Timed<Void> ntt(
      CurveId curve,
      QuotientForm quotient,
      boolean inverse,
      int log2Size,
      byte[] cosetShift,
      Buffer values)
      throws DeviceException {
    return real.ntt(curve, quotient, inverse, log2Size, cosetShift, values);
  }

  @Override
  public void sparseProduct(LoadedKey key, int matrix, ByteBuffer witness, ByteBuffer rows)
      throws DeviceException {
    real.sparseProduct(key, matrix, witness, rows);
  }

  @Override
  public void close() {
    real.close();
  }
}
