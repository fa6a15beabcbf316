package dev.cuzk.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.proof.Proof;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  @TempDir Path folder;

  private Path file() {
    return folder.resolve(Journal.FILE);
  }

  private static JournalLine line(String name, int partition, int partitions) {
    BigInteger seed = BigInteger.valueOf(name.hashCode() + partition).abs();
    return new JournalLine(
        name,
        "circom",
        new JournalLine.Source("1".repeat(64), null, "2".repeat(64), "3".repeat(64)),
        partition,
        partitions,
        true,
        1234.5,
        new Proof(
            CurveId.BLS12_381,
            List.of(seed, BigInteger.ONE),
            List.of(seed, seed, BigInteger.TWO, BigInteger.ZERO),
            List.of(CurveId.BLS12_381.baseModulus().subtract(BigInteger.ONE), seed)),
        List.of(BigInteger.ZERO, CurveId.BLS12_381.scalarModulus().subtract(seed)));
  }

  @Test
  void shouldKnowTrustedParametersByTheirVerifyingKey() throws Exception {
    JournalLine read = line("a", 0, 2);
    JournalLine.Source source = read.source();
    JournalLine.Source trusted =
        new JournalLine.Source(source.input(), null, null, source.verifyingKey());
    JournalLine unread =
        new JournalLine("a", "porep", trusted, 1, 2, true, 1, read.proof(), read.publicInputs());
    try (Journal journal = Journal.open(file())) {
      journal.beginRun("1", 0);
      journal.accept(List.of(read));
      journal.accept(List.of(unread));
      journal.endRun(0, 1);
    }
    try (Journal journal = Journal.open(file())) {
      Journal.Entry entry = journal.find("a").orElseThrow();
      assertTrue(entry.complete());
      assertEquals(List.of(read, unread), journal.read(entry));
    }
    assertTrue(source.sameAs(trusted) && trusted.sameAs(source));
    assertFalse(source.sameAs(new JournalLine.Source(source.input(), null, null, "4".repeat(64))));
    assertFalse(
        source.sameAs(
            new JournalLine.Source(source.input(), null, "5".repeat(64), source.verifyingKey())));
  }

  @Test
  void shouldReadBackWhatItAccepted() throws Exception {
    JournalLine a = line("a", 0, 1);
    JournalLine b = line("b", 1, 2);
    try (Journal journal = Journal.open(file())) {
      assertTrue(journal.isEmpty());
      journal.beginRun("1", 0);
      journal.accept(List.of(a, b));
      journal.endRun(0, 1);
    }
    try (Journal journal = Journal.open(file())) {
      assertEquals(List.of(a), journal.read(journal.find("a").orElseThrow()));
      assertEquals(List.of(b), journal.read(journal.find("b").orElseThrow()));
      assertTrue(journal.find("a").orElseThrow().complete());
      assertFalse(journal.find("b").orElseThrow().complete());
      journal.accept(List.of(line("b", 0, 2)));
    }
    assertEquals(2, Journal.load(file()).linesByName().get("b").size());
  }

  @Test
  void shouldKeepEveryWholeLineWhereverItIsCut() throws Exception {
    List<JournalLine> lines = List.of(line("a", 0, 1), line("b", 0, 1), line("c", 0, 1));
    try (Journal journal = Journal.open(file())) {
      journal.beginRun("1", 0);
      journal.accept(lines);
    }
    byte[] whole = Files.readAllBytes(file());
    for (int cut = 0; cut <= whole.length; cut++) {
      byte[] rest = Arrays.copyOf(whole, cut);
      Files.write(file(), rest);
      long ends = new String(rest, StandardCharsets.UTF_8).chars().filter(c -> c == '\n').count();
      try (Journal journal = Journal.open(file())) {
        assertEquals(0, journal.brokenLines());
        for (int i = 0; i < lines.size(); i++) {
          assertEquals(ends > i + 1, journal.find(lines.get(i).name()).isPresent(), "cut " + cut);
        }
        journal.accept(List.of(line("d", 0, 1)));
      }
      assertEquals(
          Math.max(0, ends - 1) + 1,
          Journal.load(file()).linesByName().size(),
          "cut at byte " + cut);
    }
  }

  @Test
  void shouldPassOverADamagedLine() throws Exception {
    try (Journal journal = Journal.open(file())) {
      journal.accept(List.of(line("a", 0, 1)));
      journal.accept(List.of(line("b", 0, 1)));
    }
    byte[] bytes = Files.readAllBytes(file());
    for (int at = 0; at < 40; at++) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= 1;
      Files.write(file(), damaged);
      try (Journal journal = Journal.open(file())) {
        assertEquals(1, journal.brokenLines());
        assertTrue(journal.find("a").isEmpty());
        assertTrue(journal.find("b").isPresent());
      }
    }
  }

  @Test
  void shouldForgetAnEntryThatWasReplaced() throws Exception {
    JournalLine old = line("a", 0, 1);
    JournalLine replacement =
        new JournalLine(
            "a",
            "circom",
            new JournalLine.Source("9".repeat(64), "8".repeat(64), "2".repeat(64), "3".repeat(64)),
            0,
            1,
            false,
            2,
            old.proof(),
            old.publicInputs());
    try (Journal journal = Journal.open(file())) {
      journal.accept(List.of(old));
      journal.accept(List.of(replacement));
    }
    assertEquals(List.of(replacement), Journal.load(file()).linesByName().get("a"));
  }

  @Test
  void shouldRefuseAnotherVersion() throws Exception {
    byte[] line =
        new String(JournalLine.beginOfRun("1", 0), StandardCharsets.UTF_8)
            .getBytes(StandardCharsets.UTF_8);
    String text =
        new String(line, StandardCharsets.UTF_8).replace("\"version\":1", "\"version\":2");
    CRC32C crc = new CRC32C();
    String body = text.substring(0, text.indexOf(",\"crc32c\""));
    crc.update(body.getBytes(StandardCharsets.UTF_8));
    Files.writeString(file(), body + String.format(",\"crc32c\":\"%08x\"}%n", crc.getValue()));
    InputException refused = assertThrows(InputException.class, () -> Journal.open(file()));
    assertTrue(refused.getMessage().contains("expected 1, found 2"));
  }
}
