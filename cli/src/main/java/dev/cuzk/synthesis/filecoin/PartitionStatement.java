package dev.cuzk.synthesis.filecoin;

import dev.cuzk.circuit.filecoin.SectorShape;
import java.math.BigInteger;
import java.util.List;

/**
 * One partition of what a job proves, so that several machines can share its partitions. Its proof
 * and public inputs are those that the partition has in the whole.
 *
 * @param partition index in the whole
 */
public record PartitionStatement(Statement whole, int partition) implements Statement {
  public PartitionStatement {
    if (partition < 0 || partition >= whole.partitions()) {
      throw new IllegalArgumentException("partition " + partition);
    }
  }

  @Override
  public String circuit() {
    return whole.circuit();
  }

  @Override
  public SectorShape shape() {
    return whole.shape();
  }

  @Override
  public int partitions() {
    return 1;
  }

  @Override
  public List<BigInteger> publicInputs(int index) {
    if (index != 0) {
      throw new IndexOutOfBoundsException(index);
    }
    return whole.publicInputs(partition);
  }
}
