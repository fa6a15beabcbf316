package dev.cuzk.engine;

import dev.cuzk.device.Backend;
import dev.cuzk.report.EngineFigures.LockFigures;
import java.util.ArrayDeque;

/**
 * Bounds the threads that compute at a time: those that synthesize, those that verify, and those
 * that prove on the CPU, together. Synthesis and verification take one permit a thread; a CPU proof
 * takes what is left over, one at least, and is told with every change ({@link
 * Backend#limitThreads}). Threads that only wait, copy to a GPU or write files are not counted.
 *
 * <p>Whoever has a permit gives it back without waiting for another one, so that nothing locks up.
 * Verification goes first: proofs that are waiting for it hold memory. A proof goes before
 * syntheses that have not begun, and ends by itself, so that neither waits for ever. From four
 * threads on, syntheses leave one for verification, and one more for a CPU proof under way: a long
 * synthesis holds up neither.
 */
final class Processors {
  /** From here on a thread is kept for verification, which costs too much below. */
  private static final int ENOUGH_TO_KEEP_ONE = 4;

  private final int threads;
  private final MeteredLock lock;

  // Guarded by the lock.
  private final ArrayDeque<Runnable> syntheses = new ArrayDeque<>();
  private int synthesizing;
  private int verifying;
  private int verificationsWaiting;
  private int proofsWaiting;
  private Backend proving;

  /** {@code threads} in all, at least 1. */
  Processors(int threads, Scheduler scheduler) {
    this.threads = threads;
    this.lock = new MeteredLock("processors", scheduler);
  }

  LockFigures lockFigures() {
    return lock.figures();
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
    startSyntheses();
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
    startSyntheses();
  }

  private void startSyntheses() {
    while (true) {
      Runnable start;
      lock.lock();
      try {
        boolean may = verificationsWaiting == 0 && synthesizing < most() && free() > 0;
        start = may ? syntheses.poll() : null;
        if (start == null) {
          return;
        }
        synthesizing++;
        changed();
      } finally {
        lock.unlock();
      }
      start.run();
    }
  }

  /** Permits that syntheses may have together. */
  private int most() {
    if (proving != null || proofsWaiting > 0) {
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
      while (free() == 0) {
        lock.awaitUninterruptibly();
      }
      verificationsWaiting--;
      verifying++;
      changed();
    } finally {
      lock.unlock();
    }
    startSyntheses();
  }

  void endVerification() {
    lock.lock();
    try {
      verifying--;
      changed();
    } finally {
      lock.unlock();
    }
    startSyntheses();
  }

  // ---- proofs on the CPU ----------------------------------------------------------------------

  /** Waits until a thread is free; one proof or key load at a time. */
  void beginProof(Backend cpu) {
    lock.lock();
    try {
      proofsWaiting++;
      while (proving != null || verificationsWaiting > 0 || free() == 0) {
        lock.awaitUninterruptibly();
      }
      proofsWaiting--;
      proving = cpu;
      changed();
    } finally {
      lock.unlock();
    }
  }

  void endProof() {
    lock.lock();
    try {
      proving = null;
      changed();
    } finally {
      lock.unlock();
    }
    startSyntheses();
  }

  /** Permits that are left; a proof keeps one of those that it has. */
  private int free() {
    return threads - synthesizing - verifying - (proving == null ? 0 : 1);
  }

  private void changed() {
    if (proving != null) {
      proving.limitThreads(free() + 1);
    }
    lock.signalAll();
  }
}
