package dev.cuzk.synthesis.circom;

import dev.cuzk.format.ByteSource;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.LittleEndian;
import dev.cuzk.format.TestFiles;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.PlainBuffer;
import dev.cuzk.synthesis.UnsatisfiedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The programs of testdata/circom, each compiled once for all tests. */
final class CircomTesting {
  static final Path PROGRAMS = TestFiles.testdata("circom");

  private static final Map<String, CircomProgram> LOADED = new ConcurrentHashMap<>();

  private CircomTesting() {}

  static byte[] bytes(String name) {
    try {
      return Files.readAllBytes(PROGRAMS.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static CircomProgram program(String name) throws InputException {
    CircomProgram program = LOADED.get(name);
    if (program == null) {
      program =
          CircomProgram.open(
              FileRange.whole(PROGRAMS.resolve(name + ".wasm")), ProgramCache.none());
      LOADED.put(name, program);
    }
    return program;
  }

  static byte[] witness(CircomProgram program, String json)
      throws InputException, UnsatisfiedException {
    return witness(program, ByteSource.of("input.json", json.getBytes(StandardCharsets.UTF_8)));
  }

  static byte[] witness(CircomProgram program, ByteSource input)
      throws InputException, UnsatisfiedException {
    try (input;
        PlainBuffer target =
            PlainBuffer.allocate((long) program.witnessSize() * CurveId.SCALAR_BYTES)) {
      program.makeWitness(input, target);
      byte[] values = new byte[(int) target.byteSize()];
      target.view(0, values.length).get(values);
      return values;
    }
  }

  /** A value of a witness that is small enough. */
  static long value(byte[] witness, int index) {
    return LittleEndian.toInteger(witness, index * CurveId.SCALAR_BYTES, CurveId.SCALAR_BYTES)
        .longValueExact();
  }

  /** The file that snarkjs writes for these values. */
  static byte[] wtnsFile(CircomProgram program, byte[] values) {
    ByteBuffer file = ByteBuffer.allocate(76 + values.length).order(ByteOrder.LITTLE_ENDIAN);
    file.put("wtns".getBytes(StandardCharsets.US_ASCII)).putInt(2).putInt(2);
    file.putInt(1).putLong(40).putInt(CurveId.SCALAR_BYTES);
    file.put(LittleEndian.toBytes(program.curve().scalarModulus(), CurveId.SCALAR_BYTES));
    file.putInt(program.witnessSize());
    file.putInt(2).putLong(values.length).put(values);
    return file.array();
  }
}
