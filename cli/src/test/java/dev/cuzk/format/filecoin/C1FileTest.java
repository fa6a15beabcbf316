package dev.cuzk.format.filecoin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cuzk.format.ByteSource;
import dev.cuzk.format.InputException;
import dev.cuzk.format.TestFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.zip.GZIPInputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class C1FileTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final byte[] BINCODE =
      TestFiles.read(TestFiles.testdata("filecoin/porep-2KiB.c1.bincode"));
  private static final byte[] ENVELOPE =
      TestFiles.read(TestFiles.testdata("filecoin/porep-2KiB.c1.json"));

  private static C1Output read(byte[] content) throws InputException {
    return C1File.read(ByteSource.of("c1", content));
  }

  private static C1Output read(String content) throws InputException {
    return read(content.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] inner() throws IOException {
    return JSON.readTree(ENVELOPE).get("Phase1Out").binaryValue();
  }

  private static void assertRefused(byte[] content, String... words) {
    String message = assertThrows(InputException.class, () -> read(content)).getMessage();
    for (String word : words) {
      assertTrue(message.contains(word), message);
    }
  }

  private static void assertRefused(String content, String... words) {
    assertRefused(content.getBytes(StandardCharsets.UTF_8), words);
  }

  @Test
  void shouldReadTheSameFromAllThreeForms() throws Exception {
    C1Output bincode = read(BINCODE);
    C1Output json = read(inner());
    C1Output envelope = read(ENVELOPE);
    assertArrayEquals(BINCODE, json.bytes());
    assertArrayEquals(BINCODE, envelope.bytes());
    assertEquals("c1-bincode", bincode.format());
    assertEquals("c1-json", json.format());
    assertEquals("c1-envelope", envelope.format());
    assertEquals(OptionalLong.of(43), envelope.sectorNumber());
    assertEquals(OptionalLong.of(2048), envelope.sectorSize());
    assertEquals(OptionalLong.empty(), json.sectorNumber());
  }

  @Test
  void shouldReadProofsAsTheyAre() throws Exception {
    C1Output c1 = read(BINCODE);
    assertEquals("StackedDrg2KiBV1_1", c1.proof().name());
    assertEquals("2KiB", c1.vanillaSize());
    assertEquals(1, c1.partitions().size());
    assertEquals(2, c1.partitions().get(0).size());
    PorepChallenge challenge = c1.partitions().get(0).get(0);
    assertEquals(27, challenge.data().leafIndex());
    assertEquals(6, challenge.data().height());
    assertEquals(27, challenge.replica().leafIndex());
    assertEquals(2, challenge.replica().height());
    assertEquals(8, challenge.replica().arities()[0]);
    assertEquals(27, challenge.column().node());
    assertEquals(2, challenge.column().rows());
    assertEquals(6, challenge.baseParents().size());
    assertEquals(8, challenge.expanderParents().size());
    assertEquals(2, challenge.labels().size());
    assertEquals(37, challenge.encoding().parents());
    assertEquals(2, challenge.encoding().layer());
    JsonNode expected = JSON.readTree(inner());
    for (String name : List.of("comm_r", "comm_d", "replica_id", "seed", "ticket")) {
      int offset =
          switch (name) {
            case "comm_r" -> c1.commR();
            case "comm_d" -> c1.commD();
            case "replica_id" -> c1.replicaId();
            case "seed" -> c1.seed();
            default -> c1.ticket();
          };
      for (int i = 0; i < 32; i++) {
        assertEquals(expected.get(name).get(i).asInt(), BINCODE[offset + i] & 0xff);
      }
    }
  }

  /** The same document with the members of each object in reverse, and one that nobody knows. */
  private static JsonNode turned(JsonNode node) {
    if (node.isArray()) {
      ArrayNode turned = JSON.createArrayNode();
      node.forEach(each -> turned.add(turned(each)));
      return turned;
    }
    if (!node.isObject()) {
      return node;
    }
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    Collections.reverse(names);
    ObjectNode turned = JSON.createObjectNode();
    if (names.size() > 1) {
      turned.set("x", JSON.createArrayNode().add("a\"]}").add(-1.5e3).addNull().addObject());
    }
    names.forEach(name -> turned.set(name, turned(node.get(name))));
    return turned;
  }

  @Test
  void shouldReadMembersInAnyOrderAndBlanks() throws Exception {
    JsonNode document = JSON.readTree(inner());
    String text = JSON.writerWithDefaultPrettyPrinter().writeValueAsString(turned(document));
    assertArrayEquals(BINCODE, read(text).bytes());
    String envelope =
        "{ \"SectorSize\" : 2048, \"SectorNum\":43 ,\"Phase1Out\" : \""
            + Base64.getEncoder().encodeToString(inner()).replace("/", "\\/")
            + "\", \"more\":[{}] }";
    assertArrayEquals(BINCODE, read(envelope).bytes());
  }

  @Test
  void shouldRefuseTruncationOfEveryForm() throws Exception {
    byte[] inner = inner();
    for (byte[] whole : List.of(BINCODE, inner, ENVELOPE)) {
      for (int length = 100; length < whole.length; length += whole.length / 50) {
        assertRefused(Arrays.copyOf(whole, length), "c1");
      }
    }
    assertRefused(Arrays.copyOf(BINCODE, BINCODE.length + 1), "more after its end", "1 bytes");
    assertRefused(new String(inner, StandardCharsets.UTF_8) + " x", "more after the JSON");
  }

  @Test
  void shouldRefuseJsonThatIsNotAsItShouldBe() throws Exception {
    String inner = new String(inner(), StandardCharsets.UTF_8);
    assertRefused(
        inner.replaceFirst("\"root\":\\[\\d+,", "\"root\":[444,"),
        "a byte",
        "at most 255",
        "JSON offset");
    assertRefused(inner.replaceFirst("\"comm_r\":\\[\\d+,", "\"comm_r\":["), "unexpected JSON");
    assertRefused(inner.replaceFirst("\"comm_r\":\\[", "\"comm_r\":[1,"), "unexpected JSON");
    assertRefused(inner.replaceFirst("\"comm_r\":\\[", "\"comm_r\":[0"), "JSON");
    assertRefused(inner.replaceFirst("\"seed\"", "\"sead\""), "missing", "\"seed\"");
    assertRefused(inner.replaceFirst("\"seed\"", "\"ticket\""), "twice", "\"ticket\"");
    assertRefused(inner.replaceFirst("Single", "Simple"), "Single, Sub or Top", "Simple");
    assertRefused(inner.replaceFirst("2KiBV1_1", "3KiBV1"), "no registered proof", "3KiB");
    assertRefused(inner.replaceFirst("2KiBV1\"", "2KiBV1_1\""), "no kind of vanilla proofs");
    assertRefused(inner.replaceFirst("\"index\":1", "\"index\":-1"), "not a number");
    assertRefused(inner.replaceFirst("\"index\":1", "\"index\":2"), "position", "0 to 1");
  }

  @Test
  void shouldRefuseEnvelopesThatAreNotAsTheyShouldBe() {
    String envelope = new String(ENVELOPE, StandardCharsets.UTF_8);
    assertRefused(envelope.replace("Phase1Out\":\"ey", "Phase1Out\":\"e*"), "base64");
    assertRefused(envelope.replace("Phase1Out\":\"ey", "Phase1Out\":\"e\\y"), "base64");
    assertRefused(envelope.replace("\"SectorNum\":43", "\"SectorNum\":-1"), "SectorNum");
    assertRefused(
        envelope.replace("{\"SectorNum\":43,\"Phase1Out\":", "{\"Phase1Out\":7,\"x\":"), "c1");
    assertRefused("{\"SectorNum\":43}", "no C1 output");
    assertRefused("[1]", "no C1 output");
    assertRefused("", "no C1 output");
  }

  @Test
  void shouldRefuseCountsThatTheFileCannotHold() {
    byte[] bytes = BINCODE.clone();
    bytes[8 + 3] = 1;
    assertRefused(bytes, "c1");
    bytes = BINCODE.clone();
    bytes[16 + 1] = 8;
    assertRefused(bytes, "challenges", "offset 16", "found 2050");
  }

  @Property(tries = 300)
  void shouldOnlyEverRefuseOrReadFlippedBits(
      @ForAll @IntRange(max = 28255) int place, @ForAll @IntRange(max = 7) int bit) {
    byte[] bytes = BINCODE.clone();
    bytes[place] ^= (byte) (1 << bit);
    try {
      assertEquals(bytes.length, read(bytes).bytes().length);
    } catch (InputException e) {
      assertTrue(e.getMessage().startsWith("c1: "), e.getMessage());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"vectors-8m/porep", "vectors-32g/porep"})
  void shouldReadTheSameFromLargeJsonAsFromBincode(String folder) throws Exception {
    Path place = TestFiles.shared("filecoin/" + folder);
    assumeTrue(Files.isDirectory(place));
    byte[] expected = unpack(place.resolve("c1.bincode.gz"));
    C1Output c1 = read(unpack(place.resolve("c1.json.gz")));
    assertArrayEquals(expected, c1.bytes());
    if (folder.contains("32g")) {
      MerkleProof path = c1.partitions().get(9).get(17).replica();
      assertEquals(1, path.form());
      assertEquals(10, path.height());
      assertEquals(9, path.subLevel());
      assertEquals(10, path.topLevel());
      assertEquals(c1.partitions().get(9).get(17).column().node(), path.leafIndex());
    }
  }

  private static byte[] unpack(Path file) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return in.readAllBytes();
    }
  }
}
