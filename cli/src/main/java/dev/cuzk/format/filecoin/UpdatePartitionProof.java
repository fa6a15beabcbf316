package dev.cuzk.format.filecoin;

import java.util.List;

/**
 * A partition's vanilla proof of an empty sector's update; paths are views on {@code bytes}.
 *
 * @param file what messages call it
 * @param bytes all of it as bincode; must not be changed
 * @param commC where comm_c stands
 * @param apexLeaves where the roots of this partition's part of the new tree D stand
 * @param apexLeafCount how many
 */
public record UpdatePartitionProof(
    String file,
    byte[] bytes,
    int commC,
    int apexLeaves,
    int apexLeafCount,
    List<Challenge> challenges) {

  /**
   * Three paths of one node.
   *
   * @param oldReplica in the old tree R
   * @param newData in the new tree D
   * @param newReplica in the new tree R
   */
  public record Challenge(MerkleProof oldReplica, MerkleProof newData, MerkleProof newReplica) {}
}
