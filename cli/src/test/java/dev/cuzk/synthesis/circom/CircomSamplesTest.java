package dev.cuzk.synthesis.circom;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.format.FileRange;
import dev.cuzk.format.TestFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every input of the sample circuits gives the witness that snarkjs made of it, byte for byte. */
class CircomSamplesTest {
  private static final ProgramCache CACHE =
      ProgramCache.in(
          TestFiles.project("cli/target/circom-cache"),
          line -> {
            throw new AssertionError(line);
          });

  @ParameterizedTest
  @ValueSource(
      strings = {
        "multiplier-bn128",
        "multiplier-bls12381",
        "nopub-bn128",
        "merkle16-bn128",
        "merkle16-bls12381",
        "sha256x1-bn128",
        "real-semaphore-20",
        "real-unirep-signup",
        "real-iden3-authV2"
      })
  void shouldMakeTheWitnessesOfSnarkjs(String sample) throws Exception {
    Path folder = TestFiles.sample(sample);
    CircomProgram program =
        CircomProgram.open(FileRange.whole(folder.resolve("circuit.wasm")), CACHE);
    int compared = 0;
    for (int i = 0; Files.exists(folder.resolve("input_" + i + ".json")); i++) {
      Path witness = folder.resolve("witness_" + i + ".wtns");
      if (Files.exists(witness)) {
        byte[] values =
            CircomTesting.witness(
                program, FileRange.whole(folder.resolve("input_" + i + ".json")).open());
        assertArrayEquals(
            Files.readAllBytes(witness),
            CircomTesting.wtnsFile(program, values),
            witness::toString);
        compared++;
      }
    }
    assertTrue(compared > 0, "no witness to compare with");
  }
}
