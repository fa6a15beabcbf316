package dev.cuzk.batch;

import dev.cuzk.circuit.Constraints;
import dev.cuzk.format.FileRange;
import dev.cuzk.synthesis.Synthesizer;

/**
 * A job as its input describes it, checked as far as headers tell.
 *
 * @param source where it stands, for messages
 * @param kind {@code circom}
 * @param priority 0 … 99
 * @param input the witness, or the program's input
 * @param declaredSha256 what a manifest says the input's digest is; null = nothing
 * @param program what makes the witness from the input; null = the input is the witness
 * @param synthesizer makes the assignment; holds no file open
 * @param system checked before the proof is made; null = none
 */
record JobSpec(
    String name,
    String source,
    String kind,
    int priority,
    Content input,
    String declaredSha256,
    KeyTable.Key key,
    Program program,
    Synthesizer synthesizer,
    ConstraintSystem system) {

  static final String CIRCOM = "circom";

  /** A witness program's file and digest. */
  record Program(FileRange file, String sha256) {}

  /** A constraint system and its file. */
  record ConstraintSystem(FileRange file, Constraints constraints) {}
}
