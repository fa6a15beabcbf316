package dev.cuzk.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.cuzk.engine.EngineSnapshot;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgressLinesTest {
  private static EngineSnapshot snapshot(long submitted, long proved, long failed, boolean stop) {
    return new EngineSnapshot(
        submitted,
        proved,
        failed,
        0,
        submitted - proved - failed,
        3,
        proved,
        stop,
        List.of(
            new EngineSnapshot.DeviceSnapshot(0, "a card", "job7", 2, "prove", 0.974, 1, 9, 0),
            new EngineSnapshot.DeviceSnapshot(1, "a card", "", 0, "idle", 0, 0, 0, 0)));
  }

  @Test
  void shouldSayWhereTheBatchAndEachDeviceStands() {
    assertEquals(
        List.of(
            "25/100 jobs, 1 failed, 24.0 proofs/min, 3m left",
            "  0: busy  97 %, prove, job7[2], a card",
            "  1: busy   0 %, idle, a card"),
        ProgressLines.terminal(snapshot(100, 24, 1, false), 100, 60));
  }

  @Test
  void shouldCountWhatWasDoneBeforeTheRun() {
    assertEquals(
        "60/100 jobs, 10.0 proofs/min, 4m left",
        ProgressLines.batch(snapshot(50, 10, 0, false), 100, 60));
  }

  @Test
  void shouldGuessNoTimeWhileAListIsRead() {
    assertEquals(
        "10/50+ jobs, 10.0 proofs/min", ProgressLines.batch(snapshot(50, 10, 0, false), -1, 60));
  }

  @Test
  void shouldGuessNoTimeAtTheVeryBeginningOrWhileStopping() {
    assertFalse(ProgressLines.batch(snapshot(50, 0, 0, false), 50, 5).contains("left"));
    assertEquals(
        "10/50 jobs, 10.0 proofs/min, stopping",
        ProgressLines.batch(snapshot(50, 10, 0, true), 50, 60));
  }

  @Test
  void shouldGiveTheSameAsJson() {
    Map<String, Object> line = ProgressLines.json(snapshot(100, 24, 1, false), 100, 60);
    assertEquals("progress", line.get("type"));
    assertEquals(100L, line.get("jobs"));
    assertEquals(24L, line.get("proved"));
    assertEquals(2, ((List<?>) line.get("devices")).size());
  }
}
