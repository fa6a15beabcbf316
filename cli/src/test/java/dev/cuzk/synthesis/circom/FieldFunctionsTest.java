package dev.cuzk.synthesis.circom;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Memory;
import com.dylibso.chicory.wasm.Parser;
import dev.cuzk.format.TestFiles;
import dev.cuzk.math.CurveId;
import dev.cuzk.synthesis.circom.FieldFunctions.Operation;
import java.io.IOException;
import java.lang.reflect.Method;
import java.math.BigInteger;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every operation in Java against the function of a real program that it stands for. */
class FieldFunctionsTest {
  private static final int X = 1 << 16;
  private static final int Y = X + 40;
  private static final int FIRST_RESULT = Y + 40;
  private static final int SECOND_RESULT = FIRST_RESULT + 40;
  private static final int AREA = 200;
  private static final int RANDOM_VALUES = 40;

  private static byte[] program(String sample) throws IOException {
    return Files.readAllBytes(TestFiles.sample(sample).resolve("circuit.wasm"));
  }

  /** A program's functions, with a memory that holds its constants. */
  private static final class Machine {
    private final Class<?> functions;
    private final FlatMemory memory;
    private final Instance instance;

    Machine(byte[] wasm) throws Exception {
      CompiledProgram compiled = ProgramCompiler.compile("circuit.wasm", wasm);
      memory = new FlatMemory(ProgramAbi.memoryPages("circuit.wasm", compiled.parse()));
      Object[] kept = new Object[1];
      var factory = compiled.machineFactory();
      new ProgramInstance(
          compiled.parse(),
          made -> {
            kept[0] = made;
            return factory.apply(made);
          },
          memory);
      instance = (Instance) kept[0];
      Object machine = factory.apply(instance);
      functions =
          machine.getClass().getClassLoader().loadClass(CompiledProgram.MAIN_CLASS + "FuncGroup_0");
    }

    /** The bytes around operands and results after a call. */
    byte[] call(String function, int[] addresses, BigInteger x, BigInteger y) throws Exception {
      byte[] bytes = memory.bytes();
      java.util.Arrays.fill(bytes, X, X + AREA, (byte) 0x5A);
      put(bytes, X, x);
      put(bytes, Y, y);
      List<Object> arguments = new ArrayList<>();
      List<Class<?>> types = new ArrayList<>();
      for (int address : addresses) {
        arguments.add(address);
        types.add(int.class);
      }
      arguments.add(memory);
      types.add(Memory.class);
      arguments.add(instance);
      types.add(Instance.class);
      Method method = functions.getMethod(function, types.toArray(new Class<?>[0]));
      method.setAccessible(true);
      method.invoke(null, arguments.toArray());
      return java.util.Arrays.copyOfRange(bytes, X, X + AREA);
    }

    private static void put(byte[] bytes, int at, BigInteger value) {
      for (int i = 0; i < CurveId.SCALAR_BYTES; i++) {
        bytes[at + i] = value.shiftRight(8 * i).byteValue();
      }
    }
  }

  private static List<BigInteger> values(BigInteger prime) {
    Random random = new Random(7);
    List<BigInteger> values =
        new ArrayList<>(
            List.of(
                BigInteger.ZERO,
                BigInteger.ONE,
                BigInteger.TWO,
                prime.subtract(BigInteger.ONE),
                prime.shiftRight(1),
                prime,
                prime.add(BigInteger.ONE),
                BigInteger.ONE.shiftLeft(256).mod(prime),
                BigInteger.ONE.shiftLeft(256).subtract(BigInteger.ONE)));
    for (int i = 0; i < RANDOM_VALUES; i++) {
      values.add(new BigInteger(prime.bitLength(), random).mod(prime));
    }
    for (int bits = 1; bits < 250; bits += 31) {
      values.add(BigInteger.ONE.shiftLeft(bits));
      values.add(new BigInteger(bits, random));
    }
    return values;
  }

  /** Distinct addresses, and each way in which a result may lie on an operand. */
  private static List<int[]> addresses(Operation operation) {
    return switch (operation) {
      case DIVIDE_INTEGERS ->
          List.of(
              new int[] {X, Y, FIRST_RESULT, SECOND_RESULT},
              new int[] {X, Y, FIRST_RESULT, 0},
              new int[] {X, Y, 0, SECOND_RESULT},
              new int[] {X, Y, X, SECOND_RESULT},
              new int[] {X, Y, FIRST_RESULT, X});
      case ADD, SUBTRACT, MULTIPLY ->
          List.of(
              new int[] {X, Y, FIRST_RESULT},
              new int[] {X, Y, X},
              new int[] {X, Y, Y},
              new int[] {X, X, X});
      case SQUARE, FROM_MONTGOMERY, INVERSE ->
          List.of(new int[] {X, FIRST_RESULT}, new int[] {X, X});
    };
  }

  @ParameterizedTest
  @CsvSource({"multiplier-bn128, BN254", "multiplier-bls12381, BLS12_381"})
  void shouldDoWhatTheProgramsOwnFunctionDoes(String sample, CurveId curve) throws Exception {
    byte[] wasm = program(sample);
    assertEquals(Optional.of(curve), FieldFunctions.recognise(wasm, Parser.parse(wasm)));
    Machine machine = new Machine(wasm);
    List<BigInteger> values = values(curve.scalarModulus());
    for (Operation operation : Operation.values()) {
      String name = "func_" + operation.index();
      for (int[] addresses : addresses(operation)) {
        for (int i = 0; i < values.size(); i++) {
          BigInteger x = values.get(i);
          for (int step = 0; step < values.size(); step += operation.addresses() == 2 ? 1000 : 7) {
            BigInteger y = values.get((i + step) % values.size());
            if (operation == Operation.DIVIDE_INTEGERS && y.signum() == 0) {
              continue;
            }
            byte[] expected = machine.call(name + ProgramCompiler.ORIGINAL, addresses, x, y);
            byte[] found = machine.call(name, addresses, x, y);
            assertArrayEquals(expected, found, operation + " of " + x + " and " + y);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"multiplier-bn128", "multiplier-bls12381"})
  void shouldNotRecogniseProgramsThatDifferInOneByteOfTheirArithmetic(String sample)
      throws IOException {
    byte[] wasm = program(sample);
    byte[] other = wasm.clone();
    for (WasmBinary.Section section : WasmBinary.sections(other)) {
      if (section.id() == WasmBinary.SECTION_CODE) {
        other[section.start() + 2000] ^= 1;
      }
    }
    assertEquals(Optional.empty(), FieldFunctions.recognise(other, Parser.parse(wasm)));
  }

  @ParameterizedTest
  @CsvSource({"multiplier-bn128, multiplier-bls12381", "multiplier-bls12381, multiplier-bn128"})
  void shouldNotRecogniseArithmeticOfOneCurveWithThePrimeOfTheOther(String code, String constants)
      throws IOException {
    assertTrue(FieldFunctions.recognise(program(code), Parser.parse(program(constants))).isEmpty());
  }
}
