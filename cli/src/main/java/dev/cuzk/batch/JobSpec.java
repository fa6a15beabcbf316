package dev.cuzk.batch;

import dev.cuzk.circuit.Constraints;
import dev.cuzk.format.InputException;
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
 * @param constraints checked before the proof is made; null = none
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
    Constraints constraints) {

  static final String CIRCOM = "circom";

  /** A witness program, opened once a run. */
  interface Program {
    String sha256() throws InputException;

    Synthesizer synthesizer(Content input, KeyTable.Key key) throws InputException;
  }

  JobSpec named(String otherName) {
    return new JobSpec(
        otherName, source, kind, priority, input, declaredSha256, key, program, constraints);
  }
}
