package dev.cuzk.synthesis.filecoin;

import dev.cuzk.circuit.filecoin.SectorShape;
import dev.cuzk.format.filecoin.RegisteredProof;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * That some sectors are there (storage-proofs-post 19.1.0, fallback): for each sector of a
 * partition comm_r and the challenged leaves of tree R.
 *
 * <p>A WindowPoSt's sectors stand in the order in which they were given, in partitions of as many
 * as the circuit takes; the last sector is repeated in one that is not full. A WinningPoSt is one
 * sector, once for each of its 66 challenges.
 *
 * @param firstPartition number of the first partition: in old WindowPoSts a challenge depends on
 *     the sector's position among all
 */
public record PostStatement(
    SectorShape shape,
    RegisteredProof proof,
    Hash32 randomness,
    List<Sector> sectors,
    int firstPartition)
    implements Statement {
  /** A sector and its commitment. */
  public record Sector(long id, Hash32 commR) {}

  public PostStatement {
    randomness = randomness.truncated();
    sectors = List.copyOf(sectors);
    if (sectors.isEmpty()
        || proof.kind() == RegisteredProof.Kind.WINNING_POST && sectors.size() > 1) {
      throw new IllegalArgumentException(sectors.size() + " sectors");
    }
  }

  private boolean isWinning() {
    return proof.kind() == RegisteredProof.Kind.WINNING_POST;
  }

  @Override
  public String circuit() {
    return (isWinning() ? "winning-" : "window-") + shape.label();
  }

  /** Sectors of a partition that are not repetitions, at most. */
  int sectorsPerPartition() {
    return isWinning() ? 1 : shape.windowSectors();
  }

  @Override
  public int partitions() {
    return (sectors.size() + sectorsPerPartition() - 1) / sectorsPerPartition();
  }

  /** How many leaves each sector opens. */
  public int challengesPerSector() {
    return isWinning()
        ? SectorShape.WINNING_SECTORS * SectorShape.WINNING_CHALLENGES
        : SectorShape.WINDOW_CHALLENGES;
  }

  /** Leaf n that is challenged of the sector at a position. */
  long challenge(int position, int n) {
    boolean byPosition =
        proof.kind() == RegisteredProof.Kind.WINDOW_POST && proof.version().equals("V1");
    long index =
        byPosition
            ? ((long) firstPartition * sectorsPerPartition() + position) * challengesPerSector() + n
            : n;
    byte[] numbers =
        ByteBuffer.allocate(2 * Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(sectors.get(position).id())
            .putLong(index)
            .array();
    long word = Hash32.sha256(randomness.bytes(), numbers).firstWord();
    return Long.remainderUnsigned(word, shape.nodes());
  }

  @Override
  public List<BigInteger> publicInputs(int partition) {
    List<BigInteger> inputs = new ArrayList<>();
    if (isWinning()) {
      for (int n = 0; n < challengesPerSector(); n++) {
        inputs.add(sectors.get(0).commR().number());
        inputs.add(BigInteger.valueOf(challenge(0, n)));
      }
      return inputs;
    }
    for (int i = 0; i < sectorsPerPartition(); i++) {
      int position = Math.min(partition * sectorsPerPartition() + i, sectors.size() - 1);
      inputs.add(sectors.get(position).commR().number());
      for (int n = 0; n < challengesPerSector(); n++) {
        inputs.add(BigInteger.valueOf(challenge(position, n)));
      }
    }
    return inputs;
  }
}
