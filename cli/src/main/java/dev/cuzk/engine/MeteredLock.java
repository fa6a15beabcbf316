package dev.cuzk.engine;

import dev.cuzk.report.EngineFigures.LockFigures;

/**
 * The only kind of lock on the path to a device. It has one condition, knows how long threads
 * waited for it and held it, and lets nothing slow happen in its scope: what frees, parses,
 * verifies, assembles, writes or calls back says so with {@link #slow}, which fails in a thread
 * that holds such a lock. Nor does a thread take a second one, so that no two can lock each other
 * out.
 *
 * <p>Times are noted by the holder, in memory that the lock itself guards: measuring adds no
 * contention of its own.
 */
public final class MeteredLock {
  private static final ThreadLocal<MeteredLock> HELD = new ThreadLocal<>();

  private final Scheduler scheduler;
  private final Scheduler.Monitor lock;
  private final LockMeter meter;
  private final boolean onDevicePath;

  // Guarded by the lock.
  private long waitedNanos;
  private long heldSinceNanos;

  public MeteredLock(String name, Scheduler scheduler) {
    this(name, scheduler, true);
  }

  private MeteredLock(String name, Scheduler scheduler, boolean onDevicePath) {
    this.scheduler = scheduler;
    this.lock = scheduler.monitor();
    this.meter = new LockMeter(name);
    this.onDevicePath = onDevicePath;
  }

  /** A lock that is measured like the others, but off the path to a device: it guards files. */
  public static MeteredLock ofFiles(String name) {
    return new MeteredLock(name, Scheduler.SYSTEM, false);
  }

  /**
   * Says that something slow is about to be done; cheap.
   *
   * @param what for the message, such as {@code verifying proofs}
   * @throws IllegalStateException if the thread holds a lock on the path to a device: a bug
   */
  public static void slow(String what) {
    MeteredLock held = HELD.get();
    if (held != null) {
      throw new IllegalStateException(what + " while holding the lock of " + held.meter.name());
    }
  }

  public void lock() {
    requireNoneHeld();
    long waited = 0;
    if (!lock.tryLock()) {
      long asked = scheduler.nanoTime();
      lock.lock();
      waited = scheduler.nanoTime() - asked;
    }
    taken(waited);
  }

  public void lockInterruptibly() throws InterruptedException {
    requireNoneHeld();
    long asked = scheduler.nanoTime();
    lock.lockInterruptibly();
    taken(scheduler.nanoTime() - asked);
  }

  private void requireNoneHeld() {
    MeteredLock held = HELD.get();
    if (held != null) {
      throw new IllegalStateException(
          "taking the lock of " + meter.name() + " while holding that of " + held.meter.name());
    }
  }

  private void taken(long waited) {
    if (onDevicePath) {
      HELD.set(this);
    }
    waitedNanos = waited;
    heldSinceNanos = scheduler.nanoTime();
  }

  private void leaving() {
    meter.record(waitedNanos, scheduler.nanoTime() - heldSinceNanos);
    if (onDevicePath) {
      HELD.remove();
    }
  }

  public void unlock() {
    leaving();
    lock.unlock();
  }

  /**
   * Gives the lock up until it is signalled; being asleep counts neither as waiting nor holding.
   */
  public void awaitUninterruptibly() {
    leaving();
    lock.awaitUninterruptibly();
    taken(0);
  }

  /** As {@link #awaitUninterruptibly}, but may be interrupted. */
  public void await() throws InterruptedException {
    leaving();
    try {
      lock.await();
    } finally {
      taken(0);
    }
  }

  /** As {@link #await}, for so long at most. */
  public void awaitNanos(long nanos) throws InterruptedException {
    leaving();
    try {
      lock.awaitNanos(nanos);
    } finally {
      taken(0);
    }
  }

  public void signal() {
    lock.signal();
  }

  public void signalAll() {
    lock.signalAll();
  }

  /** How long its present holder waited for it. */
  long waitedNanos() {
    return waitedNanos;
  }

  /** What was measured so far; not while holding the lock. */
  public LockFigures figures() {
    lock.lock();
    try {
      return meter.figures();
    } finally {
      lock.unlock();
    }
  }
}
