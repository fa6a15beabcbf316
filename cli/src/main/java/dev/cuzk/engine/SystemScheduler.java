package dev.cuzk.engine;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** The machine's clock, threads and locks. */
final class SystemScheduler implements Scheduler {
  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void sleep(long nanos) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(nanos);
  }

  @Override
  public Worker start(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
    return new Worker() {
      @Override
      public void interrupt() {
        thread.interrupt();
      }

      @Override
      public boolean join(long millis) throws InterruptedException {
        thread.join(millis);
        return !thread.isAlive();
      }
    };
  }

  @Override
  public Monitor monitor() {
    return new SystemMonitor();
  }

  private static final class SystemMonitor implements Monitor {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @Override
    public boolean tryLock() {
      return lock.tryLock();
    }

    @Override
    public void lock() {
      lock.lock();
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
      lock.lockInterruptibly();
    }

    @Override
    public void unlock() {
      lock.unlock();
    }

    @Override
    public void await() throws InterruptedException {
      changed.await();
    }

    @Override
    public void awaitNanos(long nanos) throws InterruptedException {
      changed.await(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void awaitUninterruptibly() {
      changed.awaitUninterruptibly();
    }

    @Override
    public void signal() {
      changed.signal();
    }

    @Override
    public void signalAll() {
      changed.signalAll();
    }
  }

  @Override
  public Signal signal() {
    return new SystemSignal();
  }

  private static final class SystemSignal implements Signal {
    private volatile boolean raised;
    private volatile Thread waiter;

    @Override
    public void raise() {
      raised = true;
      LockSupport.unpark(waiter);
    }

    @Override
    public void await(long nanos) {
      waiter = Thread.currentThread();
      long end = System.nanoTime() + nanos;
      boolean interrupted = false;
      while (!raised && end - System.nanoTime() > 0) {
        LockSupport.parkNanos(this, end - System.nanoTime());
        // An interrupted thread does not park.
        interrupted |= Thread.interrupted();
      }
      raised = false;
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public Pool pool(String name, int threads) {
    ForkJoinPool pool =
        new ForkJoinPool(
            threads,
            forkJoin -> {
              ForkJoinWorkerThread thread =
                  ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(forkJoin);
              thread.setName(name + "-" + thread.getPoolIndex());
              return thread;
            },
            null,
            true);
    return new Pool() {
      @Override
      public void execute(Runnable action) {
        pool.execute(action);
      }

      @Override
      public boolean close(long seconds) throws InterruptedException {
        pool.shutdown();
        boolean ended = pool.awaitTermination(seconds, TimeUnit.SECONDS);
        if (!ended) {
          pool.shutdownNow();
        }
        return ended;
      }
    };
  }
}
