package dev.cuzk.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.math.CurveId;
import dev.cuzk.memory.PlainBuffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WtnsFileTest {
  private static final Path WITNESS = TestFiles.testdata("quickstart/witness.wtns");

  @TempDir Path folder;

  @Test
  void shouldReadARealWitness() throws InputException, IOException {
    byte[] file = Files.readAllBytes(WITNESS);
    try (WtnsFile witness = WtnsFile.open(FileRange.whole(WITNESS));
        PlainBuffer buffer = PlainBuffer.allocate(936 * 32)) {
      assertEquals(CurveId.BN254, witness.curve());
      assertEquals(936, witness.variables());
      witness.readInto(buffer);
      byte[] values = new byte[936 * 32];
      buffer.view(0, values.length).get(values);
      assertArrayEquals(Arrays.copyOfRange(file, 76, file.length), values);
    }
  }

  @Test
  void shouldReadEverySample() throws InputException {
    for (Path path : TestFiles.samples(".wtns")) {
      try (WtnsFile witness = WtnsFile.open(FileRange.whole(path));
          PlainBuffer buffer = PlainBuffer.allocate(witness.variables() * 32)) {
        witness.readInto(buffer);
        assertEquals(1, buffer.view(0, 8).getLong());
      }
    }
  }

  @Test
  void shouldFindABadValueInAnyChunk() throws IOException {
    int count = 300_000;
    byte[] values = new byte[count * 32];
    new Random(7).nextBytes(values);
    for (int i = 0; i < count; i++) {
      values[i * 32 + 31] &= 0x1f;
    }
    Arrays.fill(values, 0, 32, (byte) 0);
    values[0] = 1;
    int bad = 299_998;
    byte[] modulus = LittleEndian.toBytes(CurveId.BN254.scalarModulus(), 32);
    System.arraycopy(modulus, 0, values, bad * 32, 32);
    Path file = folder.resolve("large.wtns");
    Files.write(file, witness(count, values));
    assertTrue(readFailure(file).contains("value " + bad + " is not canonical"));

    // One below the prime is the largest value that is right.
    values[bad * 32] -= 1;
    Files.write(file, witness(count, values), StandardOpenOption.TRUNCATE_EXISTING);
    assertEquals("", readFailure(file));
  }

  private static String readFailure(Path file) {
    try (WtnsFile witness = WtnsFile.open(FileRange.whole(file));
        PlainBuffer buffer = PlainBuffer.allocate(witness.variables() * 32)) {
      witness.readInto(buffer);
      return "";
    } catch (InputException e) {
      return e.getMessage();
    }
  }

  private static byte[] witness(int count, byte[] values) {
    byte[] header = Arrays.copyOf(RawBinfile.u32(32), 40);
    System.arraycopy(LittleEndian.toBytes(CurveId.BN254.scalarModulus(), 32), 0, header, 4, 32);
    System.arraycopy(RawBinfile.u32(count), 0, header, 36, 4);
    return new RawBinfile(
            "wtns",
            2,
            List.of(new RawBinfile.RawSection(1, header), new RawBinfile.RawSection(2, values)))
        .bytes();
  }

  @Test
  void shouldRefuseWitnessThatChangedSinceItWasOpened() throws InputException, IOException {
    Path copy = Files.copy(WITNESS, folder.resolve("changed.wtns"));
    try (WtnsFile witness = WtnsFile.open(FileRange.whole(copy));
        PlainBuffer buffer = PlainBuffer.allocate(936 * 32)) {
      Files.write(copy, new byte[] {1}, StandardOpenOption.APPEND);
      InputException e = assertThrows(InputException.class, () -> witness.readInto(buffer));
      assertTrue(e.getMessage().contains("input changed"), e.getMessage());
    }
  }

  @Test
  void shouldRefuseBufferOfAnotherSize() throws InputException {
    try (WtnsFile witness = WtnsFile.open(FileRange.whole(WITNESS));
        PlainBuffer buffer = PlainBuffer.allocate(935 * 32)) {
      assertThrows(IllegalArgumentException.class, () -> witness.readInto(buffer));
    }
  }

  @Test
  void shouldGoOnForOthersWhenOneReaderIsInterrupted() throws Exception {
    try (WtnsFile witness = WtnsFile.open(FileRange.whole(WITNESS));
        PlainBuffer buffer = PlainBuffer.allocate(936 * 32)) {
      CompletableFuture<Throwable> failure = new CompletableFuture<>();
      Thread interrupted =
          new Thread(
              () -> {
                Thread.currentThread().interrupt();
                try {
                  witness.readInto(buffer);
                  failure.complete(null);
                } catch (InputException | RuntimeException e) {
                  failure.complete(e);
                }
              });
      interrupted.start();
      assertInstanceOf(CancellationException.class, failure.get());
      witness.readInto(buffer);
      assertEquals(1, buffer.view(0, 8).getLong());
    }
  }

  @Test
  void shouldReadFromMemory() throws InputException, IOException {
    ByteSource source = ByteSource.of("-", Files.readAllBytes(WITNESS));
    try (WtnsFile witness = WtnsFile.open(source)) {
      assertEquals(936, witness.variables());
      assertEquals("-", witness.name());
    }
  }
}
