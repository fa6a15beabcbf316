package dev.cuzk.bench;

import dev.cuzk.circuit.BuiltInCircuit;
import dev.cuzk.device.DeviceException;
import dev.cuzk.format.InputException;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.synthesis.Synthesizer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a benchmark lets others make for it: test keys belong to {@code setup}, the ways to turn an
 * input into a witness to whoever knows all kinds of inputs.
 */
public interface BenchInputs {
  /** A test key for a built-in circuit, which the caller closes. */
  ProvingKey keyFor(BuiltInCircuit circuit) throws InputException, DeviceException;

  /**
   * The maker of a witness.
   *
   * @param input a .wtns, or a .json with its program
   * @param wasm circom's program, for a .json
   * @throws InputException if the input is malformed, or a .json comes without its program
   */
  Synthesizer synthesizer(Path input, Optional<Path> wasm) throws InputException;
}
