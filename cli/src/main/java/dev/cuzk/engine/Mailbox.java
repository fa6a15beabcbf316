package dev.cuzk.engine;

import dev.cuzk.report.EngineFigures.LockFigures;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The messages to a thread that decides, in order. It knows how long each waited for its turn and
 * was worked on: while one is, all others wait, as they would for a lock.
 */
final class Mailbox {
  private record Message(Runnable action, long sentNanos) {}

  private final MeteredLock lock;
  private final LockMeter turns;
  private final ArrayDeque<Message> messages = new ArrayDeque<>();

  Mailbox(String owner) {
    this.lock = new MeteredLock(owner + "'s mailbox");
    this.turns = new LockMeter(owner);
  }

  void post(Runnable action) {
    Message message = new Message(action, System.nanoTime());
    lock.lock();
    try {
      messages.add(message);
      lock.signal();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Runs the messages that are there, on the owner's thread; waits so long at most for a first one.
   *
   * @return when the first of them was sent; now, if there was none
   */
  long run(long waitNanos) throws InterruptedException {
    Message message = poll(waitNanos);
    long first = message == null ? System.nanoTime() : message.sentNanos;
    while (message != null) {
      long begin = System.nanoTime();
      try {
        message.action.run();
      } finally {
        turns.record(begin - message.sentNanos, System.nanoTime() - begin);
      }
      message = poll(0);
    }
    return first;
  }

  private Message poll(long waitNanos) throws InterruptedException {
    lock.lock();
    try {
      if (messages.isEmpty() && waitNanos > 0) {
        lock.awaitNanos(waitNanos);
      }
      return messages.poll();
    } finally {
      lock.unlock();
    }
  }

  /** After the owner's thread has ended. */
  List<LockFigures> figures() {
    return List.of(lock.figures(), turns.figures());
  }
}
