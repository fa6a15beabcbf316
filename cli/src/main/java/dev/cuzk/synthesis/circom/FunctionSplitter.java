package dev.cuzk.synthesis.circom;

import dev.cuzk.synthesis.circom.StatementScanner.Run;
import dev.cuzk.synthesis.circom.WasmBinary.Reader;
import dev.cuzk.synthesis.circom.WasmBinary.Section;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts long functions of a WebAssembly module into chains of short ones.
 *
 * <p>A Java method holds at most 64 KiB of bytecode; HotSpot compiles methods above 8,000 bytes
 * only when told to, and slowly. circom writes long straight functions (tables of constants,
 * unrolled templates), which would run in an interpreter of WebAssembly and take most of the time.
 *
 * <p>First, long stretches without a block or a jump become functions that are called in their
 * place, with all parameters and locals as arguments and the one local that they may set as result.
 * Then a function that is still long is cut between two statements at its outermost level, where
 * the operand stack is empty. The first part keeps the function's index; each part ends by calling
 * the next one, again with all locals, and returns its result. Locals keep their numbers, so the
 * code is copied byte for byte; a {@code return} in a part returns through the whole chain.
 */
final class FunctionSplitter {
  /** Parts are at most about this long, in bytes of WebAssembly: some 6,000 of bytecode. */
  private static final int PART_BYTES = 2000;

  /** A shorter stretch of code is not worth a call. */
  private static final int RUN_BYTES = 400;

  /** Functions up to this length stay whole. */
  private static final int WHOLE_BYTES = 2600;

  /** The JVM allows 255 argument slots; a local can take two, and two are used otherwise. */
  private static final int MAXIMUM_LOCALS = 120;

  private final byte[] module;
  private final List<byte[]> types = new ArrayList<>();
  private final List<FunctionShape> shapes = new ArrayList<>();
  private final List<Integer> functionTypes = new ArrayList<>();
  private final ByteArrayOutputStream addedBodies = new ByteArrayOutputStream();
  private final List<Integer> addedTypes = new ArrayList<>();
  private int importedFunctions;

  /** Parameters and results as the encoding of their value types, one byte each. */
  record FunctionShape(byte[] parameters, byte[] results) {}

  private FunctionSplitter(byte[] module) {
    this.module = module;
  }

  /**
   * The module with its long functions cut, without custom sections.
   *
   * @throws IllegalArgumentException if the module is malformed
   */
  static byte[] split(byte[] module) {
    return new FunctionSplitter(module).split();
  }

  private byte[] split() {
    byte[] code = null;
    for (Section section : WasmBinary.sections(module)) {
      switch (section.id()) {
        case WasmBinary.SECTION_TYPE -> readTypes(section);
        case WasmBinary.SECTION_IMPORT -> readImports(section);
        case WasmBinary.SECTION_FUNCTION -> readFunctions(section);
        case WasmBinary.SECTION_CODE -> code = splitCode(section);
        default -> {
          // The other sections do not change.
        }
      }
    }
    byte[] newCode = code;
    return WasmBinary.rewrite(
        module,
        section ->
            switch (section.id()) {
              case WasmBinary.SECTION_CUSTOM -> null;
              case WasmBinary.SECTION_TYPE -> typeContents();
              case WasmBinary.SECTION_FUNCTION -> functionContents();
              case WasmBinary.SECTION_CODE -> newCode;
              default -> Arrays.copyOfRange(module, section.start(), section.end());
            });
  }

  private void readTypes(Section section) {
    Reader reader = new Reader(module, section);
    int count = reader.readUnsigned();
    for (int i = 0; i < count; i++) {
      int start = reader.position();
      if (reader.readByte() != 0x60) {
        throw new IllegalArgumentException("type " + i + " is not a function type");
      }
      byte[] parameters = readValueTypes(reader);
      byte[] results = readValueTypes(reader);
      types.add(Arrays.copyOfRange(module, start, reader.position()));
      shapes.add(new FunctionShape(parameters, results));
    }
  }

  private static byte[] readValueTypes(Reader reader) {
    int count = reader.readUnsigned();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < count; i++) {
      out.write(reader.readByte());
    }
    return out.toByteArray();
  }

  private void readImports(Section section) {
    Reader reader = new Reader(module, section);
    int count = reader.readUnsigned();
    for (int i = 0; i < count; i++) {
      reader.skip(reader.readUnsigned());
      reader.skip(reader.readUnsigned());
      if (reader.readByte() != 0) {
        throw new IllegalArgumentException("import " + i + " is not a function");
      }
      functionTypes.add(reader.readUnsigned());
      importedFunctions++;
    }
  }

  private void readFunctions(Section section) {
    Reader reader = new Reader(module, section);
    int count = reader.readUnsigned();
    for (int i = 0; i < count; i++) {
      functionTypes.add(reader.readUnsigned());
    }
  }

  private byte[] splitCode(Section section) {
    Reader reader = new Reader(module, section);
    int count = reader.readUnsigned();
    ByteArrayOutputStream bodies = new ByteArrayOutputStream(section.end() - section.start());
    for (int i = 0; i < count; i++) {
      int size = reader.readUnsigned();
      int start = reader.position();
      reader.skip(size);
      byte[] body = null;
      if (size > WHOLE_BYTES) {
        body = splitBody(functionTypes.get(importedFunctions + i), start, start + size);
      }
      if (body == null) {
        body = Arrays.copyOfRange(module, start, start + size);
      }
      WasmBinary.writeUnsigned(bodies, body.length);
      bodies.writeBytes(body);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(bodies.size() + addedBodies.size() + 5);
    WasmBinary.writeUnsigned(out, count + addedTypes.size());
    out.writeBytes(bodies.toByteArray());
    out.writeBytes(addedBodies.toByteArray());
    return out.toByteArray();
  }

  /** The function's new body, its other parts added to the module; null if it stays whole. */
  private byte[] splitBody(int type, int start, int end) {
    FunctionShape shape = shapes.get(type);
    Reader reader = new Reader(module, start, end);
    byte[] locals = readLocals(shape, reader);
    if (locals == null) {
      return null;
    }
    int header = reader.position() - start;
    byte[] body = withoutRuns(Arrays.copyOfRange(module, start, end), header, locals);
    return body.length > WHOLE_BYTES ? withoutTail(body, header, locals, shape.results()) : body;
  }

  /** Types of parameters and locals; null if they are too many. */
  private static byte[] readLocals(FunctionShape shape, Reader reader) {
    ByteArrayOutputStream locals = new ByteArrayOutputStream();
    locals.writeBytes(shape.parameters());
    int groups = reader.readUnsigned();
    for (int i = 0; i < groups; i++) {
      int repeat = reader.readUnsigned();
      int valueType = reader.readByte();
      if (repeat < 0 || repeat > MAXIMUM_LOCALS - locals.size()) {
        return null;
      }
      for (int k = 0; k < repeat; k++) {
        locals.write(valueType);
      }
    }
    return locals.toByteArray();
  }

  private InstructionReader instructions(byte[] body, int header) {
    return new InstructionReader(new Reader(body, header, body.length), shapes, this::shapeOf);
  }

  private FunctionShape shapeOf(int function) {
    int original = functionTypes.size();
    return shapes.get(
        function < original ? functionTypes.get(function) : addedTypes.get(function - original));
  }

  private byte[] withoutRuns(byte[] body, int header, byte[] locals) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(body.length);
    int copied = 0;
    for (Run run : StatementScanner.runs(instructions(body, header), RUN_BYTES, PART_BYTES)) {
      boolean sets = run.writtenLocal() != StatementScanner.NONE;
      byte[] result = sets ? new byte[] {locals[run.writtenLocal()]} : new byte[0];
      ByteArrayOutputStream function = new ByteArrayOutputStream();
      function.write(0);
      function.write(body, run.start(), run.end() - run.start());
      if (sets) {
        writeLocal(function, InstructionReader.LOCAL_GET, run.writtenLocal());
      }
      function.write(InstructionReader.END);
      out.write(body, copied, run.start() - copied);
      writeCall(out, locals.length, addFunction(addType(locals, result), function));
      if (sets) {
        writeLocal(out, InstructionReader.LOCAL_SET, run.writtenLocal());
      }
      copied = run.end();
    }
    out.write(body, copied, body.length - copied);
    return out.toByteArray();
  }

  private byte[] withoutTail(byte[] body, int header, byte[] locals, byte[] results) {
    List<Integer> cuts = StatementScanner.cuts(instructions(body, header), PART_BYTES);
    if (cuts.isEmpty()) {
      return body;
    }
    int type = addType(locals, results);
    int end = body.length;
    int next = -1;
    // From the last part to the first: each calls the one behind it.
    for (int i = cuts.size() - 1; i >= 0; i--) {
      ByteArrayOutputStream part = new ByteArrayOutputStream();
      part.write(0);
      part.write(body, cuts.get(i), end - cuts.get(i));
      if (next >= 0) {
        writeCall(part, locals.length, next);
        part.write(InstructionReader.END);
      }
      next = addFunction(type, part);
      end = cuts.get(i);
    }
    ByteArrayOutputStream first = new ByteArrayOutputStream();
    first.write(body, 0, end);
    writeCall(first, locals.length, next);
    first.write(InstructionReader.END);
    return first.toByteArray();
  }

  private int addFunction(int type, ByteArrayOutputStream body) {
    WasmBinary.writeUnsigned(addedBodies, body.size());
    addedBodies.writeBytes(body.toByteArray());
    addedTypes.add(type);
    return functionTypes.size() + addedTypes.size() - 1;
  }

  private static void writeLocal(ByteArrayOutputStream out, int opcode, int local) {
    out.write(opcode);
    WasmBinary.writeUnsigned(out, local);
  }

  private static void writeCall(ByteArrayOutputStream out, int arguments, int function) {
    for (int i = 0; i < arguments; i++) {
      writeLocal(out, InstructionReader.LOCAL_GET, i);
    }
    out.write(InstructionReader.CALL);
    WasmBinary.writeUnsigned(out, function);
  }

  private int addType(byte[] parameters, byte[] results) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(0x60);
    WasmBinary.writeUnsigned(out, parameters.length);
    out.writeBytes(parameters);
    WasmBinary.writeUnsigned(out, results.length);
    out.writeBytes(results);
    byte[] type = out.toByteArray();
    for (int i = 0; i < types.size(); i++) {
      if (Arrays.equals(types.get(i), type)) {
        return i;
      }
    }
    types.add(type);
    shapes.add(new FunctionShape(parameters, results));
    return types.size() - 1;
  }

  private byte[] typeContents() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    WasmBinary.writeUnsigned(out, types.size());
    types.forEach(out::writeBytes);
    return out.toByteArray();
  }

  private byte[] functionContents() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    WasmBinary.writeUnsigned(out, functionTypes.size() - importedFunctions + addedTypes.size());
    for (int type : functionTypes.subList(importedFunctions, functionTypes.size())) {
      WasmBinary.writeUnsigned(out, type);
    }
    addedTypes.forEach(type -> WasmBinary.writeUnsigned(out, type));
    return out.toByteArray();
  }
}
