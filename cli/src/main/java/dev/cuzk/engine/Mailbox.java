package dev.cuzk.engine;

import dev.cuzk.report.EngineFigures.LockFigures;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The messages to a thread that decides, in order. Posting takes no lock, so that devices have none
 * in common. It knows how long each message waited for its turn and was worked on: while one is,
 * all others wait, as they would for a lock.
 */
final class Mailbox {
  private record Message(Runnable action, long sentNanos) {}

  private final Scheduler scheduler;
  private final Scheduler.Signal signal;
  private final LockMeter turns;
  private final ConcurrentLinkedQueue<Message> messages = new ConcurrentLinkedQueue<>();

  Mailbox(String owner, Scheduler scheduler) {
    this.scheduler = scheduler;
    this.signal = scheduler.signal();
    this.turns = new LockMeter(owner);
  }

  void post(Runnable action) {
    messages.add(new Message(action, scheduler.nanoTime()));
    signal.raise();
  }

  /**
   * Runs the messages that are there, on the owner's thread; waits so long at most for a first one.
   *
   * @return when the first of them was sent; now, if there was none
   */
  long run(long waitNanos) {
    Message message = messages.poll();
    if (message == null) {
      signal.await(waitNanos);
      message = messages.poll();
    }
    long first = message == null ? scheduler.nanoTime() : message.sentNanos;
    while (message != null) {
      long begin = scheduler.nanoTime();
      try {
        message.action.run();
      } finally {
        turns.record(begin - message.sentNanos, scheduler.nanoTime() - begin);
      }
      message = messages.poll();
    }
    return first;
  }

  /** After the owner's thread has ended. */
  LockFigures figures() {
    return turns.figures();
  }
}
