package dev.cuzk.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.report.EngineFigures.LockFigures;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MeteredLockTest {
  private final MeteredLock lock = new MeteredLock("queue", Scheduler.SYSTEM);

  @Test
  void shouldRefuseSlowWorkInItsScope() {
    MeteredLock.slow("verifying proofs");
    lock.lock();
    try {
      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> MeteredLock.slow("verifying proofs"));
      assertEquals("verifying proofs while holding the lock of queue", refused.getMessage());
    } finally {
      lock.unlock();
    }
    MeteredLock.slow("verifying proofs");
  }

  @Test
  void shouldRefuseASecondLock() {
    MeteredLock other = new MeteredLock("other", Scheduler.SYSTEM);
    lock.lock();
    try {
      assertThrows(IllegalStateException.class, other::lock);
    } finally {
      lock.unlock();
    }
    other.lock();
    other.unlock();
  }

  @Test
  void shouldMeasureHoldingAndWaiting() throws InterruptedException {
    CountDownLatch held = new CountDownLatch(1);
    Thread holder =
        new Thread(
            () -> {
              lock.lock();
              try {
                held.countDown();
                TimeUnit.MILLISECONDS.sleep(30);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } finally {
                lock.unlock();
              }
            });
    holder.start();
    held.await();
    lock.lock();
    lock.unlock();
    holder.join();
    LockFigures figures = lock.figures();
    assertEquals("queue", figures.name());
    assertEquals(2, figures.acquisitions());
    assertTrue(figures.holding().longest() >= 29_000, figures.toString());
    assertTrue(figures.waiting().longest() >= 10_000, figures.toString());
    assertEquals(2, figures.holding().histogram().stream().mapToLong(LockFigures.Bar::count).sum());
  }

  @Test
  void shouldCountSleepNeitherAsHoldingNorAsWaiting() throws InterruptedException {
    lock.lock();
    try {
      lock.awaitNanos(TimeUnit.MILLISECONDS.toNanos(200));
    } finally {
      lock.unlock();
    }
    LockFigures figures = lock.figures();
    assertEquals(2, figures.acquisitions());
    assertTrue(figures.holding().longest() < 150_000, figures.toString());
    assertTrue(figures.waiting().longest() < 150_000, figures.toString());
  }
}
