package dev.cuzk.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class UseStripTest {
  @Test
  void shouldShowEachFifthOfASecond() {
    double[] use = {0, 0.01, 0.5, 1};
    assertEquals(List.of("      0.0 s | ▁▄█|"), UseStrip.lines(use));
    assertEquals(0.2, UseStrip.secondsEach(use), 1e-12);
  }

  @Test
  void shouldPutSeveralTogetherOnALongRun() {
    double[] use = new double[100_000];
    List<String> lines = UseStrip.lines(use);
    assertTrue(lines.size() <= 8, lines.size() + " lines");
    assertTrue(UseStrip.secondsEach(use) > 30);
  }
}
