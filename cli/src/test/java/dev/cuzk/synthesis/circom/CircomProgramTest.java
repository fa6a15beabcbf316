package dev.cuzk.synthesis.circom;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.format.ByteSource;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.PlainBuffer;
import dev.cuzk.synthesis.UnsatisfiedException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CircomProgramTest {
  private static final String TABLE = "\"table\":[[1,2,3],[4,5,6]]";

  private static InputException refused(String json) {
    return assertThrows(
        InputException.class,
        () -> CircomTesting.witness(CircomTesting.program("shapes-bn128"), json));
  }

  private static InputException notLoaded(byte[] wasm) {
    return assertThrows(
        InputException.class, () -> CircomProgram.load("circuit.wasm", wasm, ProgramCache.none()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "shapes-bn128",
        "shapes-bls12381",
        "deep-bn128",
        "long-bn128",
        "buses-bn128",
        "none-bn128"
      })
  void shouldMakeTheWitnessFileOfTheReference(String name) throws Exception {
    CircomProgram program = CircomTesting.program(name);
    String input = name.substring(0, name.indexOf('-')) + ".json";
    byte[] values =
        CircomTesting.witness(
            program, FileRange.whole(CircomTesting.PROGRAMS.resolve(input)).open());
    assertArrayEquals(CircomTesting.bytes(name + ".wtns"), CircomTesting.wtnsFile(program, values));
  }

  @Test
  void shouldTellWhatAProgramIs() throws Exception {
    CircomProgram program = CircomTesting.program("shapes-bls12381");
    assertEquals(CurveId.BLS12_381, program.curve());
    assertEquals(10, program.witnessSize());
    assertEquals(8, program.inputSize());
    assertEquals(64, program.sha256().length());
    assertTrue(program.hostBytes() > 11 * 65536);
  }

  @Test
  void shouldLeaveNothingOfOneWitnessInTheNext() throws Exception {
    CircomProgram program = CircomTesting.program("shapes-bn128");
    byte[] small = CircomTesting.witness(program, "{\"a\":7," + TABLE + ",\"answer\":42}");
    byte[] large = CircomTesting.witness(program, "{\"a\":101," + TABLE + ",\"answer\":42}");
    assertFalse(Arrays.equals(small, large));
    assertArrayEquals(
        small, CircomTesting.witness(program, "{\"a\":7," + TABLE + ",\"answer\":42}"));
  }

  @Test
  void shouldNameAnUnknownSignal() {
    InputException e = refused("{\"a\":1,\"b\":2," + TABLE + ",\"answer\":42}");
    assertEquals(
        "input.json: signal \"b\": Signal not found: the circuit has no such input",
        e.getMessage());
  }

  @Test
  void shouldNameASignalWithTooFewOrTooManyValues() {
    assertEquals(
        "input.json: signal \"table\": not enough values (expected 6, found 5)",
        refused("{\"a\":1,\"table\":[[1,2,3],[4,5]],\"answer\":42}").getMessage());
    assertEquals(
        "input.json: signal \"table\": too many values (expected 6, found 8)",
        refused("{\"answer\":42,\"a\":1,\"table\":[1,2,3,4,5,6,7,8]}").getMessage());
    assertEquals(
        "input.json: signal \"answer\": not enough values (expected 1, found 0)",
        refused("{\"a\":1," + TABLE + ",\"answer\":[]}").getMessage());
  }

  @Test
  void shouldSayWhichSignalsAreThereWhenOneIsMissing() {
    assertEquals(
        "input.json: input signals are missing (expected 8 values, found 7: a[1], table[6])",
        refused("{\"a\":1," + TABLE + "}").getMessage());
    assertEquals(
        "input.json: input signals are missing (expected 8 values, found 0)",
        refused("{}").getMessage());
  }

  @Test
  void shouldFindInputErrorsBeforeTheCircuitRuns() {
    // The values so far break an assertion; the unknown signal after them counts first.
    InputException e = refused("{\"a\":13," + TABLE + ",\"answer\":42,\"more\":1}");
    assertTrue(e.getMessage().contains("\"more\""), e.getMessage());
  }

  @Test
  void shouldReportAFailedAssertionWithItsLine() {
    UnsatisfiedException e =
        assertThrows(
            UnsatisfiedException.class,
            () ->
                CircomTesting.witness(
                    CircomTesting.program("shapes-bn128"),
                    "{\"a\":13," + TABLE + ",\"answer\":42}"));
    assertTrue(e.getMessage().startsWith("input.json: "), e.getMessage());
    assertTrue(
        e.getMessage().contains("Assert Failed: Error in template Shapes_0 line: 14"),
        e.getMessage());
    assertFalse(e.getMessage().contains("\n"));
  }

  @Test
  void shouldReportAFailedConstraint() {
    UnsatisfiedException e =
        assertThrows(
            UnsatisfiedException.class,
            () ->
                CircomTesting.witness(
                    CircomTesting.program("shapes-bn128"),
                    "{\"a\":12," + TABLE + ",\"answer\":41}"));
    assertTrue(e.getMessage().contains("template Shapes_0 line: 27"), e.getMessage());
  }

  @Test
  void shouldRefuseAnInputForACircuitWithoutInputs() throws Exception {
    CircomProgram program = CircomTesting.program("none-bn128");
    InputException e =
        assertThrows(InputException.class, () -> CircomTesting.witness(program, "{\"a\":1}"));
    assertTrue(e.getMessage().contains("signal \"a\": Signal not found"), e.getMessage());
  }

  @Test
  void shouldRefuseAnotherField() {
    InputException e = notLoaded(CircomTesting.bytes("none-goldilocks.wasm"));
    assertTrue(e.getMessage().contains("another field"), e.getMessage());
    assertTrue(e.getMessage().contains("64 bits"), e.getMessage());
  }

  @Test
  void shouldRefuseWhatIsNoModule() {
    assertTrue(
        notLoaded("zkey".getBytes(StandardCharsets.US_ASCII))
            .getMessage()
            .contains("not a WebAssembly module"));
    byte[] whole = CircomTesting.bytes("none-bn128.wasm");
    for (int length : new int[] {9, 100, 1000, whole.length / 2, whole.length - 10}) {
      InputException e = notLoaded(Arrays.copyOf(whole, length));
      assertEquals("circuit.wasm", e.file());
    }
  }

  @Test
  void shouldRefuseAProgramOfCircom1ByName() {
    InputException e = notLoaded(moduleExporting("getFrLen"));
    assertTrue(e.getMessage().contains("made by circom 1"), e.getMessage());
  }

  @Test
  void shouldRefuseAModuleThatIsNoWitnessProgram() {
    InputException e = notLoaded(moduleExporting("main"));
    assertTrue(e.getMessage().contains("no exported function getVersion"), e.getMessage());
  }

  /** A module with one function that does nothing. */
  private static byte[] moduleExporting(String name) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {0, 'a', 's', 'm', 1, 0, 0, 0});
    out.writeBytes(new byte[] {1, 4, 1, 0x60, 0, 0});
    out.writeBytes(new byte[] {3, 2, 1, 0});
    byte[] text = name.getBytes(StandardCharsets.US_ASCII);
    out.writeBytes(new byte[] {7, (byte) (text.length + 4), 1, (byte) text.length});
    out.writeBytes(text);
    out.writeBytes(new byte[] {0, 0});
    out.writeBytes(new byte[] {10, 4, 1, 2, 0, 0x0B});
    return out.toByteArray();
  }

  @Test
  void shouldGoOnWithALargerStackWhenTheThreadsIsFull() throws Exception {
    // A program of its own: a deep witness marks it.
    CircomProgram program =
        CircomProgram.load(
            "deep.wasm", CircomTesting.bytes("deep-bn128.wasm"), ProgramCache.none());
    AtomicReference<Object> outcome = new AtomicReference<>();
    Thread small =
        new Thread(
            null,
            () -> {
              try {
                byte[] first = CircomTesting.witness(program, "{\"depth\":2000}");
                byte[] second = CircomTesting.witness(program, "{\"depth\":1999}");
                outcome.set(List.of(CircomTesting.value(first, 1), CircomTesting.value(second, 1)));
              } catch (Exception | Error e) {
                outcome.set(e);
              }
            },
            "small-stack",
            256 << 10);
    small.start();
    small.join();
    assertEquals(List.of(2000L, 1999L), outcome.get());
  }

  @Test
  void shouldReportAProgramThatLeavesItsMemory() throws Exception {
    CircomProgram program = CircomTesting.program("deep-bn128");
    InputException e =
        assertThrows(
            InputException.class, () -> CircomTesting.witness(program, "{\"depth\":100000}"));
    assertTrue(e.getMessage().contains("deep-bn128.wasm: fails on input"), e.getMessage());
    assertEquals(5, CircomTesting.value(CircomTesting.witness(program, "{\"depth\":5}"), 1));
  }

  @Test
  void shouldStopWhenInterrupted() throws Exception {
    CircomProgram program = CircomTesting.program("shapes-bn128");
    Thread.currentThread().interrupt();
    try {
      assertThrows(
          CancellationException.class,
          () -> CircomTesting.witness(program, "{\"a\":7," + TABLE + ",\"answer\":42}"));
    } finally {
      assertTrue(Thread.interrupted());
    }
  }

  @Test
  void shouldMakeWitnessesInParallel() throws Exception {
    CircomProgram program = CircomTesting.program("shapes-bn128");
    ForkJoinPool pool = new ForkJoinPool(8);
    try {
      List<Future<byte[]>> witnesses = new ArrayList<>();
      for (int i = 1; i <= 200; i++) {
        String json = "{\"a\":" + (200 + i) + ",\"table\":[" + i + ",0,0,0,0,1],\"answer\":42}";
        witnesses.add(pool.submit(() -> CircomTesting.witness(program, json)));
      }
      for (int i = 1; i <= 200; i++) {
        byte[] witness = witnesses.get(i - 1).get();
        assertEquals(1, CircomTesting.value(witness, 0));
        assertEquals(i + 6, CircomTesting.value(witness, 1));
        assertEquals(i, CircomTesting.value(witness, 3));
      }
    } finally {
      pool.shutdown();
    }
  }

  @Test
  void shouldRefuseATargetOfAnotherSize() throws Exception {
    CircomProgram program = CircomTesting.program("none-bn128");
    try (ByteSource input = ByteSource.of("input.json", new byte[] {'{', '}'});
        PlainBuffer target = PlainBuffer.allocate(32)) {
      assertThrows(IllegalArgumentException.class, () -> program.makeWitness(input, target));
    }
  }
}
