package dev.cuzk.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZkeyWriterTest {
  private static final Path KEY = TestFiles.testdata("quickstart/circuit.zkey");
  private static final List<ZkeySection> WRITTEN =
      List.of(
          ZkeySection.IC,
          ZkeySection.ENTRIES,
          ZkeySection.A,
          ZkeySection.B1,
          ZkeySection.B2,
          ZkeySection.L,
          ZkeySection.H);

  @TempDir Path folder;

  @Test
  void shouldWriteTheSectionsOfARealKeyByteForByte() throws IOException, InputException {
    RawBinfile original = RawBinfile.parse(Files.readAllBytes(KEY));
    Path copy = folder.resolve("copy.zkey");
    try (ZkeyFile key = ZkeyFile.open(FileRange.whole(KEY));
        ZkeyWriter writer = new ZkeyWriter(copy, key.header(), key.singlePoints())) {
      for (ZkeySection section : WRITTEN) {
        writer.begin(section);
        ByteBuffer content = ByteBuffer.wrap(original.section(section.id()));
        if (section == ZkeySection.ENTRIES) {
          content.position(4);
        }
        while (content.hasRemaining()) {
          int count = Math.min(44 * 64, content.remaining());
          writer.append(content.slice(content.position(), count));
          content.position(content.position() + count);
        }
        writer.end();
      }
      assertFalse(Files.exists(copy));
      writer.commit();
    }
    RawBinfile written = RawBinfile.parse(Files.readAllBytes(copy));
    for (int section = 1; section <= 9; section++) {
      assertArrayEquals(original.section(section), written.section(section), "section " + section);
    }
    try (ZkeyFile key = ZkeyFile.open(FileRange.whole(copy))) {
      assertEquals(List.of(), key.contributions().list());
      assertEquals(List.of(), key.unknownSections());
    }
  }

  @Test
  void shouldRefuseSectionsOutOfOrderOrOfWrongLength() throws IOException, InputException {
    try (ZkeyFile key = ZkeyFile.open(FileRange.whole(KEY));
        ZkeyWriter writer =
            new ZkeyWriter(folder.resolve("bad.zkey"), key.header(), key.singlePoints())) {
      assertThrows(IllegalStateException.class, () -> writer.begin(ZkeySection.A));
      assertThrows(IllegalStateException.class, () -> writer.append(ByteBuffer.allocate(1)));
      writer.begin(ZkeySection.IC);
      writer.append(ByteBuffer.allocate(64));
      assertThrows(IllegalStateException.class, writer::end);
      assertThrows(IllegalStateException.class, writer::commit);
    }
    try (var files = Files.list(folder)) {
      assertEquals(0, files.count());
    }
  }

  @Test
  void shouldListTheContributionsOfACeremony() throws InputException {
    try (ZkeyFile key = ZkeyFile.open(FileRange.whole(KEY))) {
      ZkeyContributions contributions = key.contributions();
      assertEquals(128, contributions.circuitHash().length());
      assertEquals(5348, contributions.list().size());
      assertEquals(Optional.of("Anon"), contributions.list().get(0).name());
      assertEquals(
          1, contributions.list().stream().filter(ZkeyContributions.Contribution::beacon).count());
      ZkeyFile.MatrixFacts facts = key.checkEntries(Progress.NONE);
      assertEquals(934, facts.constraints());
      assertFalse(facts.linear());
    }
  }

  @Test
  void shouldRefuseADeviceAndLeaveItInItsPlace() throws IOException {
    // A link, so that a fault would replace the link and not the device.
    Path device = Files.createSymbolicLink(folder.resolve("null"), Path.of("/dev/null"));
    assertThrows(IOException.class, () -> new BinfileWriter(device, BinfileType.ZKEY));
    assertTrue(Files.isSymbolicLink(device));
  }
}
