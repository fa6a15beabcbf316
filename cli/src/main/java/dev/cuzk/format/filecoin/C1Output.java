package dev.cuzk.format.filecoin;

import java.util.List;
import java.util.OptionalLong;

/**
 * The output of a seal's first commit phase: the vanilla proofs of all partitions and what they
 * prove. Proofs are views on {@code bytes}.
 *
 * @param file what messages call it
 * @param format {@code c1-envelope}, {@code c1-json} or {@code c1-bincode}
 * @param bytes all of it as bincode; must not be changed
 * @param proof the registered proof that it names
 * @param vanillaSize the size that the list of proofs names
 * @param partitions challenges of each partition
 * @param commitments where comm_r stands; comm_d, replica_id, seed and ticket follow, 32 bytes each
 * @param sectorNumber what an envelope says
 * @param sectorSize what an envelope says, bytes
 */
public record C1Output(
    String file,
    String format,
    byte[] bytes,
    RegisteredProof proof,
    String vanillaSize,
    List<List<PorepChallenge>> partitions,
    int commitments,
    OptionalLong sectorNumber,
    OptionalLong sectorSize) {
  /** Where comm_r stands. */
  public int commR() {
    return commitments;
  }

  /** Where comm_d stands. */
  public int commD() {
    return commitments + MerkleProof.HASH_BYTES;
  }

  /** Where replica_id stands. */
  public int replicaId() {
    return commitments + 2 * MerkleProof.HASH_BYTES;
  }

  /** Where the seed of the challenges stands. */
  public int seed() {
    return commitments + 3 * MerkleProof.HASH_BYTES;
  }

  /** Where the ticket stands. */
  public int ticket() {
    return commitments + 4 * MerkleProof.HASH_BYTES;
  }
}
