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
