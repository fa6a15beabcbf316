package dev.cuzk.engine.simulation;

import dev.cuzk.engine.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Virtual time and cooperative threads: one thread runs at a time, hands the turn on where it
 * waits, and time passes only when all wait. Which of several threads goes next is drawn from a
 * seed, so that a seed is an interleaving, and the same seed is the same run.
 *
 * <p>Work takes no time unless it sleeps. When every thread waits and no time-out is left, nothing
 * can ever happen again: {@link #run} fails and says who waits for what. It fails, too, when time
 * has passed the horizon, when threads are left behind at the end, and when a thread sleeps that
 * holds a lock: whatever sleeps stands for something slow.
 */
public final class VirtualScheduler implements Scheduler {
  private static final long NEVER = Long.MAX_VALUE;
  private static final long HORIZON = TimeUnit.DAYS.toNanos(1_000);

  /** A thread that takes a lock or posts a message gives way once in so many times. */
  private static final int GIVES_WAY = 4;

  private static final ExecutorService CARRIERS =
      Executors.newCachedThreadPool(
          action -> {
            Thread thread = new Thread(action, "simulated");
            thread.setDaemon(true);
            return thread;
          });

  private enum State {
    READY,
    WAITING,
    ENDED
  }

  private final class Simulated implements Worker {
    private final String name;
    private final Semaphore turn = new Semaphore(0);
    private Thread carrier;
    private State state = State.READY;
    private String waitsFor = "";
    private long wakeNanos = NEVER;
    private boolean interruptible;
    private int locksHeld;

    Simulated(String name) {
      this.name = name;
    }

    @Override
    public void interrupt() {
      if (carrier != null) {
        carrier.interrupt();
      }
      if (interruptible) {
        wake(this);
      }
    }

    @Override
    public boolean join(long millis) throws InterruptedException {
      long end = millis == 0 ? NEVER : now + TimeUnit.MILLISECONDS.toNanos(millis);
      while (state != State.ENDED && now < end) {
        Simulated me = current;
        joiners.add(me);
        pause("the end of " + name, end == NEVER ? NEVER : end - now, true);
        joiners.remove(me);
        throwIfInterrupted();
      }
      return state == State.ENDED;
    }
  }

  private final Random random;
  private final List<Simulated> threads = new ArrayList<>();
  private final List<Simulated> ready = new ArrayList<>();
  private final List<Simulated> joiners = new ArrayList<>();
  private final List<VirtualMonitor> monitors = new ArrayList<>();
  private Simulated main;
  private Simulated current;
  private long now;
  private long switches;
  private volatile IllegalStateException failure;

  /** The seed chooses the interleaving. */
  public VirtualScheduler(long seed) {
    this.random = new Random(seed);
  }

  /**
   * Runs something in virtual time on the calling thread, and all threads that it starts to their
   * ends.
   *
   * @throws IllegalStateException if it comes to a standstill
   */
  public <T> T run(Callable<T> body) throws Exception {
    main = new Simulated("main");
    main.carrier = Thread.currentThread();
    threads.add(main);
    ready.add(main);
    current = main;
    T result = body.call();
    while (threads.size() > 1) {
      joiners.add(main);
      pause("the end of all threads", NEVER, false);
      joiners.remove(main);
    }
    return result;
  }

  /** How often the turn went from one thread to another. */
  public long switches() {
    return switches;
  }

  // ---- turns ----------------------------------------------------------------------------------

  private void wake(Simulated thread) {
    if (thread.state == State.WAITING) {
      thread.state = State.READY;
      thread.wakeNanos = NEVER;
      thread.interruptible = false;
      ready.add(thread);
    }
  }

  /** The running thread waits until it is woken, or for so long. */
  private void pause(String what, long nanos, boolean interruptible) {
    Simulated me = current;
    if (interruptible && Thread.currentThread().isInterrupted()) {
      return;
    }
    me.state = State.WAITING;
    me.waitsFor = what;
    me.wakeNanos = nanos > NEVER - now ? NEVER : now + Math.max(0, nanos);
    me.interruptible = interruptible;
    ready.remove(me);
    handOn(me);
  }

  private void giveWay() {
    if (ready.size() > 1 && random.nextInt(GIVES_WAY) == 0) {
      handOn(current);
    }
  }

  private void handOn(Simulated me) {
    Simulated next = next();
    if (next == me) {
      return;
    }
    switches++;
    current = next;
    next.turn.release();
    if (me.state != State.ENDED) {
      me.turn.acquireUninterruptibly();
    }
    if (failure != null && me == main) {
      throw failure;
    }
  }

  private Simulated next() {
    if (ready.isEmpty()) {
      long earliest = NEVER;
      for (Simulated thread : threads) {
        earliest = Math.min(earliest, thread.wakeNanos);
      }
      if (earliest > HORIZON) {
        standstill();
        return main;
      }
      now = earliest;
      for (Simulated thread : threads) {
        if (thread.wakeNanos <= now) {
          wake(thread);
        }
      }
    }
    return ready.get(ready.size() == 1 ? 0 : random.nextInt(ready.size()));
  }

  /** The other threads stay where they are for ever; the caller of {@link #run} hears why. */
  private void standstill() {
    StringBuilder text = new StringBuilder("nothing can happen any more:");
    for (Simulated thread : threads) {
      text.append(' ')
          .append(thread.name)
          .append(" waits for ")
          .append(thread.waitsFor)
          .append(';');
    }
    failure = new IllegalStateException(text.toString());
  }

  private static void throwIfInterrupted() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  // ---- what the engine uses -------------------------------------------------------------------

  @Override
  public long nanoTime() {
    return now;
  }

  @Override
  public void sleep(long nanos) throws InterruptedException {
    if (current.locksHeld > 0) {
      throw new IllegalStateException(current.name + " does something slow and holds a lock");
    }
    throwIfInterrupted();
    pause("time to pass", nanos, true);
    throwIfInterrupted();
  }

  @Override
  public Worker start(String name, Runnable body) {
    Simulated thread = new Simulated(name);
    threads.add(thread);
    ready.add(thread);
    CARRIERS.execute(
        () -> {
          thread.turn.acquireUninterruptibly();
          thread.carrier = Thread.currentThread();
          try {
            body.run();
          } catch (Throwable bug) {
            failure = new IllegalStateException(name + " ended with " + bug, bug);
            wake(main);
          } finally {
            Thread.interrupted();
            end(thread);
          }
        });
    return thread;
  }

  private void end(Simulated thread) {
    thread.state = State.ENDED;
    threads.remove(thread);
    ready.remove(thread);
    List.copyOf(joiners).forEach(this::wake);
    handOn(thread);
  }

  @Override
  public Monitor monitor() {
    VirtualMonitor monitor = new VirtualMonitor();
    monitors.add(monitor);
    return monitor;
  }

  /** How many locks more than one of the threads took whose names begin so. */
  public long locksShared(String threadsNamed) {
    return monitors.stream()
        .map(monitor -> monitor.takers.stream().filter(name -> name.startsWith(threadsNamed)))
        .filter(takers -> takers.count() > 1)
        .count();
  }

  private final class VirtualMonitor implements Monitor {
    private final Deque<Simulated> blocked = new ArrayDeque<>();
    private final Deque<Simulated> waiting = new ArrayDeque<>();
    private final Set<String> takers = new HashSet<>();
    private Simulated owner;

    @Override
    public boolean tryLock() {
      giveWay();
      return take();
    }

    private boolean take() {
      if (owner != null) {
        return false;
      }
      owner = current;
      takers.add(current.name);
      current.locksHeld++;
      return true;
    }

    @Override
    public void lock() {
      giveWay();
      reacquire();
    }

    private void reacquire() {
      while (!take()) {
        blocked.add(current);
        pause("a lock of " + owner.name, NEVER, false);
      }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
      throwIfInterrupted();
      lock();
    }

    @Override
    public void unlock() {
      release();
    }

    private void release() {
      if (owner != current) {
        throw new IllegalMonitorStateException(current.name + " does not hold the lock");
      }
      owner = null;
      current.locksHeld--;
      blocked.forEach(VirtualScheduler.this::wake);
      blocked.clear();
    }

    @Override
    public void await() throws InterruptedException {
      awaitNanos(NEVER);
    }

    @Override
    public void awaitNanos(long nanos) throws InterruptedException {
      waitFor(nanos, true);
      throwIfInterrupted();
    }

    @Override
    public void awaitUninterruptibly() {
      waitFor(NEVER, false);
    }

    private void waitFor(long nanos, boolean interruptible) {
      Simulated me = current;
      release();
      waiting.add(me);
      pause("a condition", nanos, interruptible);
      waiting.remove(me);
      reacquire();
    }

    @Override
    public void signal() {
      if (!waiting.isEmpty()) {
        wake(waiting.poll());
      }
    }

    @Override
    public void signalAll() {
      waiting.forEach(VirtualScheduler.this::wake);
      waiting.clear();
    }
  }

  @Override
  public Signal signal() {
    return new Signal() {
      private boolean raised;
      private Simulated waiter;

      @Override
      public void raise() {
        giveWay();
        raised = true;
        if (waiter != null) {
          wake(waiter);
        }
      }

      @Override
      public void await(long nanos) {
        if (!raised) {
          waiter = current;
          pause("a message", nanos, false);
          waiter = null;
        }
        raised = false;
      }
    };
  }

  @Override
  public Pool pool(String name, int threads) {
    return new VirtualPool(name, threads);
  }

  private final class VirtualPool implements Pool {
    private final Monitor monitor = monitor();
    private final Deque<Runnable> actions = new ArrayDeque<>();
    private final List<Worker> workers = new ArrayList<>();
    private boolean closed;

    VirtualPool(String name, int threads) {
      for (int i = 0; i < threads; i++) {
        workers.add(start(name + "-" + i, this::work));
      }
    }

    private void work() {
      while (true) {
        monitor.lock();
        Runnable action;
        try {
          while (actions.isEmpty() && !closed) {
            monitor.awaitUninterruptibly();
          }
          action = actions.poll();
        } finally {
          monitor.unlock();
        }
        if (action == null) {
          return;
        }
        action.run();
      }
    }

    @Override
    public void execute(Runnable action) {
      monitor.lock();
      try {
        if (closed) {
          throw new RejectedExecutionException("the pool is closed");
        }
        actions.add(action);
        monitor.signal();
      } finally {
        monitor.unlock();
      }
    }

    @Override
    public boolean close(long seconds) throws InterruptedException {
      monitor.lock();
      closed = true;
      monitor.signalAll();
      monitor.unlock();
      long end = now + TimeUnit.SECONDS.toNanos(seconds);
      boolean ended = true;
      for (Worker worker : workers) {
        ended &= worker.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - now)));
      }
      if (!ended) {
        workers.forEach(Worker::interrupt);
      }
      return ended;
    }
  }
}
