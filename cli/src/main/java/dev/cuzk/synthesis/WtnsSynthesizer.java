package dev.cuzk.synthesis;

import dev.cuzk.format.ByteSource;
import dev.cuzk.format.FileIdentity;
import dev.cuzk.format.InputException;
import dev.cuzk.format.WtnsFile;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import java.util.Optional;

/** An assignment that is there already: the values of a witness file (.wtns). */
public final class WtnsSynthesizer implements Synthesizer {
  private static final long CHUNK_BYTES = 1 << 16;

  private final SourceOpener opener;
  private final Optional<FileIdentity> identity;
  private final String keyFile;
  private final CurveId curve;
  private final long variables;

  private WtnsSynthesizer(
      SourceOpener opener,
      Optional<FileIdentity> identity,
      String keyFile,
      CurveId curve,
      long variables) {
    this.opener = opener;
    this.identity = identity;
    this.keyFile = keyFile;
    this.curve = curve;
    this.variables = variables;
  }

  /**
   * Reads a witness' header and compares it with the key.
   *
   * @throws InputException if it is not a witness, or one of another curve or circuit
   */
  public static WtnsSynthesizer open(SourceOpener opener, ProvingKey key) throws InputException {
    String keyFile = key.path().toString();
    try (ByteSource source = opener.open();
        WtnsFile witness = WtnsFile.open(source)) {
      witness.requireFits(keyFile, key.curve(), key.variables());
      return new WtnsSynthesizer(
          opener, source.identity(), keyFile, witness.curve(), witness.variables());
    }
  }

  @Override
  public CurveId curve() {
    return curve;
  }

  @Override
  public long variables() {
    return variables;
  }

  /** Values go straight into the target; besides them there is only the section table. */
  @Override
  public long hostBytes() {
    return CHUNK_BYTES;
  }

  @Override
  public void synthesize(Buffer target) throws InputException {
    try (ByteSource source = opener.open()) {
      if (!source.identity().equals(identity)) {
        throw new InputException(
            source.name(), "the input changed since it was checked. Start again with it");
      }
      try (WtnsFile witness = WtnsFile.open(source)) {
        witness.requireFits(keyFile, curve, variables);
        witness.readInto(target);
      }
    }
  }
}
