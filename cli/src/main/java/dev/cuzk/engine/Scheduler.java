package dev.cuzk.engine;

/**
 * Time, threads and waiting as the engine's parts use them: the machine's own ({@link #SYSTEM}), or
 * simulated ones in virtual time ({@link dev.cuzk.engine.simulation.VirtualScheduler}). Whoever
 * waits in the engine waits here and nowhere else, so that the same code runs on real devices and
 * in simulations.
 */
public interface Scheduler {
  /** The machine's clock and threads. */
  Scheduler SYSTEM = new SystemScheduler();

  /** Monotonic nanoseconds, as {@link System#nanoTime}. */
  long nanoTime();

  /** Lets time pass. */
  void sleep(long nanos) throws InterruptedException;

  /** Starts a daemon thread. */
  Worker start(String name, Runnable body);

  /** A lock with one condition. */
  Monitor monitor();

  /** A flag that one thread waits for. */
  Signal signal();

  /** Threads that run what is handed to them, first in, first out. */
  Pool pool(String name, int threads);

  /** A thread that was started. */
  interface Worker {
    void interrupt();

    /**
     * Waits for its end.
     *
     * @param millis at most so long; 0 = as long as it takes
     * @return whether it has ended
     */
    boolean join(long millis) throws InterruptedException;
  }

  /** A lock that is not taken twice by one thread, and its condition. */
  interface Monitor {
    boolean tryLock();

    void lock();

    void lockInterruptibly() throws InterruptedException;

    void unlock();

    void await() throws InterruptedException;

    void awaitNanos(long nanos) throws InterruptedException;

    void awaitUninterruptibly();

    void signal();

    void signalAll();
  }

  /**
   * Raised by any thread without a lock, waited for by one; raising it twice is raising it once.
   */
  interface Signal {
    void raise();

    /** Returns once it is raised, and lowers it; or after so long. Not interruptible. */
    void await(long nanos);
  }

  /** Threads for short actions and for work that forks. */
  interface Pool {
    /**
     * Runs an action on one of the threads.
     *
     * @throws java.util.concurrent.RejectedExecutionException after {@link #close}
     */
    void execute(Runnable action);

    /** Ends the threads; waits so long at most. Returns whether all came to an end. */
    boolean close(long seconds) throws InterruptedException;
  }
}
