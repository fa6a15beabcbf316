package dev.cuzk.batch;

import dev.cuzk.circuit.Constraints;
import dev.cuzk.format.FileRange;
import dev.cuzk.synthesis.Synthesizer;
import java.util.List;
import java.util.Map;

/**
 * A job as its input describes it, checked as far as headers tell.
 *
 * @param source where it stands, for messages
 * @param kind {@code circom} or one of Filecoin's
 * @param priority 0 … 99
 * @param inputs the witness, the program's input, or the files with vanilla proofs
 * @param declaredSha256 what a manifest says the first input's digest is, unless it was compared
 *     already; null = nothing
 * @param key null while packing, for the network's parameters
 * @param program what makes the witness from the input; null = the input is the witness
 * @param partitions make the assignments, of each partition one; hold no file open
 * @param system checked before the proof is made; null = none
 * @param facts of a Filecoin job, by option name without dashes
 */
record JobSpec(
    String name,
    String source,
    String kind,
    int priority,
    List<Content> inputs,
    String declaredSha256,
    KeyTable.Key key,
    Program program,
    List<Synthesizer> partitions,
    ConstraintSystem system,
    Map<String, String> facts) {

  static final String CIRCOM = "circom";

  private static final int DEFAULT_PRIORITY = 10;

  /** The priority of jobs that name none: PoSts have deadlines. */
  static int priority(String kind) {
    return switch (kind) {
      case "winning-post" -> 40;
      case "window-post" -> 30;
      case "snap" -> 20;
      default -> DEFAULT_PRIORITY;
    };
  }

  /** Whether it is one of Filecoin's proofs. */
  boolean isFilecoin() {
    return !kind.equals(CIRCOM);
  }

  /** What messages call the inputs: the first, which most jobs have alone. */
  String inputName() {
    return inputs.get(0).name();
  }

  /** A witness program's file and digest. */
  record Program(FileRange file, String sha256) {}

  /** A constraint system and its file. */
  record ConstraintSystem(FileRange file, Constraints constraints) {}
}
