package dev.cuzk.format.filecoin;

import java.util.List;

/**
 * A sector's vanilla PoSt proof; paths are views on {@code bytes}.
 *
 * @param file what messages call it
 * @param bytes all of it as bincode; must not be changed
 * @param sectorId number of the sector
 * @param commR where comm_r stands
 * @param inclusions paths in tree R, one a challenge
 * @param commC where comm_c stands
 * @param commRLast where the root of tree R stands
 */
public record PostSectorProof(
    String file,
    byte[] bytes,
    long sectorId,
    int commR,
    List<MerkleProof> inclusions,
    int commC,
    int commRLast) {}
