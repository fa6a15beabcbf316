package dev.cuzk.proof;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.ParamsFile;
import dev.cuzk.format.TestFiles;
import dev.cuzk.math.CurveId;
import dev.cuzk.proof.ProofBytes.Encoding;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ProofBytesTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static byte[] window(String ending) {
    return TestFiles.read(TestFiles.testdata("filecoin/window-2KiB" + ending));
  }

  private static VerifyingKey key(Path vk) throws InputException {
    try (ParamsFile file = ParamsFile.open(FileRange.whole(vk))) {
      return BellmanVerifyingKey.read(file).key();
    }
  }

  private static List<Verdict> verify(VerifyingKey key, byte[] proofs, JsonNode inputs)
      throws InputException {
    List<Verdict> verdicts = new ArrayList<>();
    int partition = 0;
    for (Proof proof : ProofBytes.decode("post.proof", proofs)) {
      List<BigInteger> values = new ArrayList<>();
      inputs.get(partition++).forEach(value -> values.add(new BigInteger(value.asText())));
      verdicts.add(Verifier.verify(key, proof, values));
    }
    return verdicts;
  }

  @Test
  void shouldVerifyTheReferencesProofs() throws Exception {
    VerifyingKey key = key(TestFiles.testdata("filecoin/window-2KiB.vk"));
    JsonNode inputs = JSON.readTree(window(".public.json"));
    List<Verdict> verdicts = verify(key, window(".proof"), inputs);
    assertEquals(2, verdicts.size());
    assertTrue(verdicts.stream().allMatch(Verdict::valid));
  }

  @Test
  void shouldRefuseANegatedPointOfTheFirstPartitionAlone() throws Exception {
    VerifyingKey key = key(TestFiles.testdata("filecoin/window-2KiB.vk"));
    JsonNode inputs = JSON.readTree(window(".public.json"));
    List<Verdict> verdicts = verify(key, window(".mauled.proof"), inputs);
    assertEquals(Verdict.Check.EQUATION, verdicts.get(0).failed());
    assertTrue(verdicts.get(1).valid());
  }

  /** Folders of the reference's cases that have a proof. */
  static Stream<Path> cases() throws IOException {
    Path vectors = TestFiles.shared("filecoin");
    if (!Files.isDirectory(vectors)) {
      return Stream.empty();
    }
    try (Stream<Path> files = Files.walk(vectors, 4)) {
      return files
          .filter(file -> file.toString().endsWith(".proof.bin"))
          .sorted()
          .toList()
          .stream();
    }
  }

  private static Path keyOf(Path proof) throws IOException {
    Path folder = proof.getParent();
    boolean post = folder.getParent().getFileName().toString().equals("post");
    Path keys = post ? folder.getParent().resolve("keys") : folder;
    boolean winning = folder.getFileName().toString().equals("winning");
    try (Stream<Path> files = Files.list(keys)) {
      return files
          .filter(file -> file.toString().endsWith(".vk"))
          .filter(file -> !post || file.toString().contains("-0-3ea0") == winning)
          .findFirst()
          .orElseThrow();
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("cases")
  void shouldJudgeEveryCaseAsTheReference(Path proof) throws Exception {
    VerifyingKey key = key(keyOf(proof));
    JsonNode facts = JSON.readTree(proof.resolveSibling("case.json").toFile());
    List<JsonNode> inputs = new ArrayList<>();
    facts.get("partitions").forEach(each -> inputs.add(each.get("public_inputs")));
    JsonNode all = JSON.valueToTree(inputs);
    byte[] good = TestFiles.read(proof);
    assertTrue(verify(key, good, all).stream().allMatch(Verdict::valid));
    String mauled = proof.getFileName().toString().replace(".proof.", ".mauled.");
    List<Verdict> verdicts = verify(key, TestFiles.read(proof.resolveSibling(mauled)), all);
    assertFalse(verdicts.get(0).valid());
    assertFalse(verdicts.get(0).malformed());
    assertTrue(verdicts.stream().skip(1).allMatch(Verdict::valid));
    assertArrayEquals(good, ProofBytes.encode(ProofBytes.decode("", good), Encoding.RAW));
  }

  @ParameterizedTest
  @EnumSource(Encoding.class)
  void shouldReadWhatItWrites(Encoding encoding) throws Exception {
    List<Proof> proofs = ProofBytes.decode("a", window(".proof"));
    byte[] content = ProofBytes.encode(proofs, encoding);
    assertEquals(encoding, ProofBytes.encodingOf(content));
    assertEquals(proofs, ProofBytes.decode("b", content));
    assertTrue(ProofBytes.isLikely(content));
  }

  private static void assertRefused(byte[] content, String... words) {
    String message =
        assertThrows(InputException.class, () -> ProofBytes.decode("a.proof", content))
            .getMessage();
    for (String word : words) {
      assertTrue(message.contains(word), message);
    }
  }

  @Test
  void shouldRefuseProofsOfOddLength() {
    byte[] content = new byte[191];
    content[0] = (byte) 0xa0;
    assertRefused(content, "a.proof", "192", "191");
    assertRefused(new byte[0], "192");
  }

  @Test
  void shouldRefuseInfinity() {
    byte[] content = window(".proof");
    content[192] = (byte) 0xc0;
    assertRefused(content, "point A of partition 1", "infinity", "offset 192");
  }

  @Test
  void shouldRefuseAPointThatIsNotCompressed() {
    byte[] content = window(".proof");
    content[48] &= 0x7f;
    assertRefused(content, "point B of partition 0", "compressed");
  }

  @Test
  void shouldRefuseACoordinateThatIsNotCanonical() {
    byte[] content = window(".proof");
    byte[] p = CurveId.BLS12_381.baseModulus().toByteArray();
    System.arraycopy(p, 0, content, 144, 48);
    content[144] |= (byte) 0x80;
    assertRefused(content, "point C of partition 0", "not below p");
  }

  @Test
  void shouldRefuseAnXThatIsOnNoPointOfTheCurve() {
    byte[] content = window(".proof");
    boolean refused = false;
    for (int i = 0; i < 64 && !refused; i++) {
      content[47]++;
      try {
        ProofBytes.decode("a.proof", content);
      } catch (InputException e) {
        refused = true;
        assertTrue(e.getMessage().contains("point A of partition 0 has an x"), e.getMessage());
      }
    }
    assertTrue(refused);
  }

  @Test
  void shouldCallAPointOutsideTheSubgroupInvalidNotMalformed() throws Exception {
    VerifyingKey key = key(TestFiles.testdata("filecoin/window-2KiB.vk"));
    JsonNode inputs = JSON.readTree(window(".public.json"));
    byte[] content = window(".proof");
    while (true) {
      content[47]++;
      try {
        Verdict verdict = verify(key, content, inputs).get(0);
        assertEquals(Verdict.Check.SUBGROUP, verdict.failed());
        assertFalse(verdict.malformed());
        return;
      } catch (InputException notOnTheCurve) {
        assertTrue(notOnTheCurve.getMessage().contains("has an x"));
      }
    }
  }

  @Test
  void shouldRefuseTextThatIsNoProof() {
    assertRefused("hello===x".getBytes(java.nio.charset.StandardCharsets.US_ASCII), "base64");
  }
}
