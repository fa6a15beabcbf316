package dev.cuzk.bench;

import dev.cuzk.circuit.Constraints;
import dev.cuzk.circuit.filecoin.FilecoinCircuit;
import dev.cuzk.device.DeviceException;
import dev.cuzk.format.InputException;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.key.QuotientForm;
import dev.cuzk.synthesis.Synthesizer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a benchmark lets others make for it: test keys belong to {@code setup}, the ways to turn an
 * input into a witness to whoever knows all kinds of inputs.
 */
public interface BenchInputs {
  /**
   * A test key for a circuit, which the caller closes.
   *
   * @param form of the quotient: as in a .zkey or as in a .params
   */
  ProvingKey keyFor(Constraints circuit, QuotientForm form) throws InputException, DeviceException;

  /**
   * The maker of a Filecoin circuit's assignment; of the first partition where there are several.
   *
   * @param input vanilla proofs; facts that the file does not have are known to the implementation
   * @throws InputException if the input is malformed or of another circuit
   */
  Synthesizer synthesizer(FilecoinCircuit circuit, Path input) throws InputException;

  /**
   * The maker of a witness.
   *
   * @param input a .wtns, or a .json with its program
   * @param wasm circom's program, for a .json
   * @throws InputException if the input is malformed, or a .json comes without its program
   */
  Synthesizer synthesizer(Path input, Optional<Path> wasm) throws InputException;
}
