package dev.cuzk.key;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cuzk.format.InputException;
import dev.cuzk.format.TestFiles;
import dev.cuzk.math.CurveId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ParamsKeyTest {
  /** The reference's test key of the 2 KiB WindowPoSt. */
  private static Path reference() throws IOException {
    Path keys = TestFiles.shared("filecoin/vectors-2k/post/keys");
    assumeTrue(Files.isDirectory(keys));
    try (Stream<Path> files = Files.list(keys)) {
      return files.filter(file -> file.toString().endsWith(".params")).findFirst().orElseThrow();
    }
  }

  @Test
  void shouldReadTheReferencesKey() throws Exception {
    try (ParamsKey key = ParamsKey.open(reference())) {
      assertEquals(CurveId.BLS12_381, key.curve());
      assertEquals(QuotientForm.MONOMIAL, key.quotient());
      assertEquals(PointEncoding.UNCOMPRESSED_BIG_ENDIAN, key.pointEncoding());
      assertEquals(15, key.domainLog2());
      assertEquals(22, key.publicInputs());
      assertEquals(23 + 22128, key.variables());
      assertEquals(16793, key.count(Query.A));
      assertEquals(16029, key.count(Query.B1));
      assertEquals(16029, key.count(Query.B2));
      assertEquals(22128, key.count(Query.L));
      assertEquals(32767, key.count(Query.H));
      byte[] vk = TestFiles.read(TestFiles.testdata("filecoin/window-2KiB.vk"));
      assertArrayEquals(vk, key.bellmanVerifyingKey().toBytes());
      ByteBuffer point = ByteBuffer.allocate(192);
      key.readPoints(Query.B2, 16028, 1, point);
      assertTrue(key.place(Query.B2, 16028).startsWith("b_g2[16028], offset "));
      // beta1 follows alpha1, delta1 comes before beta2.
      byte[] singles = key.singlePoints();
      assertEquals(3 * 96 + 2 * 192, singles.length);
      assertArrayEquals(
          java.util.Arrays.copyOfRange(vk, 576, 672),
          java.util.Arrays.copyOfRange(singles, 192, 288));
    }
  }

  @Test
  void shouldRefuseAVerifyingKey() {
    Path vk = TestFiles.testdata("filecoin/window-2KiB.vk");
    InputException e = assertThrows(InputException.class, () -> ParamsKey.open(vk));
    assertTrue(e.getMessage().contains(".params file"), e.getMessage());
  }

  @Test
  void shouldRefuseAPointOffTheCurve() throws Exception {
    Path copy = Files.createTempFile("key", ".params");
    try {
      byte[] content = Files.readAllBytes(reference());
      content[868 + 95] ^= 1;
      Files.write(copy, content);
      try (ParamsKey key = ParamsKey.open(copy)) {
        InputException e = assertThrows(InputException.class, key::verifyingKey);
        assertTrue(e.getMessage().contains("IC[0] is not on the curve"), e.getMessage());
      }
    } finally {
      Files.delete(copy);
    }
  }
}
