package dev.cuzk.synthesis.filecoin;

import dev.cuzk.format.InputException;
import dev.cuzk.format.filecoin.MerkleProof;
import dev.cuzk.format.filecoin.PostSectorProof;
import java.util.List;
import java.util.concurrent.ForkJoinPool;

/**
 * Whether the vanilla proofs of a PoSt's sectors bear out its statement: {@link #requireShape}
 * without the paths' hashes, {@link #requireHashes} with them.
 */
public final class PostCheck {
  private final List<PostSectorProof> sectors;
  private final PostStatement statement;
  private final TreeCheck treeR;

  private PostCheck(List<PostSectorProof> sectors, PostStatement statement) {
    this.sectors = sectors;
    this.statement = statement;
    this.treeR = new TreeCheck("tree R", statement.shape().treeR());
  }

  /**
   * The checks that take microseconds a path.
   *
   * @param sectors in the order of the statement's
   */
  public static void requireShape(List<PostSectorProof> sectors, PostStatement statement)
      throws InputException {
    PostCheck check = new PostCheck(sectors, statement);
    Hashers hashers = new Hashers();
    for (int i = 0; i < sectors.size(); i++) {
      check.shape(i, hashers);
    }
  }

  /** The checks that take about a millisecond for each path, after those of the shape. */
  public static void requireHashes(
      List<PostSectorProof> sectors, PostStatement statement, ForkJoinPool pool)
      throws InputException {
    requireShape(sectors, statement);
    PostCheck check = new PostCheck(sectors, statement);
    int perSector = statement.challengesPerSector();
    VanillaTasks.run(
        pool,
        sectors.size() * perSector,
        (index, hashers) -> check.hashes(index / perSector, index % perSector, hashers));
  }

  private Place place(int position) {
    PostSectorProof sector = sectors.get(position);
    return new Place(
        sector.file(),
        "partition "
            + position / statement.sectorsPerPartition()
            + ", sector "
            + sector.sectorId());
  }

  private Place place(int position, int challenge) {
    return place(position)
        .in("challenge " + challenge + " (node " + statement.challenge(position, challenge) + ")");
  }

  private void shape(int position, Hashers hashers) throws InputException {
    PostSectorProof sector = sectors.get(position);
    Place place = place(position);
    byte[] bytes = sector.bytes();
    place.requireCommitment("comm_r", Hash32.of(bytes, sector.commR()));
    place.requireCommitment("comm_c", Hash32.of(bytes, sector.commC()));
    place.requireCommitment("comm_r_last", Hash32.of(bytes, sector.commRLast()));
    if (!hashers.isCommitment(bytes, sector.commR(), bytes, sector.commC(), sector.commRLast())) {
      throw place.problem("comm_r is not the hash of comm_c and comm_r_last");
    }
    place.requireEqual(
        "the number of challenges", statement.challengesPerSector(), sector.inclusions().size());
    for (int i = 0; i < sector.inclusions().size(); i++) {
      MerkleProof path = sector.inclusions().get(i);
      Place challenge = place(position, i);
      treeR.requireShape(challenge, path, statement.challenge(position, i));
      treeR.requireRoot(challenge, path, bytes, sector.commRLast(), "comm_r_last");
    }
  }

  private void hashes(int position, int challenge, Hashers hashers) throws InputException {
    treeR.requireHashes(
        place(position, challenge), sectors.get(position).inclusions().get(challenge), hashers);
  }
}
