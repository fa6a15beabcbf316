package dev.cuzk.circuit.filecoin;

import dev.cuzk.circuit.gadget.TreeHash;
import dev.cuzk.circuit.gadget.TreeShape;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What a sector's size decides: its trees and how much of them each proof opens (constants of
 * filecoin-proofs and storage-proofs-update). 4, 16 and 32 KiB are sizes of the reference's tests.
 */
public enum SectorShape {
  KIB_2("2KiB", 11, 0, 0),
  KIB_4("4KiB", 12, 2, 0),
  KIB_16("16KiB", 14, 8, 0),
  KIB_32("32KiB", 15, 8, 2),
  MIB_8("8MiB", 23, 0, 0),
  MIB_512("512MiB", 29, 0, 0),
  GIB_32("32GiB", 35, 8, 0),
  GIB_64("64GiB", 36, 8, 2);

  /** Parents of a node in its own layer. */
  public static final int BASE_PARENTS = 6;

  /** Parents of a node in the layer before. */
  public static final int EXPANDER_PARENTS = 8;

  /** Sectors that a WinningPoSt circuit is built with: its one sector, for each challenge again. */
  public static final int WINNING_SECTORS = 66;

  /** Challenges per sector of a WinningPoSt circuit. */
  public static final int WINNING_CHALLENGES = 1;

  /** Challenges per sector of a WindowPoSt. */
  public static final int WINDOW_CHALLENGES = 10;

  /** Choices of how many high bits of a challenge an update's randomness depends on. */
  public static final int HIGH_BIT_CHOICES = 6;

  private static final int NODE_BYTES_LOG2 = 5;

  private final String label;
  private final int bytesLog2;
  private final int subArity;
  private final int topArity;

  SectorShape(String label, int bytesLog2, int subArity, int topArity) {
    this.label = label;
    this.bytesLog2 = bytesLog2;
    this.subArity = subArity;
    this.topArity = topArity;
  }

  /** The shape of sectors of a size. */
  public static Optional<SectorShape> ofBytes(long bytes) {
    return Arrays.stream(values()).filter(shape -> shape.bytes() == bytes).findFirst();
  }

  /** The shape by the size's name: {@code 32GiB}. */
  public static Optional<SectorShape> ofLabel(String label) {
    return Arrays.stream(values()).filter(shape -> shape.label.equals(label)).findFirst();
  }

  /** The size's name: {@code 32GiB}. */
  public String label() {
    return label;
  }

  /** Bytes of a sector. */
  public long bytes() {
    return 1L << bytesLog2;
  }

  /** log2 of the number of nodes of 32 bytes. */
  public int nodesLog2() {
    return bytesLog2 - NODE_BYTES_LOG2;
  }

  /** Number of nodes of 32 bytes. */
  public long nodes() {
    return 1L << nodesLog2();
  }

  /** TreeD: the data, binary, SHA-256. */
  public TreeShape treeD() {
    return TreeShape.simple(TreeHash.SHA256, 2, nodesLog2());
  }

  /** TreeR over the replica, TreeC over columns: Poseidon, arity 8, then sub and top trees. */
  public TreeShape treeR() {
    int above = log2OrZero(subArity) + log2OrZero(topArity);
    return new TreeShape(TreeHash.POSEIDON, 8, (nodesLog2() - above) / 3, subArity, topArity);
  }

  private static int log2OrZero(int arity) {
    return arity == 0 ? 0 : Integer.numberOfTrailingZeros(arity);
  }

  private boolean isLarge() {
    return bytesLog2 >= 35;
  }

  /** Layers of the stacked graph. */
  public int layers() {
    return isLarge() ? 11 : 2;
  }

  /** Partitions, each one proof, of a PoRep (interactive and synthetic). */
  public int porepPartitions() {
    return isLarge() ? 10 : 1;
  }

  /** Challenges per partition of a PoRep. */
  public int porepChallenges() {
    return isLarge() ? 18 : 2;
  }

  /** log2 of the partitions of an EmptySectorUpdate. */
  public int updatePartitionsLog2() {
    if (bytesLog2 <= 13) {
      return 0;
    }
    return bytesLog2 <= 15 ? 1 : bytesLog2 <= 24 ? 2 : 4;
  }

  /** Challenges per partition of an EmptySectorUpdate. */
  public int updateChallenges() {
    return bytesLog2 <= 24 ? 10 : 86;
  }

  /** log2 of the leaves of a partition's apex tree. */
  public int apexLeavesLog2() {
    return bytesLog2 <= 13 ? 3 : 7;
  }

  /** The choices of how many high bits of a challenge count, in the order of h_select's bits. */
  public List<Integer> updateHighBits() {
    return bytesLog2 <= 15
        ? Collections.nCopies(HIGH_BIT_CHOICES, 1)
        : IntStream.rangeClosed(7, 12).boxed().toList();
  }

  /** Sectors per partition of a WindowPoSt. */
  public int windowSectors() {
    return switch (this) {
      case GIB_32 -> 2349;
      case GIB_64 -> 2300;
      default -> 2;
    };
  }
}
