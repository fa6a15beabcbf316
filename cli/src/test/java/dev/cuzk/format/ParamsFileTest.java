package dev.cuzk.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.format.ParamsFile.Section;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParamsFileTest {
  private static final byte[] VK = TestFiles.read(TestFiles.testdata("filecoin/window-2KiB.vk"));

  @TempDir Path folder;

  /** A .params with the given counts after a verifying key of 23 points; points are all zero. */
  private static byte[] params(int h, int l, int a, int b1, int b2) {
    int points = 96 * (h + l + a + b1) + 192 * b2;
    ByteBuffer bytes = ByteBuffer.allocate(VK.length + 20 + points).put(VK);
    for (int count : new int[] {h, l, a, b1}) {
      bytes.putInt(count).put(new byte[96 * count]);
    }
    return bytes.putInt(b2).put(new byte[192 * b2]).array();
  }

  private static ParamsFile open(byte[] content) throws InputException {
    return ParamsFile.open(ByteSource.of("a.params", content));
  }

  private static void assertRefused(byte[] content, String... words) {
    String message = assertThrows(InputException.class, () -> open(content)).getMessage();
    for (String word : words) {
      assertTrue(message.contains(word), message);
    }
  }

  @Test
  void shouldReadAVerifyingKey() throws InputException {
    try (ParamsFile file = open(VK)) {
      assertTrue(file.isVerifyingKey());
      assertEquals(23, file.count(Section.IC));
      assertEquals(0, file.count(Section.H));
      assertArrayEquals(Arrays.copyOf(VK, 864), file.singlePoints());
      ByteBuffer last = ByteBuffer.allocate(96);
      file.readPoints(Section.IC, 22, 1, last);
      assertArrayEquals(Arrays.copyOfRange(VK, VK.length - 96, VK.length), last.array());
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> file.readPoints(Section.IC, 23, 1, ByteBuffer.allocate(96)));
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> file.readPoints(Section.A, 0, 1, ByteBuffer.allocate(96)));
    }
  }

  @Test
  void shouldReadCountsAndPlaces() throws InputException {
    try (ParamsFile file = open(params(31, 7, 25, 3, 3))) {
      assertFalse(file.isVerifyingKey());
      assertEquals(31, file.count(Section.H));
      assertEquals(7, file.count(Section.L));
      assertEquals(25, file.count(Section.A));
      assertEquals(3, file.count(Section.B2));
      assertEquals("h[2], offset " + (VK.length + 4 + 192), file.place(Section.H, 2));
    }
  }

  @Test
  void shouldRefuseTruncationEverywhere() {
    byte[] whole = params(31, 7, 25, 3, 3);
    for (int length : new int[] {0, 10, 863, 865, 868, VK.length - 1, VK.length + 3}) {
      assertRefused(Arrays.copyOf(whole, length), "a.params", "offset");
    }
    assertRefused(Arrays.copyOf(whole, whole.length - 1), "b_g2", "expected 2 at most", "found 3");
    assertRefused(Arrays.copyOf(whole, whole.length + 1), "does not end", "1 more bytes");
  }

  @Test
  void shouldRefuseCountsThatContradictEachOther() {
    assertRefused(params(30, 7, 25, 3, 3), "h", "power of two minus 1", "found 30");
    assertRefused(params(15, 7, 25, 3, 3), "h", "at least 22", "found 15");
    assertRefused(params(31, 7, 22, 3, 3), "the count of a", "23 to 30", "found 22");
    assertRefused(params(31, 7, 31, 3, 3), "the count of a", "found 31");
    assertRefused(params(31, 7, 25, 31, 31), "b_g1", "at most 30");
    assertRefused(params(31, 7, 25, 3, 4), "b_g2", "as many as b_g1");
  }

  @Test
  void shouldRefuseAVerifyingKeyWithoutPoints() {
    byte[] empty = Arrays.copyOf(VK, 868);
    Arrays.fill(empty, 864, 868, (byte) 0);
    assertRefused(empty, "the count of ic", "found 0");
  }

  @Test
  void shouldRefuseInfinityAndFlags() throws InputException {
    byte[] infinity = VK.clone();
    infinity[192] |= 0x40;
    assertRefused(infinity, "infinity", "offset 192");
    byte[] compressed = VK.clone();
    compressed[0] |= (byte) 0x80;
    assertRefused(compressed, "flags", "offset 0");
    byte[] later = params(31, 7, 25, 3, 3);
    later[VK.length + 4 + 96] = 0x40;
    try (ParamsFile file = open(later)) {
      InputException e =
          assertThrows(
              InputException.class,
              () -> file.readPoints(Section.H, 0, 3, ByteBuffer.allocate(3 * 96)));
      assertTrue(e.getMessage().contains("h[1], offset " + (VK.length + 100)), e.getMessage());
    }
  }

  @Test
  void shouldTellKeysFromOtherFiles() throws InputException {
    assertTrue(ParamsFile.isLikely(ByteSource.of("a", VK)));
    assertTrue(ParamsFile.isLikely(ByteSource.of("a", params(31, 7, 25, 3, 3))));
    assertFalse(ParamsFile.isLikely(ByteSource.of("a", new byte[5000])));
    assertFalse(ParamsFile.isLikely(ByteSource.of("a", new byte[0])));
  }

  @Test
  void shouldReadWhatTheWriterWrites() throws Exception {
    byte[] expected = params(31, 7, 25, 3, 3);
    Path path = folder.resolve("b.params");
    try (ParamsFile file = open(expected);
        ParamsWriter writer = new ParamsWriter(path, file.singlePoints())) {
      for (Section section : Section.values()) {
        writer.begin(section);
        int count = (int) file.count(section);
        ByteBuffer points = ByteBuffer.allocate(count * section.pointBytes());
        file.readPoints(section, 0, count, points);
        writer.append(points.flip());
        writer.end();
      }
      writer.commit();
    }
    assertArrayEquals(expected, Files.readAllBytes(path));
  }

  @Test
  void shouldLeaveNothingBehindWithoutCommit() throws Exception {
    Path path = folder.resolve("c.params");
    try (ParamsWriter writer = new ParamsWriter(path, new byte[864])) {
      writer.begin(Section.IC);
      assertThrows(IllegalStateException.class, () -> writer.begin(Section.H));
    }
    try (var left = Files.list(folder)) {
      assertEquals(0, left.count());
    }
  }
}
