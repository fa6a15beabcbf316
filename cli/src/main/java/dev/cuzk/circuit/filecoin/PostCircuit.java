package dev.cuzk.circuit.filecoin;

import dev.cuzk.circuit.ConstraintSystem;
import dev.cuzk.circuit.gadget.MerklePath;
import dev.cuzk.circuit.gadget.Numbers;
import dev.cuzk.circuit.gadget.PoseidonGadget;

/**
 * A partition of a proof of space-time ({@code FallbackPoStCircuit}): WindowPoSt or WinningPoSt.
 *
 * <p>Public inputs: per sector comm_r, then the index of each challenged leaf.
 *
 * @param kind first part of the name
 * @param shape the size of sectors
 * @param sectors proven per partition
 * @param challenges leaves opened per sector
 */
public record PostCircuit(String kind, SectorShape shape, int sectors, int challenges)
    implements FilecoinCircuit {

  /** A partition of a WindowPoSt; one that is not full repeats its last sector. */
  public static PostCircuit window(SectorShape shape) {
    return new PostCircuit("window", shape, shape.windowSectors(), SectorShape.WINDOW_CHALLENGES);
  }

  /** A WinningPoSt: the same sector for each of its challenges again. */
  public static PostCircuit winning(SectorShape shape) {
    return new PostCircuit(
        "winning", shape, SectorShape.WINNING_SECTORS, SectorShape.WINNING_CHALLENGES);
  }

  @Override
  public String name() {
    return kind + "-" + shape.label();
  }

  @Override
  public String description() {
    return String.format(
        "proof of space-time: %d sectors of %d challenge%s",
        sectors, challenges, challenges == 1 ? "" : "s");
  }

  @Override
  public int publicInputs() {
    return sectors * (1 + challenges);
  }

  @Override
  public long auxiliaries() {
    return (long) sectors * auxiliariesPerSector();
  }

  /**
   * Private variables of a sector: comm_r_last, comm_c, comm_r and their hash; per challenge the
   * leaf and its path.
   */
  public int auxiliariesPerSector() {
    return 3
        + PoseidonGadget.auxiliaries(2)
        + challenges * (1 + MerklePath.auxiliaries(shape.treeR()));
  }

  @Override
  public void define(ConstraintSystem system) {
    system.enter("outer namespace");
    for (int sector = 0; sector < sectors; sector++) {
      system.enter("sector_" + sector);
      defineSector(system);
      system.leave();
    }
    system.leave();
  }

  private void defineSector(ConstraintSystem system) {
    int commRLast = Numbers.allocate(system, "comm_r_last");
    int commC = Numbers.allocate(system, "comm_c");
    int commR = Numbers.allocateAsInput(system, "comm_r");
    system.enter("H_comm_c_comm_r_last");
    int hash = PoseidonGadget.hash(system, commC, commRLast);
    system.leave();
    Numbers.equal(system, commR, hash);
    for (int i = 0; i < challenges; i++) {
      system.enter("challenge_inclusion_" + i);
      int leaf = system.allocate();
      MerklePath.include(system, shape.treeR(), leaf, commRLast);
      system.leave();
    }
  }
}
