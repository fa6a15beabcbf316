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
  private final CurveId curve;
  private final long variables;

  private WtnsSynthesizer(SourceOpener opener, ByteSource source, WtnsFile witness) {
    this.opener = opener;
    this.identity = source.identity();
    this.curve = witness.curve();
    this.variables = witness.variables();
  }

  /**
   * Reads a witness' header.
   *
   * @throws InputException if it is not a witness
   */
  public static WtnsSynthesizer open(SourceOpener opener) throws InputException {
    try (ByteSource source = opener.open();
        WtnsFile witness = WtnsFile.open(source)) {
      return new WtnsSynthesizer(opener, source, witness);
    }
  }

  /**
   * Reads a witness' header and compares it with the key.
   *
   * @throws InputException if it is not a witness, or one of another curve or circuit
   */
  public static WtnsSynthesizer open(SourceOpener opener, ProvingKey key) throws InputException {
    try (ByteSource source = opener.open();
        WtnsFile witness = WtnsFile.open(source)) {
      witness.requireFits(key.path().toString(), key.curve(), key.variables());
      return new WtnsSynthesizer(opener, source, witness);
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
    try (ByteSource source = opener.open();
        WtnsFile witness = WtnsFile.open(source)) {
      if (!source.identity().equals(identity)
          || witness.curve() != curve
          || witness.variables() != variables) {
        throw new InputException(
            source.name(), "the input changed since it was checked. Start again with it.");
      }
      witness.readInto(target);
    }
  }
}
