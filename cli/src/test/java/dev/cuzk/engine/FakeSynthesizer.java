package dev.cuzk.engine;

import dev.cuzk.format.InputException;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.synthesis.Synthesizer;
import dev.cuzk.synthesis.UnsatisfiedException;

/** Fits a key; the test says what it writes. */
record FakeSynthesizer(ProvingKey key, long hostBytes, boolean forks, Writing writing)
    implements Synthesizer {
  FakeSynthesizer(ProvingKey key, long hostBytes, Writing writing) {
    this(key, hostBytes, false, writing);
  }

  @FunctionalInterface
  interface Writing {
    void write(Buffer target) throws InputException, UnsatisfiedException;
  }

  /** One that throws what it is given. */
  static FakeSynthesizer failing(ProvingKey key, boolean forks, Exception failure) {
    return new FakeSynthesizer(
        key,
        0,
        forks,
        target -> {
          if (failure instanceof InputException input) {
            throw input;
          } else if (failure instanceof UnsatisfiedException unsatisfied) {
            throw unsatisfied;
          }
          throw (RuntimeException) failure;
        });
  }

  @Override
  public CurveId curve() {
    return key.curve();
  }

  @Override
  public long variables() {
    return key.variables();
  }

  @Override
  public void synthesize(Buffer target) throws InputException, UnsatisfiedException {
    writing.write(target);
  }
}
