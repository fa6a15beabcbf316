package dev.cuzk.synthesis.filecoin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.circuit.filecoin.SectorShape;
import dev.cuzk.format.ByteSource;
import dev.cuzk.format.InputException;
import dev.cuzk.format.TestFiles;
import dev.cuzk.format.filecoin.C1File;
import dev.cuzk.format.filecoin.C1Output;
import dev.cuzk.format.filecoin.FactText;
import dev.cuzk.format.filecoin.MerkleProof;
import dev.cuzk.format.filecoin.PorepChallenge;
import dev.cuzk.format.filecoin.PostSectorProof;
import dev.cuzk.format.filecoin.RegisteredProof;
import dev.cuzk.format.filecoin.UpdatePartitionProof;
import dev.cuzk.format.filecoin.VanillaProofs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VanillaCheckTest {
  private static final ForkJoinPool POOL = ForkJoinPool.commonPool();

  private interface Action {
    void run() throws Exception;
  }

  private static void assertRefused(Action action, String... words) {
    String message = assertThrows(InputException.class, action::run).getMessage();
    for (String word : words) {
      assertTrue(message.contains(word), message);
    }
  }

  private static byte[] file(String name) {
    return TestFiles.read(TestFiles.testdata("filecoin/" + name));
  }

  // ---- the reference's own proofs

  static Stream<FilecoinCase> poreps() throws IOException {
    return FilecoinCase.all("porep").filter(vector -> !vector.toString().contains("32g"));
  }

  static Stream<FilecoinCase> posts() throws IOException {
    return Stream.concat(FilecoinCase.all("window"), FilecoinCase.all("winning"));
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("poreps")
  void shouldAcceptTheReferencesPoreps(FilecoinCase vector) throws Exception {
    PorepCheck.requireHashes(vector.c1(), vector.porep(), POOL);
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("posts")
  void shouldAcceptTheReferencesPosts(FilecoinCase vector) throws Exception {
    PostCheck.requireHashes(vector.sectors(), vector.post(), POOL);
  }

  static Stream<FilecoinCase> large() throws IOException {
    return FilecoinCase.all("vectors-32g/porep");
  }

  /** Hashing 31,680 paths of a large seal takes too long for a test. */
  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("large")
  void shouldAcceptALargePorep(FilecoinCase vector) throws Exception {
    PorepCheck.requireShape(vector.c1(), vector.porep());
  }

  static Stream<FilecoinCase> updates() throws IOException {
    return FilecoinCase.all("snap");
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("updates")
  void shouldAcceptTheReferencesUpdates(FilecoinCase vector) throws Exception {
    UpdateCheck.requireHashes(vector.partitionProofs(), vector.update(), POOL);
  }

  // ---- a seal with one byte changed

  private static C1Output c1(byte[] bincode) throws InputException {
    return C1File.read(ByteSource.of("c1", bincode));
  }

  private static PorepStatement statement(C1Output c1) {
    return new PorepStatement(
        SectorShape.KIB_2,
        c1.proof(),
        Hash32.of(c1.bytes(), c1.replicaId()),
        Hash32.of(c1.bytes(), c1.commD()),
        Hash32.of(c1.bytes(), c1.commR()),
        Hash32.of(c1.bytes(), c1.seed()));
  }

  private static void check(byte[] bincode) throws InputException {
    C1Output c1 = c1(bincode);
    PorepCheck.requireHashes(c1, statement(c1), POOL);
  }

  /** A copy with the lowest byte of the value at an offset changed. */
  private static byte[] mauled(byte[] bytes, int offset) {
    byte[] copy = bytes.clone();
    copy[offset] ^= 1;
    return copy;
  }

  @Test
  void shouldNameAWrongSiblingOfASeal() throws Exception {
    byte[] whole = file("porep-2KiB.c1.bincode");
    PorepChallenge challenge = c1(whole).partitions().get(0).get(1);
    String place = "partition 0, challenge 1 (node 55)";
    check(whole);
    assertRefused(
        () -> check(mauled(whole, challenge.data().sibling(3, 0))), "c1: tree D", place, "sibling");
    assertRefused(
        () -> check(mauled(whole, challenge.replica().sibling(1, 6))), "c1: tree R", place);
    assertRefused(
        () -> check(mauled(whole, challenge.column().inclusion().sibling(0, 2))),
        "c1: tree C",
        place);
    assertRefused(
        () -> check(mauled(whole, challenge.expanderParents().get(3).inclusion().sibling(0, 2))),
        "c1: tree C",
        place + ", expander parent 3");
    assertRefused(
        () -> check(mauled(whole, challenge.baseParents().get(5).inclusion().leafOffset())),
        "leaf of its path in tree C",
        place + ", base parent 5");
    MerkleProof data = challenge.data();
    byte[] large = whole.clone();
    large[data.sibling(2, 0) + 31] = (byte) 0xff;
    assertRefused(() -> check(large), "sibling on level 2 is no field element", place);
  }

  @Test
  void shouldNameWhatIsWrongWithAChallenge() throws Exception {
    byte[] whole = file("porep-2KiB.c1.bincode");
    C1Output c1 = c1(whole);
    PorepChallenge challenge = c1.partitions().get(0).get(0);
    assertRefused(
        () -> check(mauled(whole, challenge.column().rowsOffset())),
        "challenge 0 (node 27)",
        "column's hash");
    assertRefused(
        () -> check(mauled(whole, challenge.labels().get(1).parentsOffset() + 13 * 32)),
        "parent 13 of the label",
        "layer 2");
    assertRefused(
        () -> check(mauled(whole, challenge.data().rootOffset())), "tree D", "not comm_d");
    assertRefused(
        () -> check(mauled(whole, challenge.column().inclusion().rootOffset())),
        "tree C",
        "that of the others");
    assertRefused(
        () -> check(mauled(whole, c1.partitions().get(0).get(1).replica().leafOffset())),
        "tree R",
        "challenge 1");
    // The node of the first column stands before the number of its rows.
    assertRefused(
        () -> check(mauled(whole, challenge.column().rowsOffset() - 12)),
        "column's node",
        "expected 27, found 26");
  }

  @Test
  void shouldRefuseCommitmentsThatAreNoneOrAnother() throws Exception {
    byte[] whole = file("porep-2KiB.c1.bincode");
    C1Output c1 = c1(whole);
    byte[] zero = whole.clone();
    Arrays.fill(zero, c1.commR(), c1.commR() + 32, (byte) 0);
    assertRefused(() -> check(zero), "comm_r is zero");
    byte[] large = whole.clone();
    large[c1.commD() + 31] = 0x7f;
    assertRefused(() -> check(large), "comm_d is no field element");
    assertRefused(() -> check(mauled(whole, c1.commR())), "comm_r is not the hash");
    assertRefused(() -> check(mauled(whole, c1.seed())), "the path is of another leaf");
    assertRefused(() -> check(mauled(whole, c1.replicaId())), "another");
  }

  @Test
  void shouldRefuseProofsOfAnotherSize() throws Exception {
    C1Output c1 = c1(file("porep-2KiB.c1.bincode"));
    PorepStatement small = statement(c1);
    PorepStatement larger =
        new PorepStatement(
            SectorShape.MIB_8,
            small.proof(),
            small.replicaId(),
            small.commD(),
            small.commR(),
            small.seed());
    assertRefused(() -> PorepCheck.requireShape(c1, larger), "another sector size", "8MiB", "2KiB");
  }

  // ---- a PoSt

  private static PostStatement post(List<PostSectorProof> sectors) {
    List<PostStatement.Sector> facts = new ArrayList<>();
    sectors.forEach(
        each ->
            facts.add(
                new PostStatement.Sector(each.sectorId(), Hash32.of(each.bytes(), each.commR()))));
    String randomness = "36a75b1bc2b41ea73e9d93e057097c4e444945f8030b00d43531fe029b98e729";
    return new PostStatement(
        SectorShape.KIB_2,
        RegisteredProof.parse(RegisteredProof.Kind.WINDOW_POST, "StackedDrgWindow2KiBV1_2")
            .orElseThrow(),
        Hash32.of(FactText.randomness(randomness).orElseThrow()),
        facts,
        0);
  }

  private static void checkSectors(byte[]... sectors) throws InputException {
    List<PostSectorProof> proofs = new ArrayList<>();
    for (byte[] sector : sectors) {
      proofs.addAll(VanillaProofs.readSectors(ByteSource.of("s" + proofs.size(), sector)));
    }
    PostCheck.requireHashes(proofs, post(proofs), POOL);
  }

  @Test
  void shouldNameWhatIsWrongWithASector() throws Exception {
    byte[] first = file("window-2KiB-sector-7.bin");
    byte[] second = file("window-2KiB-sector-14.bin");
    checkSectors(first, second);
    PostSectorProof proof = VanillaProofs.readSectors(ByteSource.of("", second)).get(0);
    assertRefused(
        () -> checkSectors(first, mauled(second, proof.inclusions().get(4).sibling(1, 3))),
        "s1: tree R",
        "partition 0, sector 14, challenge 4 (node ");
    assertRefused(
        () -> checkSectors(first, mauled(second, proof.commR())), "s1: comm_r is not the hash");
    assertRefused(
        () -> checkSectors(first, mauled(second, proof.inclusions().get(0).rootOffset())),
        "not comm_r_last");
    assertRefused(() -> checkSectors(mauled(first, 0)), "another leaf", "sector 6");
  }

  // ---- an update

  private static void checkUpdate(byte[] partition) throws InputException {
    List<UpdatePartitionProof> proofs = VanillaProofs.readPartitions(ByteSource.of("u", partition));
    UpdateCheck.requireHashes(
        proofs,
        new UpdateStatement(
            SectorShape.KIB_2,
            hash("50156827ef9bf96518522a61098143cc10d6eae19e2232369c50eb06c1b9e104"),
            hash("7d0f7a03ce213c81a067b81e60f09dedc388e6e8d7d194db65873595dcd95b39"),
            hash("542092d73001072b907376f3478e038aa3d86baca3e99fc271fdcd96922df31a")),
        POOL);
  }

  private static Hash32 hash(String hex) {
    return Hash32.of(FactText.commitment(hex).orElseThrow());
  }

  @Test
  void shouldNameWhatIsWrongWithAnUpdate() throws Exception {
    byte[] whole = file("update-2KiB.bin");
    checkUpdate(whole);
    UpdatePartitionProof proof = VanillaProofs.readPartitions(ByteSource.of("", whole)).get(0);
    UpdatePartitionProof.Challenge challenge = proof.challenges().get(7);
    assertEquals(10, proof.challenges().size());
    assertRefused(
        () -> checkUpdate(mauled(whole, challenge.oldReplica().sibling(0, 0))),
        "u: old tree R",
        "partition 0, challenge 7");
    assertRefused(
        () -> checkUpdate(mauled(whole, challenge.newReplica().sibling(1, 0))), "new tree R");
    assertRefused(
        () -> checkUpdate(mauled(whole, challenge.newData().sibling(5, 0))), "new tree D");
    assertRefused(() -> checkUpdate(mauled(whole, proof.commC())), "comm_r_old is not the hash");
    assertRefused(() -> checkUpdate(mauled(whole, proof.apexLeaves() + 3 * 32)), "apex lea");
    assertRefused(
        () -> checkUpdate(mauled(whole, challenge.newData().rootOffset())), "not comm_d_new");
  }
}
