package dev.cuzk.synthesis.filecoin;

import dev.cuzk.circuit.filecoin.SectorShape;
import java.math.BigInteger;
import java.util.List;

/**
 * What a Filecoin job proves, from its facts alone: each partition's public inputs in the order of
 * the circuit, ONE not among them. Immutable.
 */
public interface Statement {
  /** Name of the circuit: {@code porep-32GiB}. */
  String circuit();

  /** The size of sectors. */
  SectorShape shape();

  /** Number of proofs. */
  int partitions();

  /** Public inputs of a partition, as its verifier derives them. */
  List<BigInteger> publicInputs(int partition);
}
