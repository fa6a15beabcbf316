package dev.cuzk.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchSizesTest {
  @Test
  void shouldReadListsAndRanges() {
    assertEquals(List.of(65536L), BenchSizes.parse("2^16"));
    assertEquals(List.of(65536L, 262144L), BenchSizes.parse("2^18,2^16"));
    assertEquals(List.of(16L, 32L, 64L, 128L), BenchSizes.parse("2^4..2^7"));
    assertEquals(List.of(16L, 32L, 1000L), BenchSizes.parse("1000, 2^4 .. 2^5, 16"));
    assertEquals(List.of(1L << 32), BenchSizes.parse("2^32"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        "2^",
        "2^33",
        "0",
        "-1",
        "2^5..2^4",
        "3..8",
        "2^4..",
        "1e6",
        "16k",
        "2^16;2^17"
      })
  void shouldRefuseAnythingElse(String text) {
    assertThrows(BenchUsageException.class, () -> BenchSizes.parse(text));
  }

  @Test
  void shouldPrintPowersAsPowers() {
    assertEquals("2^20", BenchSizes.print(1 << 20));
    assertEquals("512", BenchSizes.print(512));
    assertEquals("3000", BenchSizes.print(3000));
  }
}
