package dev.cuzk.engine;

import dev.cuzk.device.Backend;
import dev.cuzk.report.EngineFigures.LockFigures;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Bounds the threads that compute at a time: those that synthesize, those that verify, those that
 * prove on the CPU, those that copy keys to GPUs, and those that overwrite buffers, together.
 * Synthesis, verification and overwriting take one permit a thread; a CPU proof and the GPUs that
 * load keys share what is left over, one each at least, and are told with every change ({@link
 * Backend#limitThreads}). Threads that only wait or write files are not counted.
 *
 * <p>Whoever has a permit gives it back without waiting for another one, so that nothing locks up.
 * Overwriting goes first, and then verification: both are short, and hold memory that others wait
 * for. A proof or a copy goes before syntheses that have not begun, and ends by itself, so that
 * neither waits for ever. From four threads on, syntheses leave one for verification, and one more
 * for a CPU proof under way: a long synthesis holds up neither.
 */
final class Processors {
  /** From here on a thread is kept for verification, which costs too much below. */
  private static final int ENOUGH_TO_KEEP_ONE = 4;

  private final int threads;
  private final MeteredLock lock;

  // Guarded by the lock.
  private final ArrayDeque<Runnable> overwrites = new ArrayDeque<>();
  private final ArrayDeque<Runnable> syntheses = new ArrayDeque<>();
  private int overwriting;
  private int synthesizing;
  private int verifying;
  private int verificationsWaiting;
  private int proofsWaiting;

  /** One CPU proof at most, and GPUs whose threads copy; each has a permit at least. */
  private final List<Backend> sharing = new ArrayList<>();

  private boolean proving;

  /** {@code threads} in all, at least 1. */
  Processors(int threads, Scheduler scheduler) {
    this.threads = threads;
    this.lock = new MeteredLock("processors", scheduler);
  }

  LockFigures lockFigures() {
    return lock.figures();
  }

  // ---- overwriting ----------------------------------------------------------------------------

  /** Has a buffer overwritten as soon as there is a permit; {@code start} must only hand it on. */
  void requestOverwrite(Runnable start) {
    lock.lock();
    try {
      overwrites.add(start);
    } finally {
      lock.unlock();
    }
    startWaiting();
  }

  void endOverwrite() {
    lock.lock();
    try {
      overwriting--;
      changed();
    } finally {
      lock.unlock();
    }
    startWaiting();
  }

  // ---- synthesis ------------------------------------------------------------------------------

  /** Has a synthesis started as soon as there is a permit; {@code start} must only hand it on. */
  void requestSynthesis(Runnable start) {
    lock.lock();
    try {
      syntheses.add(start);
    } finally {
      lock.unlock();
    }
    startWaiting();
  }

  /** For a synthesis that can use more threads than its own: what is free now, up to so many. */
  int takeIdle(int wanted) {
    lock.lock();
    try {
      int idle = Math.min(wanted, Math.max(0, Math.min(most() - synthesizing, free())));
      synthesizing += idle;
      changed();
      return idle;
    } finally {
      lock.unlock();
    }
  }

  /** A synthesis has ended and gives its permits back. */
  void endSynthesis(int permits) {
    lock.lock();
    try {
      synthesizing -= permits;
      changed();
    } finally {
      lock.unlock();
    }
    startWaiting();
  }

  private void startWaiting() {
    while (true) {
      Runnable start;
      lock.lock();
      try {
        start = free() > 0 ? overwrites.poll() : null;
        if (start != null) {
          overwriting++;
        } else {
          boolean may = verificationsWaiting == 0 && synthesizing < most() && free() > 0;
          start = may ? syntheses.poll() : null;
          if (start == null) {
            return;
          }
          synthesizing++;
        }
        changed();
      } finally {
        lock.unlock();
      }
      start.run();
    }
  }

  /** Permits that syntheses may have together. */
  private int most() {
    if (!sharing.isEmpty() || proofsWaiting > 0) {
      return threads < ENOUGH_TO_KEEP_ONE ? Math.min(1, threads - 1) : threads - 2;
    }
    return threads < ENOUGH_TO_KEEP_ONE ? threads : threads - 1;
  }

  // ---- verification ---------------------------------------------------------------------------

  /** Waits for a permit to verify on the calling thread. */
  void beginVerification() {
    lock.lock();
    try {
      verificationsWaiting++;
      while (free() <= 0 || !overwrites.isEmpty()) {
        lock.awaitUninterruptibly();
      }
      verificationsWaiting--;
      verifying++;
      changed();
    } finally {
      lock.unlock();
    }
    startWaiting();
  }

  void endVerification() {
    lock.lock();
    try {
      verifying--;
      changed();
    } finally {
      lock.unlock();
    }
    startWaiting();
  }

  // ---- proofs on the CPU, keys on their way to GPUs -------------------------------------------

  /** Waits until a thread is free; one proof or key load at a time. */
  void beginProof(Backend cpu) {
    lock.lock();
    try {
      proofsWaiting++;
      while (proving || mustWait()) {
        lock.awaitUninterruptibly();
      }
      proofsWaiting--;
      proving = true;
      sharing.add(cpu);
      changed();
    } finally {
      lock.unlock();
    }
  }

  void endProof(Backend cpu) {
    lock.lock();
    try {
      proving = false;
      sharing.remove(cpu);
      changed();
    } finally {
      lock.unlock();
    }
    startWaiting();
  }

  /**
   * A key goes to a GPU, on one thread at first; the devices' own threads must not wait for this
   * lock, so that more than all may be at work until a synthesis ends.
   */
  void beginCopy(Backend gpu) {
    lock.lock();
    try {
      sharing.add(gpu);
      changed();
    } finally {
      lock.unlock();
    }
  }

  void endCopy(Backend gpu) {
    lock.lock();
    try {
      if (!sharing.remove(gpu)) {
        return;
      }
      gpu.limitThreads(threads);
      changed();
    } finally {
      lock.unlock();
    }
    startWaiting();
  }

  /** Forgets keys on their way: their devices are about to be closed. */
  void endCopies() {
    lock.lock();
    try {
      sharing.removeIf(backend -> !backend.description().isCpu());
      changed();
    } finally {
      lock.unlock();
    }
    startWaiting();
  }

  private boolean mustWait() {
    return verificationsWaiting > 0 || !overwrites.isEmpty() || free() <= 0;
  }

  /** Permits that are left; of what a proof or a copy has, one is its own. */
  private int free() {
    return threads - overwriting - synthesizing - verifying - sharing.size();
  }

  private void changed() {
    int left = Math.max(0, free());
    for (int i = 0; i < sharing.size(); i++) {
      int more = (left + i) / sharing.size();
      sharing.get(i).limitThreads(1 + more);
    }
    lock.signalAll();
  }
}
