package dev.cuzk.batch;

import dev.cuzk.format.InputException;
import dev.cuzk.format.WtnsFile;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.synthesis.Synthesizer;

/** Copies a witness file into the assignment; the file is open only while that happens. */
final class WitnessSynthesizer implements Synthesizer {
  private final Content witness;
  private final KeyTable.Key key;

  WitnessSynthesizer(Content witness, KeyTable.Key key) {
    this.witness = witness;
    this.key = key;
  }

  @Override
  public CurveId curve() {
    return key.provingKey().curve();
  }

  @Override
  public long variables() {
    return key.provingKey().variables();
  }

  @Override
  public long hostBytes() {
    return 0;
  }

  @Override
  public void synthesize(Buffer target) throws InputException {
    try (WtnsFile file = open(witness, key)) {
      file.readInto(target);
    }
  }

  /** Opens a witness and compares its header with the key's. */
  static WtnsFile open(Content witness, KeyTable.Key key) throws InputException {
    WtnsFile file = WtnsFile.open(witness.open());
    try {
      file.requireFits(key.name(), key.provingKey().curve(), key.provingKey().variables());
      return file;
    } catch (InputException | RuntimeException e) {
      file.close();
      throw e;
    }
  }
}
