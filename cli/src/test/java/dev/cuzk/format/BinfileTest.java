package dev.cuzk.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.format.RawBinfile.RawSection;
import dev.cuzk.memory.PlainBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BinfileTest {
  private static final byte[] KEY =
      shortened(TestFiles.read(TestFiles.testdata("quickstart/circuit.zkey")));
  private static final byte[] WITNESS =
      TestFiles.read(TestFiles.testdata("quickstart/witness.wtns"));

  /**
   * Without the ceremony's two megabytes of contributions, so that thousands of copies are cheap.
   */
  private static byte[] shortened(byte[] key) {
    return RawBinfile.parse(key).with(10, new byte[68]).bytes();
  }

  private static void readKey(byte[] bytes) throws InputException {
    try (ZkeyFile key = ZkeyFile.open(ByteSource.of("key", bytes))) {
      key.checkEntries(Progress.NONE);
      key.contributions();
    }
  }

  private static void readWitness(byte[] bytes) throws InputException {
    try (WtnsFile witness = WtnsFile.open(ByteSource.of("witness", bytes));
        PlainBuffer buffer = PlainBuffer.allocate(witness.variables() * 32)) {
      witness.readInto(buffer);
    }
  }

  @Property(tries = 200)
  void shouldReadSectionsInAnyOrderAmongUnknownOnes(
      @ForAll @Size(10) List<@IntRange(max = 1000) Integer> order,
      @ForAll @Size(max = 5) List<byte[]> unknown)
      throws InputException {
    RawBinfile raw = RawBinfile.parse(KEY);
    List<RawSection> sections = new ArrayList<>(raw.sections());
    for (int i = 0; i < order.size(); i++) {
      sections.add(order.get(i) % sections.size(), sections.remove(i));
    }
    for (int i = 0; i < unknown.size(); i++) {
      sections.add(order.get(i) % sections.size(), new RawSection(1000 + i / 2, unknown.get(i)));
    }
    byte[] shuffled = new RawBinfile("zkey", 1, sections).bytes();
    readKey(shuffled);
    try (ZkeyFile key = ZkeyFile.open(ByteSource.of("key", shuffled))) {
      byte[] points = new byte[raw.section(7).length];
      key.readPoints(ZkeySection.B2, 0, points.length / 128, ByteBuffer.wrap(points));
      assertArrayEquals(raw.section(7), points);
    }
  }

  @Property(tries = 500)
  void shouldRefuseKeyTruncatedAnywhere(@ForAll @IntRange(max = 1 << 30) int where) {
    byte[] cut = Arrays.copyOf(KEY, where % KEY.length);
    assertThrows(InputException.class, () -> readKey(cut));
  }

  @Property(tries = 500)
  void shouldRefuseWitnessTruncatedAnywhere(@ForAll @IntRange(max = 1 << 30) int where) {
    byte[] cut = Arrays.copyOf(WITNESS, where % WITNESS.length);
    assertThrows(InputException.class, () -> readWitness(cut));
  }

  @Property(tries = 1000)
  void shouldOnlyEverRefuseFlippedBits(
      @ForAll @IntRange(max = 1 << 30) int where, @ForAll @IntRange(max = 7) int bit) {
    // The first kilobyte holds the file header, both headers, the counts and the first entries.
    byte[] key = KEY.clone();
    key[where % 1100] ^= (byte) (1 << bit);
    refuseOrRead(() -> readKey(key));
    byte[] witness = WITNESS.clone();
    witness[where % 108] ^= (byte) (1 << bit);
    // Every bit of a witness's headers and of its first value counts.
    assertThrows(InputException.class, () -> readWitness(witness));
  }

  private interface Read {
    void run() throws InputException;
  }

  private static void refuseOrRead(Read read) {
    try {
      read.run();
    } catch (InputException e) {
      assertTrue(e.getMessage().startsWith("key: "), e.getMessage());
    }
  }

  @Property(tries = 1000)
  void shouldOnlyEverRefuseRandomBytesAfterTheMagic(@ForAll @Size(max = 200) byte[] bytes) {
    byte[] file = bytes.clone();
    byte[] start = {'z', 'k', 'e', 'y', 1, 0, 0, 0};
    System.arraycopy(start, 0, file, 0, Math.min(start.length, file.length));
    assertThrows(InputException.class, () -> readKey(file));
  }

  @Test
  void shouldReadManyTinySectionsQuickly() throws InputException {
    List<RawSection> sections = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      sections.add(new RawSection(1000 + i, new byte[i % 3]));
    }
    byte[] file = new RawBinfile("wtns", 2, sections).bytes();
    try (Binfile binfile = Binfile.open(ByteSource.of("many", file), BinfileType.WTNS)) {
      assertEquals(100_000, binfile.sections().size());
      assertEquals(2, binfile.require(1002, "any").length());
    }
  }

  @Test
  void shouldRefuseReadsOutsideASection() throws InputException {
    try (Binfile file = Binfile.open(ByteSource.of("witness", WITNESS), BinfileType.WTNS)) {
      Binfile.Section section = file.require(1, "the header");
      assertThrows(
          IndexOutOfBoundsException.class, () -> file.read(section, 40, ByteBuffer.allocate(1)));
    }
  }
}
