package dev.cuzk.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationConverterTest {
  @ParameterizedTest
  @CsvSource({
    "90s, PT1M30S",
    "5m, PT5M",
    "1h30m, PT1H30M",
    "1d, PT24H",
    "500ms, PT0.5S",
    "0s, PT0S",
    "1h1s, PT1H1S"
  })
  void shouldReadTimes(String text, Duration expected) {
    assertEquals(expected, DurationConverter.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"90", "1.5", "", "m", "30m1h", "-5s", "5 minutes", "1h30", "99999999999s"})
  void shouldRefuseWhatIsNoTime(String text) {
    assertThrows(IllegalArgumentException.class, () -> DurationConverter.parse(text));
  }

  @Property
  void shouldReadBackWhatItPrints(@ForAll @LongRange(min = 0, max = 1L << 40) long milliseconds) {
    Duration duration = Duration.ofMillis(milliseconds);
    assertEquals(duration, DurationConverter.parse(DurationConverter.format(duration)));
  }
}
