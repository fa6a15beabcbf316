package dev.cuzk.engine.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.engine.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class VirtualSchedulerTest {
  private final VirtualScheduler scheduler = new VirtualScheduler(1);

  private void pass(long milliseconds) {
    try {
      scheduler.sleep(TimeUnit.MILLISECONDS.toNanos(milliseconds));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void shouldLetTimePassOnlyWhenAllWait() throws Exception {
    List<String> order = new ArrayList<>();
    scheduler.run(
        () -> {
          for (int i = 3; i >= 1; i--) {
            int hours = i;
            scheduler.start(
                "sleeper " + i,
                () -> {
                  pass(TimeUnit.HOURS.toMillis(hours));
                  order.add(hours + " at " + scheduler.nanoTime() / 3_600_000_000_000L);
                });
          }
          assertEquals(0, scheduler.nanoTime());
          return null;
        });
    assertEquals(List.of("1 at 1", "2 at 2", "3 at 3"), order);
  }

  @Test
  void shouldFailWhenNothingCanHappenAnyMore() {
    IllegalStateException failure =
        assertThrows(
            IllegalStateException.class,
            () ->
                scheduler.run(
                    () -> {
                      Scheduler.Signal never = scheduler.signal();
                      scheduler.start("forgotten", () -> never.await(Long.MAX_VALUE)).join(0);
                      return null;
                    }));
    assertTrue(failure.getMessage().contains("forgotten waits for a message"));
  }

  @Test
  void shouldRefuseSlowWorkUnderALock() {
    IllegalStateException failure =
        assertThrows(
            IllegalStateException.class,
            () ->
                scheduler.run(
                    () -> {
                      Scheduler.Monitor monitor = scheduler.monitor();
                      monitor.lock();
                      scheduler.sleep(1);
                      return null;
                    }));
    assertTrue(failure.getMessage().contains("holds a lock"));
  }

  @Test
  void shouldReportAThreadThatEndsWithAnError() {
    IllegalStateException failure =
        assertThrows(
            IllegalStateException.class,
            () ->
                scheduler.run(
                    () -> {
                      scheduler.start(
                          "broken",
                          () -> {
                            throw new IllegalArgumentException("a bug");
                          });
                      pass(10);
                      return null;
                    }));
    assertTrue(failure.getMessage().contains("a bug"));
  }

  @Test
  void shouldWakeWaitersInTimeOrWhenSignalled() throws Exception {
    scheduler.run(
        () -> {
          Scheduler.Monitor monitor = scheduler.monitor();
          boolean[] done = {false};
          scheduler.start(
              "signaller",
              () -> {
                pass(5);
                monitor.lock();
                done[0] = true;
                monitor.signalAll();
                monitor.unlock();
              });
          monitor.lock();
          monitor.awaitNanos(TimeUnit.MILLISECONDS.toNanos(2));
          assertFalse(done[0]);
          assertEquals(2, TimeUnit.NANOSECONDS.toMillis(scheduler.nanoTime()));
          while (!done[0]) {
            monitor.awaitUninterruptibly();
          }
          monitor.unlock();
          assertEquals(5, TimeUnit.NANOSECONDS.toMillis(scheduler.nanoTime()));
          return null;
        });
  }

  @Test
  void shouldInterruptASleeper() throws Exception {
    scheduler.run(
        () -> {
          boolean[] interrupted = {false};
          Scheduler.Worker sleeper =
              scheduler.start(
                  "sleeper",
                  () -> {
                    try {
                      scheduler.sleep(TimeUnit.DAYS.toNanos(1));
                    } catch (InterruptedException e) {
                      interrupted[0] = true;
                    }
                  });
          assertFalse(sleeper.join(1_000));
          sleeper.interrupt();
          assertTrue(sleeper.join(1_000));
          assertTrue(interrupted[0]);
          assertEquals(1, TimeUnit.NANOSECONDS.toSeconds(scheduler.nanoTime()));
          return null;
        });
  }
}
