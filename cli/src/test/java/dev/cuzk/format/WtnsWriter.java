package dev.cuzk.format;

import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import java.io.IOException;
import java.nio.file.Path;

/** Writes a witness exactly as snarkjs does. */
final class WtnsWriter {
  private static final int CHUNK_BYTES = 1 << 26;

  private WtnsWriter() {}

  /**
   * Writes a whole witness under its name, or nothing.
   *
   * @param values canonical scalars, 32 bytes each, little-endian, ONE first
   */
  static void write(Path target, CurveId curve, Buffer values) throws IOException {
    try (BinfileWriter file = new BinfileWriter(target, BinfileType.WTNS)) {
      file.begin(1);
      file.u32(CurveId.SCALAR_BYTES);
      file.bytes(LittleEndian.toBytes(curve.scalarModulus(), CurveId.SCALAR_BYTES));
      file.u32(values.byteSize() / CurveId.SCALAR_BYTES);
      file.end();
      file.begin(2);
      for (long at = 0; at < values.byteSize(); at += CHUNK_BYTES) {
        file.bytes(values.view(at, (int) Math.min(CHUNK_BYTES, values.byteSize() - at)));
      }
      file.end();
      file.commit();
    }
  }
}
