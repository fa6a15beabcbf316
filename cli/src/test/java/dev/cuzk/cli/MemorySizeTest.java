package dev.cuzk.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemorySizeTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "4096, 4096",
    "7B, 7",
    "1kB, 1000",
    "1Ki, 1024",
    "1KiB, 1024",
    "3Mi, 3145728",
    "3MiB, 3145728",
    "3MB, 3000000",
    "20Gi, 21474836480",
    "20GiB, 21474836480",
    "20 GiB, 21474836480",
    "20GB, 20000000000",
    "1.5GiB, 1610612736",
    "2Ti, 2199023255552",
    "2TiB, 2199023255552",
    "2TB, 2000000000000"
  })
  void shouldReadEveryUnit(String text, long bytes) {
    assertEquals(bytes, MemorySize.parse(text).bytes());
  }

  @ParameterizedTest
  @CsvSource({
    "20K, 20KiB (20480 bytes), 20kB (20000 bytes)",
    "20k, 20KiB (20480 bytes), 20kB (20000 bytes)",
    "3M, 3MiB (3145728 bytes), 3MB (3000000 bytes)",
    "20G, 20GiB (21474836480 bytes), 20GB (20000000000 bytes)",
    "20g, 20GiB (21474836480 bytes), 20GB (20000000000 bytes)",
    "2T, 2TiB (2199023255552 bytes), 2TB (2000000000000 bytes)"
  })
  void shouldRefuseBareUnitShowingBothReadings(String text, String binary, String decimal) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> MemorySize.parse(text)).getMessage();
    assertTrue(message.contains(binary) && message.contains(decimal), message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "GiB", "-1", "1,5GiB", "1e9", "20gib", "20KB", "20PiB", "0x10", "1.GiB"})
  void shouldRefuseWhatIsNoAmount(String text) {
    assertThrows(IllegalArgumentException.class, () -> MemorySize.parse(text));
  }

  @Test
  void shouldRefuseMoreThanALongHolds() {
    assertThrows(IllegalArgumentException.class, () -> MemorySize.parse("9999999999TiB"));
    assertEquals(Long.MAX_VALUE, MemorySize.parse(Long.toString(Long.MAX_VALUE)).bytes());
  }

  @Property
  void shouldReadBackWhatItPrints(@ForAll @LongRange(min = 0) long bytes) {
    assertEquals(bytes, MemorySize.parse(new MemorySize(bytes).toString()).bytes());
  }

  @Property
  void shouldPrintWholeUnits(
      @ForAll @LongRange(min = 1, max = 1023) long count,
      @ForAll @LongRange(min = 0, max = 4) long power) {
    String text = new MemorySize(count << (10 * power)).toString();
    assertEquals(count + new String[] {"", "KiB", "MiB", "GiB", "TiB"}[(int) power], text);
  }

  @ParameterizedTest
  @CsvSource({"512, 512 B", "1024, 1.0 KiB", "1610612736, 1.5 GiB", "1125899906842624, 1024.0 TiB"})
  void shouldFormatForPeople(long bytes, String text) {
    assertEquals(text, MemorySize.format(bytes));
  }
}
