package dev.cuzk.proof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.proof.SnarkjsDocument.Kind;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class SnarkjsDocumentTest {
  private static final CurveId BN254 = CurveId.BN254;
  private static final String POINT1 = "[\"1\",\"2\",\"1\"]";
  private static final String POINT2 = "[[\"1\",\"2\"],[\"3\",\"4\"],[\"1\",\"0\"]]";

  private static SnarkjsDocument parse(String json) throws InputException {
    return SnarkjsDocument.parse("f.json", json.getBytes(StandardCharsets.UTF_8));
  }

  private static String proofWith(String a, String b) {
    return "{\"pi_a\":"
        + a
        + ",\"pi_b\":"
        + b
        + ",\"pi_c\":"
        + POINT1
        + ",\"protocol\":\"groth16\"}";
  }

  private static void refuses(Executable reading, String... words) {
    InputException error = assertThrows(InputException.class, reading);
    assertEquals("f.json", error.file());
    assertFalse(error.getMessage().contains("\n"));
    for (String word : words) {
      assertTrue(error.getMessage().contains(word), error.getMessage());
    }
  }

  private static void refusesProof(String json, String... words) {
    refuses(() -> parse(json).proof(BN254), words);
  }

  @Test
  void shouldTellKindsByContent() throws Exception {
    for (String vector : ProofVectors.ALL) {
      assertEquals(
          Kind.PROOF, SnarkjsDocument.read(ProofVectors.path(vector, "proof.json")).kind());
      assertEquals(
          Kind.PUBLIC_SIGNALS,
          SnarkjsDocument.read(ProofVectors.path(vector, "public.json")).kind());
      SnarkjsDocument key =
          SnarkjsDocument.read(ProofVectors.path(vector, "verification_key.json"));
      assertEquals(Kind.VERIFYING_KEY, key.kind());
      assertEquals(Optional.of(ProofVectors.key(vector).curve()), key.curve());
    }
  }

  @Test
  void shouldReadProofsThatNameNoCurve() throws Exception {
    SnarkjsDocument document = parse(proofWith(POINT1, POINT2));
    assertEquals(Optional.empty(), document.curve());
    Proof proof = document.proof(CurveId.BLS12_381);
    assertEquals(CurveId.BLS12_381, proof.curve());
    assertEquals(List.of(BigInteger.ONE, BigInteger.TWO), proof.a());
    assertEquals(BigInteger.valueOf(4), proof.b().get(3));
  }

  @Test
  void shouldReadEveryNameOfACurve() throws Exception {
    for (String name : List.of("bn128", "bn254", "alt_bn128", "BN254")) {
      String json =
          proofWith(POINT1, POINT2)
              .replace("\"protocol\"", "\"curve\":\"" + name + "\",\"protocol\"");
      assertEquals(BN254, parse(json).proof(BN254).curve());
      refuses(
          () -> parse(json).proof(CurveId.BLS12_381),
          "another curve",
          "expected bls12-381, found bn254");
    }
    String unknown =
        proofWith(POINT1, POINT2).replace("\"protocol\"", "\"curve\":\"secp256k1\",\"protocol\"");
    refusesProof(unknown, "unknown curve", "secp256k1");
  }

  @Test
  void shouldReadInfinityAsZeros() throws Exception {
    Proof proof =
        parse(proofWith("[\"0\",\"1\",\"0\"]", "[[\"0\",\"0\"],[\"1\",\"0\"],[\"0\",\"0\"]]"))
            .proof(BN254);
    assertEquals(List.of(BigInteger.ZERO, BigInteger.ZERO), proof.a());
    assertEquals(0, proof.b().stream().mapToInt(BigInteger::signum).sum());
  }

  @Test
  void shouldRefusePointsThatAreNotAffine() {
    refusesProof(proofWith("[\"1\",\"2\",\"2\"]", POINT2), "pi_a", "not affine");
    refusesProof(proofWith("[\"1\",\"1\",\"0\"]", POINT2), "pi_a", "not affine");
    refusesProof(proofWith("[\"0\",\"0\",\"1\"]", POINT2), "pi_a", "zeros");
    refusesProof(
        proofWith(POINT1, "[[\"1\",\"2\"],[\"3\",\"4\"],[\"1\",\"1\"]]"), "pi_b", "not affine");
    refusesProof(proofWith(POINT1, "[[\"0\",\"0\"],[\"0\",\"0\"],[\"1\",\"0\"]]"), "pi_b", "zeros");
  }

  @Test
  void shouldRefuseMalformedNumbers() {
    for (String bad :
        List.of("-1", "+1", "", " 1", "1 ", "0x1", "1e3", "1.0", "01", "١", "1\\u0000")) {
      refusesProof(proofWith("[\"" + bad + "\",\"2\",\"1\"]", POINT2), "pi_a.x", "decimal");
    }
    for (String bad : List.of("1", "1.5", "null", "true", "[]", "{}")) {
      refusesProof(proofWith("[" + bad + ",\"2\",\"1\"]", POINT2), "pi_a.x", "not a string");
    }
    String p = BN254.baseModulus().toString();
    refusesProof(proofWith("[\"" + p + "\",\"2\",\"1\"]", POINT2), "pi_a.x", "too large", p);
    refusesProof(
        proofWith("[\"" + "9".repeat(100_000) + "\",\"2\",\"1\"]", POINT2), "pi_a.x", "too large");
  }

  @Test
  void shouldRefuseWrongShapes() {
    refusesProof(proofWith("[\"1\",\"2\"]", POINT2), "pi_a", "expected 3, found 2");
    refusesProof(proofWith("\"1\"", POINT2), "/pi_a", "expected an array");
    refusesProof(proofWith(POINT1, "[[\"1\"],[\"3\",\"4\"],[\"1\",\"0\"]]"), "pi_b[0]");
    refusesProof("{\"pi_a\":" + POINT1 + "}", "expected \"pi_b\"");
    refusesProof(proofWith("null", POINT2), "/pi_a", "expected an array, found null");
    refusesProof(proofWith(POINT1, POINT2).replace("groth16", "plonk"), "groth16", "plonk");
    refuses(() -> parse("{\"protocol\":\"plonk\",\"A\":[]}"), "expected groth16", "plonk");
    refuses(() -> parse("{}"), "neither");
    refuses(() -> parse("\"x\""), "neither");
    refuses(() -> parse("7"), "neither");
  }

  @Test
  void shouldRefuseJsonThatIsBroken() {
    refuses(() -> parse(""), "empty");
    refuses(() -> parse("[\"1\""), "not valid JSON");
    refuses(() -> parse("[\"1\"] x"), "not valid JSON", "column 8");
    refuses(() -> parse("[] []"), "more after the document");
    refuses(() -> parse("[".repeat(5000)), "nested too deeply");
    refuses(() -> parse("\u0000\u0001"), "not valid JSON");
    refuses(() -> parse("{\"pi_a\":[],\"pi_a\":[]}"), "not valid JSON", "occurs twice", "pi_a");
  }

  @Test
  void shouldRefusePublicSignalsOutsideTheScalarField() throws Exception {
    BigInteger r = BN254.scalarModulus();
    assertEquals(
        List.of(BigInteger.ZERO, r.subtract(BigInteger.ONE)),
        parse("[\"0\",\"" + r.subtract(BigInteger.ONE) + "\"]").publicSignals(BN254));
    refuses(
        () -> parse("[\"0\",\"" + r + "\"]").publicSignals(BN254), "public signal 1", "too large");
    refuses(() -> parse("[\"-3\"]").publicSignals(BN254), "public signal 0", "-3");
    refuses(() -> parse("[3]").publicSignals(BN254), "public signal 0", "found 3");
    assertEquals(List.of(), parse("[]").publicSignals(BN254));
  }

  @Test
  void shouldRefuseOneKindInPlaceOfAnother() {
    refuses(() -> parse("[]").proof(BN254), "is public signals", "expected a proof");
    refuses(() -> parse("[]").verifyingKey(), "expected a verifying key");
    refuses(() -> parse(proofWith(POINT1, POINT2)).publicSignals(BN254), "is a proof");
  }

  @Test
  void shouldRefuseVerifyingKeysThatContradictThemselves() throws Exception {
    String key = ProofVectors.text("multiplier-bn128", "verification_key.json");
    refuses(
        () -> parse(key.replace("\"nPublic\": 3", "\"nPublic\": 4")).verifyingKey(),
        "nPublic",
        "expected 3, found 4");
    refuses(() -> parse(key.replace("\"curve\"", "\"x-curve\"")).verifyingKey(), "no curve");
    refuses(() -> parse(key.replace("\"IC\"", "\"ic\"")).verifyingKey(), "\"IC\"");
    refuses(() -> parse(key.replace("groth16", "fflonk")).verifyingKey(), "fflonk");
    refuses(() -> parse(key.replace("vk_delta_2", "vk_delta")).verifyingKey(), "vk_delta_2");
  }

  @Test
  void shouldSayWhatIsWrongWithFiles(@TempDir Path folder) throws Exception {
    Path missing = folder.resolve("missing.json");
    assertTrue(
        assertThrows(InputException.class, () -> SnarkjsDocument.read(missing))
            .getMessage()
            .contains("does not exist"));
    assertTrue(
        assertThrows(InputException.class, () -> SnarkjsDocument.read(folder))
            .getMessage()
            .contains("folder"));
    Path binary = Files.write(folder.resolve("b.json"), new byte[] {(byte) 0xff, 0, 1, 2});
    assertTrue(
        assertThrows(InputException.class, () -> SnarkjsDocument.read(binary))
            .getMessage()
            .contains("not UTF-8"));
  }

  @Test
  void shouldIgnoreKeysThatItDoesNotKnow() throws Exception {
    String json = proofWith(POINT1, POINT2).replace("{\"pi_a\"", "{\"seconds\":1.5e3,\"pi_a\"");
    assertEquals(BN254, parse(json).proof(BN254).curve());
  }

  @Test
  void shouldShowValuesOnOneLineWithoutControlCharacters() {
    refusesProof(
        proofWith("[\"1\\n\\u001b[2J\\u202e\",\"2\",\"1\"]", POINT2),
        "/pi_a/0, line 1, column 10",
        "found \"1??[2J?\"");
  }
}
