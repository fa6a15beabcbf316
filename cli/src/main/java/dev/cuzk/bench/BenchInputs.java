package dev.cuzk.bench;

import dev.cuzk.circuit.BuiltInCircuit;
import dev.cuzk.device.DeviceException;
import dev.cuzk.format.InputException;
import dev.cuzk.synthesis.Synthesizer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a benchmark lets others make for it: test keys belong to {@code setup}, the ways to turn an
 * input into a witness to whoever knows all kinds of inputs.
 */
public interface BenchInputs {
  /**
   * A proving key for a built-in circuit, for this run: the file may go when the process ends.
   *
   * @throws IOException if no temporary file can be written
   */
  Path keyFor(BuiltInCircuit circuit) throws InputException, DeviceException, IOException;

  /**
   * The maker of a witness.
   *
   * @param input a .wtns, or a .json with its program
   * @param wasm circom's program, for a .json
   * @throws InputException if the input is malformed, or a .json comes without its program
   */
  Synthesizer synthesizer(Path input, Optional<Path> wasm) throws InputException;
}
