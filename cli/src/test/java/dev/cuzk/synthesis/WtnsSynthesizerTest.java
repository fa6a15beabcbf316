package dev.cuzk.synthesis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.format.ByteSource;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.TestFiles;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.PlainBuffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WtnsSynthesizerTest {
  private static final int VALUES_OFFSET = 76;
  private static final int VARIABLES = 10;
  private static final HeaderKey KEY = new HeaderKey(CurveId.BN254, VARIABLES);

  @TempDir private Path folder;
  private byte[] file;

  @BeforeEach
  void readWitness() throws IOException {
    file = Files.readAllBytes(TestFiles.testdata("circom/shapes-bn128.wtns"));
  }

  private InputException refused(byte[] bytes) throws InputException {
    WtnsSynthesizer synthesizer = WtnsSynthesizer.open(() -> ByteSource.of("w.wtns", bytes), KEY);
    try (PlainBuffer target = PlainBuffer.allocate(32 * VARIABLES)) {
      return assertThrows(InputException.class, () -> synthesizer.synthesize(target));
    }
  }

  @Test
  void shouldWriteTheValuesOfTheFile() throws Exception {
    WtnsSynthesizer synthesizer = WtnsSynthesizer.open(() -> ByteSource.of("w.wtns", file), KEY);
    assertEquals(VARIABLES, synthesizer.variables());
    assertEquals(CurveId.BN254, synthesizer.curve());
    assertTrue(synthesizer.hostBytes() > 0);
    try (PlainBuffer target = PlainBuffer.allocate(32 * VARIABLES)) {
      synthesizer.synthesize(target);
      byte[] values = new byte[32 * VARIABLES];
      target.view(0, values.length).get(values);
      assertArrayEquals(Arrays.copyOfRange(file, VALUES_OFFSET, file.length), values);
    }
  }

  @Test
  void shouldReadAPartOfAContainer() throws Exception {
    Path container = folder.resolve("input.bin");
    byte[] padded = new byte[file.length + 200];
    System.arraycopy(file, 0, padded, 100, file.length);
    Files.write(container, padded);
    FileRange range = new FileRange(container, "input.bin#17", 100, file.length);
    WtnsSynthesizer synthesizer = WtnsSynthesizer.open(range::open, KEY);
    try (PlainBuffer target = PlainBuffer.allocate(32 * VARIABLES)) {
      synthesizer.synthesize(target);
      assertEquals(1, target.view(0, 32).getLong(0));
    }
  }

  @Test
  void shouldRefuseAKeyOfAnotherCurveOrCircuit() {
    SourceOpener opener = () -> ByteSource.of("w.wtns", file);
    assertThrows(
        InputException.class,
        () -> WtnsSynthesizer.open(opener, new HeaderKey(CurveId.BLS12_381, VARIABLES)));
    assertThrows(
        InputException.class,
        () -> WtnsSynthesizer.open(opener, new HeaderKey(CurveId.BN254, VARIABLES + 1)));
  }

  @Test
  void shouldRefuseAValueThatIsNotCanonical() throws Exception {
    Arrays.fill(file, VALUES_OFFSET + 32, VALUES_OFFSET + 64, (byte) 0xFF);
    assertTrue(refused(file).getMessage().contains("value 1 is not canonical"));
  }

  @Test
  void shouldRefuseAFirstValueThatIsNotOne() throws Exception {
    file[VALUES_OFFSET] = 2;
    assertTrue(refused(file).getMessage().contains("constant 1"));
  }

  @Test
  void shouldRefuseAFileThatChangedSinceItWasChecked() throws Exception {
    Path path = folder.resolve("w.wtns");
    Files.write(path, file);
    WtnsSynthesizer synthesizer = WtnsSynthesizer.open(FileRange.whole(path)::open, KEY);
    Path other = folder.resolve("other.wtns");
    Files.write(other, file);
    Files.move(other, path, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    try (PlainBuffer target = PlainBuffer.allocate(32 * VARIABLES)) {
      InputException e = assertThrows(InputException.class, () -> synthesizer.synthesize(target));
      assertTrue(e.getMessage().contains("input changed"), e.getMessage());
    }
  }
}
