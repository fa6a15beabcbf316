package dev.cuzk.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cuzk.engine.FailureClass;
import org.junit.jupiter.api.Test;

class RunResultTest {
  private final RunResult result = new RunResult();

  @Test
  void shouldBeZeroWhenEverythingIsProved() {
    result.proved();
    result.resumed();
    assertEquals(0, result.exitCode());
  }

  @Test
  void shouldBeTheClassThatAllJobsFailedWith() {
    for (FailureClass failureClass : FailureClass.values()) {
      RunResult all = new RunResult();
      all.failed(failureClass);
      all.failed(failureClass);
      assertEquals(failureClass.exitCode(), all.exitCode());
    }
  }

  @Test
  void shouldTellWhetherARetryHelpsWhenSomeFailed() {
    for (FailureClass failureClass : FailureClass.values()) {
      RunResult some = new RunResult();
      some.proved();
      some.failed(failureClass);
      assertEquals(failureClass.retryHelps() ? 12 : 8, some.exitCode());
    }
  }

  @Test
  void shouldMixClassesIntoOneCode() {
    result.failed(FailureClass.INPUT);
    result.failed(FailureClass.UNSATISFIED);
    assertEquals(8, result.exitCode());
    result.failed(FailureClass.MEMORY);
    assertEquals(12, result.exitCode());
  }

  @Test
  void shouldLetTheFirstStopDecide() {
    result.failed(FailureClass.INPUT);
    result.stopped(143, "SIGTERM");
    result.stopped(10, "time limit");
    assertEquals(143, result.exitCode());
    assertEquals("SIGTERM", result.stopReason());
  }

  @Test
  void shouldReportLostOutput() {
    result.proved();
    result.outputFailed();
    assertEquals(9, result.exitCode());
  }
}
