package dev.cuzk.synthesis.filecoin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.circuit.filecoin.SectorShape;
import dev.cuzk.format.ByteSource;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.LittleEndian;
import dev.cuzk.format.ParamsFile;
import dev.cuzk.format.Sha256;
import dev.cuzk.format.TestFiles;
import dev.cuzk.format.filecoin.C1File;
import dev.cuzk.format.filecoin.C1Output;
import dev.cuzk.format.filecoin.PorepChallenge;
import dev.cuzk.format.filecoin.RegisteredProof;
import dev.cuzk.proof.BellmanVerifyingKey;
import dev.cuzk.proof.Proof;
import dev.cuzk.proof.ProofBytes;
import dev.cuzk.proof.Verifier;
import java.io.IOException;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StatementTest {
  static Stream<FilecoinCase> poreps() throws IOException {
    return FilecoinCase.all("porep");
  }

  static Stream<FilecoinCase> posts() throws IOException {
    return Stream.concat(FilecoinCase.all("window"), FilecoinCase.all("winning"));
  }

  static Stream<FilecoinCase> updates() throws IOException {
    return FilecoinCase.all("snap");
  }

  private static void assertAsTheReference(FilecoinCase vector, Statement statement) {
    List<List<BigInteger>> expected = vector.publicInputs();
    assertTrue(expected.size() <= statement.partitions());
    for (int i = 0; i < expected.size(); i++) {
      List<BigInteger> inputs = statement.publicInputs(i);
      if (!expected.get(i).isEmpty()) {
        assertEquals(expected.get(i), inputs, "partition " + i);
      }
      MessageDigest digest = Sha256.create();
      digest.update(LittleEndian.toBytes(BigInteger.ONE, 32));
      inputs.forEach(input -> digest.update(LittleEndian.toBytes(input, 32)));
      assertEquals(
          vector.facts().get("partitions").get(i).get("inputs_sha256").asText(),
          Sha256.hex(digest.digest()));
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("poreps")
  void shouldDeriveThePublicInputsOfPoreps(FilecoinCase vector) {
    assertAsTheReference(vector, vector.porep());
    assertEquals(
        vector.hash("replica_id"),
        PorepStatement.replicaId(
            vector.proof(RegisteredProof.Kind.SEAL),
            vector.facts().get("miner_actor").asLong(),
            vector.facts().get("sector_id").asLong(),
            vector.hash("ticket"),
            vector.hash("comm_d")));
  }

  /** The vanilla proofs hold the parents of all partitions, case.json those of the first. */
  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("poreps")
  void shouldFindTheParentsOfAllChallenges(FilecoinCase vector) throws Exception {
    PorepStatement statement = vector.porep();
    StackedGraph graph = statement.graph();
    C1Output c1 = vector.c1();
    for (int partition = 0; partition < c1.partitions().size(); partition++) {
      List<PorepChallenge> opened = c1.partitions().get(partition);
      long[] challenges = statement.challenges(partition);
      assertEquals(opened.size(), challenges.length);
      for (int i = 0; i < challenges.length; i++) {
        assertEquals(opened.get(i).column().node(), challenges[i]);
        assertEquals(
            opened.get(i).baseParents().stream().map(column -> column.node()).toList(),
            LongStream.of(graph.baseParents(challenges[i])).boxed().toList());
        assertEquals(
            opened.get(i).expanderParents().stream().map(column -> column.node()).toList(),
            LongStream.of(graph.expanderParents(challenges[i])).boxed().toList());
      }
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("posts")
  void shouldDeriveThePublicInputsOfPosts(FilecoinCase vector) {
    assertAsTheReference(vector, vector.post());
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("updates")
  void shouldDeriveThePublicInputsOfUpdates(FilecoinCase vector) throws Exception {
    UpdateStatement statement = vector.update();
    assertAsTheReference(vector, statement);
    for (int partition = 0; partition < statement.partitions(); partition++) {
      assertEquals(
          LongStream.of(statement.challenges(partition)).boxed().toList(),
          vector.partitionProofs().get(partition).challenges().stream()
              .map(challenge -> challenge.newReplica().leafIndex())
              .toList());
    }
  }

  @Test
  void shouldVerifyTheReferencesPorep() throws Exception {
    byte[] c1 = TestFiles.read(TestFiles.testdata("filecoin/porep-2KiB.c1.json"));
    C1Output output = C1File.read(ByteSource.of("c1.json", c1));
    Hash32 commD = Hash32.of(output.bytes(), output.commD());
    PorepStatement statement =
        new PorepStatement(
            SectorShape.KIB_2,
            output.proof(),
            PorepStatement.replicaId(
                output.proof(), 1001, 43, Hash32.of(output.bytes(), output.ticket()), commD),
            commD,
            Hash32.of(output.bytes(), output.commR()),
            Hash32.of(output.bytes(), output.seed()));
    Proof proof =
        ProofBytes.decode("proof", TestFiles.read(TestFiles.testdata("filecoin/porep-2KiB.proof")))
            .get(0);
    try (ParamsFile vk =
        ParamsFile.open(FileRange.whole(TestFiles.testdata("filecoin/porep-2KiB.vk")))) {
      assertEquals(
          "",
          Verifier.verify(BellmanVerifyingKey.read(vk).key(), proof, statement.publicInputs(0))
              .reason());
    }
  }

  @Test
  void shouldWriteMinersAsLeb128() {
    assertEquals("e907" + "00".repeat(30), Hash32.of(PorepStatement.proverId(1001)).toString());
    assertEquals("00".repeat(32), Hash32.of(PorepStatement.proverId(0)).toString());
    assertEquals(
        "ff".repeat(8) + "7f" + "00".repeat(23),
        Hash32.of(PorepStatement.proverId(Long.MAX_VALUE)).toString());
  }
}
