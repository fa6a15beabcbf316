package dev.cuzk.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class StatisticsTest {
  @Test
  void shouldTakeTheMiddleOfAnOddNumber() {
    Statistics s = Statistics.of(new double[] {5, 1, 3});
    assertEquals(new Statistics(3, 1, 5, 2, 0), s);
  }

  @Test
  void shouldTakeTheMeanOfTheMiddleTwoOfAnEvenNumber() {
    assertEquals(2.5, Statistics.of(new double[] {4, 1, 3, 2}).median());
  }

  @Test
  void shouldCountSamplesFarFromTheRest() {
    Statistics s = Statistics.of(new double[] {10, 10.1, 9.9, 10, 10.2, 30, 9.8, 10.1});
    assertEquals(1, s.outliers());
    assertEquals(30, s.max());
  }

  @Test
  void shouldNotCallASmallDeviationAnOutlierOfNearlyEqualSamples() {
    assertEquals(0, Statistics.of(new double[] {10, 10, 10, 10, 10.1}).outliers());
  }

  @Test
  void shouldRefuseNoSamples() {
    assertThrows(IllegalArgumentException.class, () -> Statistics.of(new double[0]));
  }
}
