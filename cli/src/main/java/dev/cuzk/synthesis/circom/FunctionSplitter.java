package dev.cuzk.synthesis.circom;

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
 * <p>A function is cut between two statements at its outermost level, where the operand stack is
 * empty. The first part keeps the function's index; each part ends by calling the next one with all
 * parameters and locals as arguments, and returns its result. Locals keep their numbers, so the
 * statements are copied byte for byte; a {@code return} in a part returns through the whole chain.
 * Functions whose outermost level cannot be followed stay whole.
 */
final class FunctionSplitter {
  /** Parts are at most about this long, in bytes of WebAssembly: some 6,000 of bytecode. */
  private static final int PART_BYTES = 2000;

  /** Functions up to this length stay whole. */
  private static final int WHOLE_BYTES = 2600;

  /** The JVM allows 255 argument slots; a local can take two, and two are used otherwise. */
  private static final int MAXIMUM_LOCALS = 120;

  private final byte[] module;
  private final List<byte[]> types = new ArrayList<>();
  private final List<FunctionShape> shapes = new ArrayList<>();
  private final List<Integer> functionTypes = new ArrayList<>();
  private final ByteArrayOutputStream addedBodies = new ByteArrayOutputStream();
  private final ByteArrayOutputStream addedFunctionTypes = new ByteArrayOutputStream();
  private int importedFunctions;
  private int addedFunctions;

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
    WasmBinary.writeUnsigned(out, count + addedFunctions);
    out.writeBytes(bodies.toByteArray());
    out.writeBytes(addedBodies.toByteArray());
    return out.toByteArray();
  }

  /** The function's new body, its other parts added to the module; null if it stays whole. */
  private byte[] splitBody(int type, int start, int end) {
    FunctionShape shape = shapes.get(type);
    Reader reader = new Reader(module, start, end);
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
    List<Integer> cuts = StatementScanner.cuts(reader, PART_BYTES, shapes, functionTypes);
    if (cuts.isEmpty()) {
      return null;
    }
    int partType = addType(locals.toByteArray(), shape.results());
    int next = functionTypes.size() + addedFunctions;
    ByteArrayOutputStream first = new ByteArrayOutputStream();
    first.write(module, start, cuts.get(0) - start);
    writeCall(first, locals.size(), next);
    for (int i = 0; i < cuts.size(); i++) {
      boolean last = i + 1 == cuts.size();
      ByteArrayOutputStream part = new ByteArrayOutputStream();
      part.write(0);
      int partEnd = last ? end : cuts.get(i + 1);
      part.write(module, cuts.get(i), partEnd - cuts.get(i));
      if (!last) {
        writeCall(part, locals.size(), next + i + 1);
      }
      WasmBinary.writeUnsigned(addedBodies, part.size());
      addedBodies.writeBytes(part.toByteArray());
      WasmBinary.writeUnsigned(addedFunctionTypes, partType);
      addedFunctions++;
    }
    return first.toByteArray();
  }

  private static void writeCall(ByteArrayOutputStream out, int arguments, int function) {
    for (int i = 0; i < arguments; i++) {
      out.write(StatementScanner.LOCAL_GET);
      WasmBinary.writeUnsigned(out, i);
    }
    out.write(StatementScanner.CALL);
    WasmBinary.writeUnsigned(out, function);
    out.write(StatementScanner.END);
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
    WasmBinary.writeUnsigned(out, functionTypes.size() - importedFunctions + addedFunctions);
    for (int type : functionTypes.subList(importedFunctions, functionTypes.size())) {
      WasmBinary.writeUnsigned(out, type);
    }
    out.writeBytes(addedFunctionTypes.toByteArray());
    return out.toByteArray();
  }
}
