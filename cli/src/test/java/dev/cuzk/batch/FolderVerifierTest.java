package dev.cuzk.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.proof.Proof;
import dev.cuzk.proof.SnarkjsJson;
import dev.cuzk.proof.VerifyingKey;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Under a key whose points are all generators, with gamma = delta and IC = (G, −G), the proof (G1,
 * G2, −G1) is valid for the public signal 0 and for no other.
 */
class FolderVerifierTest {
  private static final List<BigInteger> G1 = List.of(BigInteger.ONE, BigInteger.TWO);
  private static final List<BigInteger> MINUS_G1 =
      List.of(BigInteger.ONE, CurveId.BN254.baseModulus().subtract(BigInteger.TWO));

  /** The generator of EIP-197. */
  private static final List<BigInteger> G2 =
      List.of(
          new BigInteger(
              "10857046999023057135944570762232829481370756359578518086990519993285655852781"),
          new BigInteger(
              "11559732032986387107991004021392285783925812861821192530917403151452391805634"),
          new BigInteger(
              "8495653923123431417604973247489272438418190587263600148770280649306958101930"),
          new BigInteger(
              "4082367875863433681332203403145435568316851327593401208105741076214120093531"));

  @TempDir Path folder;
  private final List<String> warnings = new ArrayList<>();

  @BeforeEach
  void writeKey() throws IOException {
    Files.createDirectories(folder.resolve("proofs"));
    Files.createDirectories(folder.resolve("keys"));
    byte[] key =
        ProofFiles.verifyingKey(
            new VerifyingKey(CurveId.BN254, G1, G2, G2, G2, List.of(G1, MINUS_G1)));
    Files.write(folder.resolve("keys/" + Digests.of(key) + ".json"), key);
  }

  private void proof(String name, int publicSignal) throws IOException {
    Proof proof = new Proof(CurveId.BN254, G1, G2, MINUS_G1);
    Files.writeString(folder.resolve("proofs/" + name + ".proof.json"), SnarkjsJson.proof(proof));
    Files.writeString(
        folder.resolve("proofs/" + name + ".public.json"),
        SnarkjsJson.publicSignals(List.of(BigInteger.valueOf(publicSignal))));
  }

  private FolderVerifier.Result verify() throws InputException {
    return new FolderVerifier(folder, false, null, warnings::add).verify();
  }

  @Test
  void shouldAcceptValidProofsAndWarnOfTheirKey() throws Exception {
    for (int i = 0; i < 5; i++) {
      proof("p" + i, 0);
    }
    FolderVerifier.Result result = verify();
    assertEquals(List.of(), result.findings());
    assertEquals(5, result.valid());
    assertEquals(0, result.exitCode());
    assertTrue(!warnings.isEmpty());
  }

  @Test
  void shouldNameEachBadProof() throws Exception {
    proof("good", 0);
    proof("bad1", 5);
    proof("bad2", 7);
    Files.writeString(folder.resolve("proofs/bad3.proof.json"), "{\"pi_a\": 1}");
    Files.writeString(folder.resolve("proofs/bad3.public.json"), "[]");
    FolderVerifier.Result result = verify();
    assertEquals(
        List.of("bad1", "bad2", "bad3"),
        result.findings().stream().map(FolderVerifier.Finding::name).toList());
    assertEquals(
        List.of(1, 1, 3),
        result.findings().stream().map(FolderVerifier.Finding::exitClass).toList());
    assertEquals(1, result.exitCode());
    assertEquals(1, result.valid());
  }

  @Test
  void shouldCallPublicSignalsOutsideTheFieldMalformed() throws Exception {
    proof("a", 0);
    Files.writeString(
        folder.resolve("proofs/a.public.json"), "[\"" + CurveId.BN254.scalarModulus() + "\"]");
    assertEquals(3, verify().exitCode());
    Files.writeString(folder.resolve("proofs/a.public.json"), "[]");
    assertEquals(3, verify().exitCode());
    Files.delete(folder.resolve("proofs/a.public.json"));
    assertEquals(3, verify().exitCode());
  }

  @Test
  void shouldRefuseAnUntrustworthyKeyWhenStrict() throws Exception {
    proof("a", 0);
    assertThrows(
        InputException.class, () -> new FolderVerifier(folder, true, null, warnings::add).verify());
  }

  @Test
  void shouldRefuseAKeyThatIsNotWhatItsNameSays() throws Exception {
    proof("a", 0);
    Files.write(folder.resolve("keys/" + "0".repeat(64) + ".json"), new byte[] {'{', '}'});
    assertThrows(InputException.class, this::verify);
  }

  @Test
  void shouldRefuseAFolderWithoutProofs() {
    assertThrows(InputException.class, this::verify);
  }

  @Test
  void shouldVerifyAShardAndRefuseAFolderOfShardsAlone() throws Exception {
    proof("a", 0);
    Path out = folder.resolve("out");
    Path shard = new Shard(1, 2).folder(out);
    Files.createDirectories(shard);
    Files.move(folder.resolve("proofs"), shard.resolve("proofs"));
    Files.move(folder.resolve("keys"), shard.resolve("keys"));
    assertEquals(1, new FolderVerifier(shard, false, null, warnings::add).verify().valid());
    InputException refused =
        assertThrows(
            InputException.class,
            () -> new FolderVerifier(out, false, null, warnings::add).verify());
    assertTrue(refused.getMessage().contains("shards/I-of-N"), refused.getMessage());
  }
}
