package dev.cuzk.synthesis.circom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.format.ByteSource;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignalReaderTest {
  /** Collects signals; each begins once and ends. */
  private static final class Collector implements SignalReader.Target {
    private final Map<String, List<BigInteger>> signals = new LinkedHashMap<>();
    private String open;

    @Override
    public void begin(String signal) {
      assertEquals(null, open);
      assertEquals(null, signals.put(signal, new ArrayList<>()));
      open = signal;
    }

    @Override
    public void value(BigInteger value) {
      signals.get(open).add(value);
    }

    @Override
    public void end() {
      assertTrue(open != null);
      open = null;
    }
  }

  private static Map<String, List<BigInteger>> read(String json) throws InputException {
    Collector collector = new Collector();
    SignalReader.read(ByteSource.of("in.json", json.getBytes(StandardCharsets.UTF_8)), collector);
    assertEquals(null, collector.open);
    return collector.signals;
  }

  private static List<BigInteger> integers(String... values) {
    return java.util.Arrays.stream(values).map(BigInteger::new).toList();
  }

  @Test
  void shouldFlattenArraysInOrder() throws InputException {
    assertEquals(
        Map.of("a", integers("1", "2", "3", "4"), "b", integers(), "c", integers("5")),
        read("{\"a\":[[1,[2]],[],[[3],4]],\"b\":[[],[]],\"c\":5}"));
  }

  @Test
  void shouldReadNumbersExactly() throws InputException {
    String large = "9".repeat(300);
    assertEquals(
        Map.of("a", integers(large, large, "-" + large, "-7", "255", "0", "1", "0", "12")),
        read(
            "{\"a\":["
                + large
                + ",\""
                + large
                + "\",-"
                + large
                + ",\"-7\",\"0xfF\",\"0\",true,false,\"0012\"]}"));
  }

  @Test
  void shouldNameTheSignalsOfBuses() throws InputException {
    assertEquals(
        Map.of(
            "p.x", integers("1"),
            "p.q.y", integers("2", "3"),
            "l[0][0].z", integers("4"),
            "l[0][1].z", integers("5"),
            "l[1][0].z", integers("6")),
        read("{\"p\":{\"x\":1,\"q\":{\"y\":[2,3]}},\"l\":[[{\"z\":4},{\"z\":5}],[{\"z\":6}]]}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":1.5} | signal \"a\": a number has a fraction or an exponent",
        "{\"a\":[1,2e3]} | signal \"a\": a number has a fraction or an exponent",
        "{\"a\":null} | signal \"a\": a number is expected",
        "{\"a\":\"\"} | signal \"a\": a text is not an integer",
        "{\"a\":\"-\"} | signal \"a\": a text is not an integer",
        "{\"a\":\"0x\"} | signal \"a\": a text is not an integer",
        "{\"a\":\"12f\"} | signal \"a\": a text is not an integer",
        "{\"a\":\"-0x12\"} | signal \"a\": a text is not an integer",
        "{\"a\":\"1 \"} | signal \"a\": a text is not an integer",
        "{\"a\":\"١\"} | signal \"a\": a text is not an integer",
        "{\"a\":[1,{\"b\":2}]} | signal \"a\": an object among numbers",
        "{\"a\":[{\"b\":2},1]} | signal \"a\": a number among objects",
        "{\"a\":1,\"a\":2} | it is not valid JSON: the key 'a' occurs twice",
        "{\"a\":1 | it is not valid JSON",
        "{\"a\":[1,] | it is not valid JSON",
        "{\"a\":01} | it is not valid JSON",
        "{\"a\":1}} | it is not valid JSON",
        "{\"a\":1} {} | something follows the JSON object",
        "[1] | not a JSON object",
        "1 | not a JSON object"
      })
  void shouldRefuse(String json, String problem) {
    InputException e = assertThrows(InputException.class, () -> read(json));
    assertTrue(e.getMessage().startsWith("in.json: " + problem), e.getMessage());
    assertTrue(e.getMessage().contains("(line 1, column "), e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":\"31337x\"}",
        "{\"a\":31337.5}",
        "{\"a\":x31337}",
        "{\"a\":[1,{\"b\":2},31337]}",
        "{\"a\":31337x}"
      })
  void shouldNotRepeatValuesBecauseTheyAreSecrets(String json) {
    InputException e = assertThrows(InputException.class, () -> read(json));
    assertFalse(e.getMessage().contains("31337"), e.getMessage());
    assertNull(e.getCause());
  }

  @Test
  void shouldRefuseEmptyText() {
    InputException e = assertThrows(InputException.class, () -> read(""));
    assertTrue(e.getMessage().startsWith("in.json: not a JSON object"), e.getMessage());
  }

  @Test
  void shouldRefuseNumbersAndNestingWithoutEnd() {
    String digits = "1".repeat(100_001);
    assertThrows(InputException.class, () -> read("{\"a\":" + digits + "}"));
    assertThrows(InputException.class, () -> read("{\"a\":\"" + digits + "\"}"));
    assertThrows(InputException.class, () -> read("{\"a\":" + "[".repeat(100_000)));
    assertThrows(InputException.class, () -> read("{\"a\":".repeat(100_000)));
  }

  @Test
  void shouldReadAPartOfAFile(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("container.bin");
    StringBuilder json = new StringBuilder("{\"a\":[0");
    for (int i = 1; i < 50_000; i++) {
      json.append(',').append(i);
    }
    json.append("]}");
    Files.writeString(file, "xxxx" + json + "yyyy");
    Collector collector = new Collector();
    try (ByteSource source = new FileRange(file, "container.bin#17", 4, json.length()).open()) {
      SignalReader.read(source, collector);
    }
    assertEquals(50_000, collector.signals.get("a").size());
    assertEquals(BigInteger.valueOf(49_999), collector.signals.get("a").get(49_999));
  }

  @Test
  void shouldReportAFileThatBecameShorter(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("input.json");
    Files.writeString(file, "{\"a\":1}");
    try (ByteSource source = FileRange.whole(file).open()) {
      Files.writeString(file, "{\"a\"");
      InputException e =
          assertThrows(InputException.class, () -> SignalReader.read(source, new Collector()));
      assertEquals(file.toString(), e.file());
    }
  }
}
