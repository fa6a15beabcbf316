package dev.cuzk.synthesis.circom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.PlainBuffer;
import dev.cuzk.synthesis.HeaderKey;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class CircomSynthesizerTest {
  @Test
  void shouldWriteTheAssignment() throws Exception {
    CircomProgram program = CircomTesting.program("none-bn128");
    CircomSynthesizer synthesizer =
        new CircomSynthesizer(
            program, FileRange.whole(CircomTesting.PROGRAMS.resolve("none.json"))::open);
    assertEquals(CurveId.BN254, synthesizer.curve());
    assertEquals(program.witnessSize(), synthesizer.variables());
    assertEquals(program.hostBytes(), synthesizer.hostBytes());
    try (PlainBuffer target = PlainBuffer.allocate(32 * synthesizer.variables())) {
      synthesizer.synthesize(target);
      assertEquals(1, target.view(0, 32).getLong(0));
      assertEquals(42, target.view(32, 32).getLong(0));
    }
  }

  @Test
  void shouldReportAMissingInput() throws Exception {
    CircomSynthesizer synthesizer =
        new CircomSynthesizer(
            CircomTesting.program("none-bn128"), FileRange.whole(Path.of("missing.json"))::open);
    try (PlainBuffer target = PlainBuffer.allocate(32 * synthesizer.variables())) {
      InputException e = assertThrows(InputException.class, () -> synthesizer.synthesize(target));
      assertEquals("missing.json", e.file());
    }
  }

  @Test
  void shouldAcceptTheKeyOfItsCircuit() throws Exception {
    CircomProgram program = CircomTesting.program("shapes-bn128");
    CircomSynthesizer.checkKey(program, new HeaderKey(CurveId.BN254, 10));
    assertEquals(CurveId.BN254, program.curve());
  }

  @Test
  void shouldRefuseAKeyOfAnotherCurve() throws Exception {
    CircomProgram program = CircomTesting.program("shapes-bn128");
    InputException e =
        assertThrows(
            InputException.class,
            () -> CircomSynthesizer.checkKey(program, new HeaderKey(CurveId.BLS12_381, 10)));
    assertTrue(e.getMessage().contains("(expected bls12-381, found bn254)"), e.getMessage());
  }

  @Test
  void shouldRefuseAKeyOfAnotherCircuit() throws Exception {
    CircomProgram program = CircomTesting.program("shapes-bn128");
    InputException e =
        assertThrows(
            InputException.class,
            () -> CircomSynthesizer.checkKey(program, new HeaderKey(CurveId.BN254, 11)));
    assertTrue(e.getMessage().contains("(expected 11 variables, found 10)"), e.getMessage());
  }
}
