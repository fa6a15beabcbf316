package dev.cuzk.synthesis.circom;

import dev.cuzk.format.ByteSource;
import dev.cuzk.format.InputException;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.synthesis.SourceOpener;
import dev.cuzk.synthesis.Synthesizer;
import dev.cuzk.synthesis.UnsatisfiedException;

/** An assignment from a circom program and a JSON input. */
public final class CircomSynthesizer implements Synthesizer {
  private final CircomProgram program;
  private final SourceOpener opener;

  /** For a key that was checked by {@link #checkKey}. */
  public CircomSynthesizer(CircomProgram program, SourceOpener opener) {
    this.program = program;
    this.opener = opener;
  }

  /**
   * Whether program and key belong to one circuit, as far as their headers tell; to be asked before
   * any work.
   *
   * @throws InputException if curve or number of variables differ
   */
  public static void checkKey(CircomProgram program, ProvingKey key) throws InputException {
    if (program.curve() != key.curve()) {
      throw new InputException(
          program.file(),
          "computes over another curve's field than the key "
              + key.path()
              + " (expected "
              + key.curve()
              + ", found "
              + program.curve()
              + ")");
    }
    if (program.witnessSize() != key.variables()) {
      throw new InputException(
          program.file(),
          "belongs to another circuit than the key "
              + key.path()
              + " (expected "
              + key.variables()
              + " variables, found "
              + program.witnessSize()
              + ")");
    }
  }

  @Override
  public CurveId curve() {
    return program.curve();
  }

  @Override
  public long variables() {
    return program.witnessSize();
  }

  @Override
  public long hostBytes() {
    return program.hostBytes();
  }

  @Override
  public void synthesize(Buffer target) throws InputException, UnsatisfiedException {
    try (ByteSource input = opener.open()) {
      program.makeWitness(input, target);
    }
  }
}
