package dev.cuzk.synthesis.filecoin;

import static dev.cuzk.synthesis.filecoin.ValueWriter.WORDS;

import dev.cuzk.circuit.filecoin.PostCircuit;
import dev.cuzk.format.InputException;
import dev.cuzk.format.filecoin.PostSectorProof;
import dev.cuzk.format.filecoin.RegisteredProof;
import java.util.List;

/** Makes the assignment of a WindowPoSt's partition or of a WinningPoSt ({@link PostCircuit}). */
public final class PostSynthesizer extends VanillaSynthesizer<List<PostSectorProof>> {
  private final PostStatement statement;
  private final PostCircuit circuit;

  /**
   * @param source sectors in the statement's order, which passed {@link PostCheck#requireShape}
   */
  public PostSynthesizer(
      PostStatement statement, VanillaSource<List<PostSectorProof>> source, int partition) {
    this(statement, circuit(statement), source, partition);
  }

  private PostSynthesizer(
      PostStatement statement,
      PostCircuit circuit,
      VanillaSource<List<PostSectorProof>> source,
      int partition) {
    super(circuit, statement, source, partition);
    this.statement = statement;
    this.circuit = circuit;
  }

  private static PostCircuit circuit(PostStatement statement) {
    return statement.proof().kind() == RegisteredProof.Kind.WINNING_POST
        ? PostCircuit.winning(statement.shape())
        : PostCircuit.window(statement.shape());
  }

  @Override
  Maker maker(List<PostSectorProof> proofs, int partition) {
    return new SectorMaker(proofs, partition);
  }

  /** A stretch is a sector of the circuit; all numbers of one are in its vanilla proof. */
  private final class SectorMaker implements Maker {
    private final List<PostSectorProof> sectors;
    private final int partition;

    SectorMaker(List<PostSectorProof> sectors, int partition) {
      this.sectors = sectors;
      this.partition = partition;
    }

    /** Sectors share nothing. */
    @Override
    public void common(GadgetTrace trace) {}

    @Override
    public int stretches() {
      return circuit.sectors();
    }

    /** The last sector fills a partition up. */
    @Override
    public int made() {
      int perPartition = statement.sectorsPerPartition();
      return perPartition == 1
          ? circuit.sectors()
          : Math.min(perPartition, sectors.size() - partition * perPartition);
    }

    @Override
    public int auxiliariesPerStretch() {
      return circuit.auxiliariesPerSector();
    }

    @Override
    public void stretch(GadgetTrace trace, int index) throws InputException {
      // A WinningPoSt's circuit has its one sector again for each challenge.
      boolean winning = statement.sectorsPerPartition() == 1;
      int position = winning ? 0 : partition * statement.sectorsPerPartition() + index;
      PostSectorProof sector = sectors.get(position);
      Place place =
          new Place(sector.file(), "partition " + partition + ", sector " + sector.sectorId());
      long[] commitments = new long[2 * WORDS];
      long[] node = new long[WORDS];
      trace.allocate(commitments, WORDS, sector.bytes(), sector.commRLast(), place);
      trace.allocate(commitments, 0, sector.bytes(), sector.commC(), place);
      trace.allocate(node, 0, sector.bytes(), sector.commR(), place);
      trace.poseidon(node, 0, commitments, 0, 2);
      for (int i = 0; i < circuit.challenges(); i++) {
        int challenge = winning ? index : i;
        Place path =
            place.in(
                "challenge "
                    + challenge
                    + " (node "
                    + statement.challenge(position, challenge)
                    + ")");
        var inclusion = sector.inclusions().get(challenge);
        trace.allocate(node, 0, inclusion.bytes(), inclusion.leafOffset(), path);
        trace.include(inclusion, false, node, path);
        GadgetTrace.requireRoot(node, commitments, WORDS, "tree R", path);
      }
    }
  }
}
