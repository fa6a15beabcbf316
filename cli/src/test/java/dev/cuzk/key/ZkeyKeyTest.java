package dev.cuzk.key;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.LittleEndian;
import dev.cuzk.format.TestFiles;
import dev.cuzk.format.ZkeyFile;
import dev.cuzk.math.CurveId;
import dev.cuzk.proof.VerifyingKey;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class ZkeyKeyTest {
  private static final Path KEY = TestFiles.testdata("quickstart/circuit.zkey");

  @TempDir Path folder;

  @Test
  void shouldTellTheShapeOfARealKey() throws InputException {
    try (ZkeyKey key = ZkeyKey.open(KEY)) {
      assertEquals(CurveId.BN254, key.curve());
      assertEquals(936, key.variables());
      assertEquals(3, key.publicInputs());
      assertEquals(10, key.domainLog2());
      assertEquals(3751, key.entryCount());
      assertEquals(936, key.count(Query.A));
      assertEquals(936, key.count(Query.B2));
      assertEquals(932, key.count(Query.L));
      assertEquals(1024, key.count(Query.H));
      assertEquals(QuotientForm.ODD_COSET, key.quotient());
      assertEquals(3 * 64 + 2 * 128, key.singlePoints().length);
      assertEquals("section 5, offset " + (166040 + 64), key.place(Query.A, 1));
      assertEquals("section 4, offset " + (980 + 4), key.entryPlace(0));
    }
  }

  @Test
  void shouldReadPiecesAsTheyStandInTheFile() throws InputException, IOException {
    byte[] file = Files.readAllBytes(KEY);
    try (ZkeyKey key = ZkeyKey.open(KEY)) {
      byte[] points = new byte[5 * 128];
      key.readPoints(Query.B2, 7, 5, ByteBuffer.wrap(points));
      assertArrayEquals(Arrays.copyOfRange(file, 285872 + 7 * 128, 285872 + 12 * 128), points);
      byte[] entries = new byte[3 * 44];
      key.readEntries(3748, 3, ByteBuffer.wrap(entries));
      assertArrayEquals(Arrays.copyOfRange(file, 984 + 3748 * 44, 984 + 3751 * 44), entries);
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> key.readPoints(Query.A, 935, 2, ByteBuffer.allocate(128)));
      assertThrows(
          IllegalArgumentException.class,
          () -> key.readPoints(Query.A, 0, 2, ByteBuffer.allocate(64)));
    }
  }

  @TestFactory
  Stream<DynamicTest> shouldCarryThePublishedVerifyingKey() {
    List<DynamicTest> tests = new ArrayList<>();
    tests.add(verifyingKeyTest(KEY, TestFiles.testdata("quickstart/verification_key.json")));
    for (Path key : TestFiles.samples(".zkey")) {
      String name = key.getFileName().toString();
      String published = name.replace("circuit", "vkey").replace(".zkey", ".json");
      tests.add(verifyingKeyTest(key, key.resolveSibling(published)));
    }
    return tests.stream();
  }

  private static DynamicTest verifyingKeyTest(Path key, Path published) {
    return DynamicTest.dynamicTest(
        key.getParent().getFileName().toString(),
        () -> {
          JsonNode json = new ObjectMapper().readTree(published.toFile());
          try (ZkeyKey opened = ZkeyKey.open(key)) {
            VerifyingKey found = opened.verifyingKey();
            assertEquals(json.get("curve").asText(), found.curve().snarkjsName());
            assertEquals(affine(json.get("vk_alpha_1")), found.alpha1());
            assertEquals(affine(json.get("vk_beta_2")), found.beta2());
            assertEquals(affine(json.get("vk_gamma_2")), found.gamma2());
            assertEquals(affine(json.get("vk_delta_2")), found.delta2());
            assertEquals(json.get("nPublic").asInt(), found.publicInputs());
            for (int i = 0; i <= found.publicInputs(); i++) {
              assertEquals(affine(json.get("IC").get(i)), found.ic().get(i));
            }
          }
        });
  }

  private static List<BigInteger> affine(JsonNode projective) {
    List<BigInteger> coordinates = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      JsonNode coordinate = projective.get(i);
      if (coordinate.isArray()) {
        coordinate.forEach(part -> coordinates.add(new BigInteger(part.asText())));
      } else {
        coordinates.add(new BigInteger(coordinate.asText()));
      }
    }
    return coordinates;
  }

  @Test
  void shouldReadAKeyThatLiesInsideAnotherFile() throws InputException, IOException {
    byte[] bytes = Files.readAllBytes(KEY);
    Path outer = folder.resolve("outer.bin");
    Files.write(outer, new byte[4096]);
    Files.write(outer, bytes, StandardOpenOption.APPEND);
    Files.write(outer, new byte[777], StandardOpenOption.APPEND);
    FileRange inside = new FileRange(outer, "outer.bin#17", 4096, bytes.length);
    try (ZkeyKey key = ZkeyKey.open(inside, KeyDigest.forgetful());
        ZkeyKey whole = ZkeyKey.open(KEY)) {
      assertEquals("outer.bin#17", key.name());
      assertEquals(whole.verifyingKey(), key.verifyingKey());
      assertEquals(whole.sha256(), key.sha256());
    }
  }

  @Test
  void shouldRefuseAKeyThatIsCutWhileItIsUsed() throws InputException, IOException {
    Path copy = Files.copy(KEY, folder.resolve("cut.zkey"));
    try (ZkeyKey key = ZkeyKey.open(copy)) {
      try (var channel = Files.newByteChannel(copy, StandardOpenOption.WRITE)) {
        channel.truncate(300000);
      }
      String past = failure(() -> key.readPoints(Query.L, 0, 10, ByteBuffer.allocate(640)));
      assertTrue(past.contains("truncated while it was read"), past);
      String before = failure(() -> key.readPoints(Query.A, 0, 10, ByteBuffer.allocate(640)));
      assertTrue(before.contains("input changed"), before);
    }
  }

  @Test
  void shouldRefuseAKeyThatWasReplacedOrRemoved() throws InputException, IOException {
    Path copy = Files.copy(KEY, folder.resolve("replaced.zkey"));
    try (ZkeyKey key = ZkeyKey.open(copy)) {
      Files.delete(copy);
      String gone = failure(() -> key.readEntries(0, 1, ByteBuffer.allocate(44)));
      assertTrue(gone.contains("went away"), gone);
      Files.copy(KEY, copy);
      String other = failure(() -> key.readEntries(0, 1, ByteBuffer.allocate(44)));
      assertTrue(other.contains("input changed"), other);
    }
  }

  @Test
  void shouldNameTheKindOfPathThatIsNoKey() {
    assertTrue(failure(() -> ZkeyKey.open(folder.resolve("none"))).contains("no such file"));
    assertTrue(failure(() -> ZkeyKey.open(folder)).contains("is a folder"));
    assertTrue(failure(() -> ZkeyKey.open(Path.of("/dev/null"))).contains("not a regular file"));
  }

  private static String failure(org.junit.jupiter.api.function.Executable action) {
    return assertThrows(InputException.class, action).getMessage();
  }

  @Test
  void shouldRefuseCoordinateAboveThePrime() throws IOException, InputException {
    byte[] bytes = Files.readAllBytes(KEY);
    // The header's first point follows two field descriptions and three counts.
    Arrays.fill(bytes, 40 + 72 + 12, 40 + 72 + 12 + 32, (byte) 0xff);
    Path copy = Files.write(folder.resolve("coordinate.zkey"), bytes);
    try (ZkeyKey key = ZkeyKey.open(copy)) {
      String message = failure(key::verifyingKey);
      assertTrue(message.contains("alpha1"), message);
    }
  }

  @Test
  void shouldRefuseVerifyingKeyWithAPointOffTheCurve() throws IOException, InputException {
    byte[] bytes = Files.readAllBytes(KEY);
    bytes[712 + 64] ^= 1;
    Path copy = Files.write(folder.resolve("stray.zkey"), bytes);
    try (ZkeyKey key = ZkeyKey.open(copy)) {
      String message = failure(key::verifyingKey);
      assertTrue(message.contains("IC[1]"), message);
    }
  }

  @Test
  void shouldReadAKeyLargerThanTheHeapInPieces() throws IOException, InputException {
    // 2^24 rows and 2^24 variables: 6 GiB of holes, in which the disk keeps nothing.
    int rows = 1 << 24;
    ZkeyFile.Header header = new ZkeyFile.Header(CurveId.BN254, rows, 0, 24, 0);
    byte[] g1 = new byte[64];
    byte[] g2 = new byte[128];
    Path large = folder.resolve("large.zkey");
    try (SparseKey sparse = new SparseKey(large)) {
      sparse.header(header, new ZkeyFile.SinglePoints(g1, g1, g2, g2, g1, g2));
      sparse.hole(3, 64);
      sparse.hole(4, 4);
      sparse.hole(5, 64L * rows);
      sparse.hole(6, 64L * rows);
      sparse.hole(7, 128L * rows);
      sparse.hole(8, 64L * (rows - 1));
      sparse.hole(9, 64L * rows);
    }
    assertTrue(Files.size(large) > 6L << 30);
    try (ZkeyKey key = ZkeyKey.open(large)) {
      assertEquals(24, key.domainLog2());
      ByteBuffer piece = ByteBuffer.allocateDirect(1 << 16);
      for (Query query : Query.values()) {
        int points = (1 << 16) / CurveId.BN254.pointBytes(query.isG2());
        piece.clear();
        key.readPoints(query, key.count(query) - points, points, piece);
        assertEquals(0, piece.remaining());
      }
      assertTrue(key.place(Query.H, rows - 1).endsWith(" " + (Files.size(large) - 64)));
    }
  }

  /** Writes a key whose sections are holes. */
  private static final class SparseKey implements AutoCloseable {
    private final FileChannel channel;
    private long end;

    SparseKey(Path path) throws IOException {
      channel =
          FileChannel.open(
              path,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.WRITE,
              StandardOpenOption.SPARSE);
    }

    void header(ZkeyFile.Header header, ZkeyFile.SinglePoints points) throws IOException {
      ByteBuffer start = ByteBuffer.allocate(712).order(ByteOrder.LITTLE_ENDIAN);
      start.put("zkey".getBytes(StandardCharsets.US_ASCII)).putInt(1).putInt(9);
      start.putInt(1).putLong(4).putInt(1);
      start.putInt(2).putLong(660);
      start.putInt(32).put(LittleEndian.toBytes(header.curve().baseModulus(), 32));
      start.putInt(32).put(LittleEndian.toBytes(header.curve().scalarModulus(), 32));
      start.putInt((int) header.variables()).putInt(0).putInt(1 << header.domainLog2());
      start.put(points.alpha1()).put(points.beta1()).put(points.beta2());
      start.put(points.gamma2()).put(points.delta1()).put(points.delta2());
      end = channel.write(start.limit(start.position()).rewind(), 0);
    }

    void hole(int section, long length) throws IOException {
      ByteBuffer start = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
      channel.write(start.putInt(section).putLong(length).flip(), end);
      end += 12 + length;
      channel.write(ByteBuffer.allocate(1), end - 1);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  @Test
  void shouldWarnOfKeysWithoutContribution() throws IOException, InputException {
    try (ZkeyKey key = ZkeyKey.open(KEY)) {
      assertEquals(List.of(), key.warnings());
    }
    byte[] bytes = Files.readAllBytes(KEY);
    int gamma2 = 40 + 72 + 12 + 64 + 64 + 128;
    System.arraycopy(bytes, gamma2, bytes, gamma2 + 128 + 64, 128);
    Path copy = Files.write(folder.resolve("fresh.zkey"), bytes);
    try (ZkeyKey key = ZkeyKey.open(copy)) {
      assertEquals(1, key.warnings().size());
      assertTrue(key.warnings().get(0).contains("delta equals gamma"));
    }
  }
}
