package dev.cuzk.bench;

import dev.cuzk.device.Backend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.key.QuotientForm;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;

/** Values to transform. A transform's output is as good an input for the next run. */
record NttInput(CurveId curve, Buffer values) implements AutoCloseable {
  static NttInput make(Backend backend, CurveId curve, long size) throws DeviceException {
    return new NttInput(curve, Uniform.scalars(backend, curve, size, 0));
  }

  double forward(Backend backend, int log2) throws DeviceException {
    return backend.ntt(curve, QuotientForm.ODD_COSET, false, log2, null, values).ms();
  }

  @Override
  public void close() {
    values.close();
  }
}
