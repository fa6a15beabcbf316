package dev.cuzk.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileKindTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "zkey, PROVING_KEY",
    "wtns, WITNESS",
    "r1cs, CONSTRAINTS",
    "ptau, POWERS_OF_TAU",
    "cuzk, CONTAINER",
    "asm, UNKNOWN"
  })
  void shouldTellBinaryFilesByTheirMagic(String magic, FileKind expected) {
    assertEquals(expected, FileKind.ofStart((magic + "\1\0").getBytes(StandardCharsets.US_ASCII)));
  }

  @Test
  void shouldTellAProgram() {
    assertEquals(FileKind.PROGRAM, FileKind.ofStart(new byte[] {0, 'a', 's', 'm', 1}));
  }

  @Test
  void shouldTellJsonBehindAMarkAndBlanks() {
    String text = "\uFEFF" + " \r\n".repeat(100) + "{";
    assertEquals(FileKind.JSON, FileKind.ofStart(text.getBytes(StandardCharsets.UTF_8)));
    assertEquals(FileKind.JSON, FileKind.ofStart("[1]".getBytes(StandardCharsets.UTF_8)));
    assertEquals(FileKind.UNKNOWN, FileKind.ofStart("text".getBytes(StandardCharsets.UTF_8)));
  }

  @ParameterizedTest
  @CsvSource({"a.wtns, WITNESS", "a.json, JSON", "a.bin, CONTAINER", "a.zkey, UNKNOWN"})
  void shouldGoByTheEndingWhereTheContentSaysNothing(String name, FileKind expected)
      throws Exception {
    Path file = Files.write(folder.resolve(name), new byte[3]);
    try (ByteSource source = FileSource.open(FileRange.whole(file))) {
      assertEquals(expected, FileKind.of(source));
    }
  }
}
