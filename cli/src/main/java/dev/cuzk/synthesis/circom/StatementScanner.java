package dev.cuzk.synthesis.circom;

import dev.cuzk.synthesis.circom.FunctionSplitter.FunctionShape;
import dev.cuzk.synthesis.circom.WasmBinary.Reader;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the places in a function's code at which it can be cut: at the outermost level, with an
 * empty operand stack. Follows the stack's height there only; inside blocks it just passes over the
 * instructions.
 *
 * <p>Knows the instructions of WebAssembly 1.0 (Core Specification 1.0, section 5.4); at any other
 * one, and after the first jump at the outermost level (what follows cannot be reached), it stops
 * and leaves the rest in one part.
 */
final class StatementScanner {
  static final int END = 0x0B;
  static final int CALL = 0x10;
  static final int LOCAL_GET = 0x20;

  private static final int UNREACHABLE = 0x00;
  private static final int NOP = 0x01;
  private static final int BLOCK = 0x02;
  private static final int LOOP = 0x03;
  private static final int IF = 0x04;
  private static final int ELSE = 0x05;
  private static final int BR = 0x0C;
  private static final int BR_IF = 0x0D;
  private static final int BR_TABLE = 0x0E;
  private static final int RETURN = 0x0F;
  private static final int CALL_INDIRECT = 0x11;
  private static final int DROP = 0x1A;
  private static final int SELECT = 0x1B;
  private static final int LOCAL_SET = 0x21;
  private static final int LOCAL_TEE = 0x22;
  private static final int GLOBAL_GET = 0x23;
  private static final int GLOBAL_SET = 0x24;
  private static final int FIRST_LOAD = 0x28;
  private static final int LAST_LOAD = 0x35;
  private static final int LAST_STORE = 0x3E;
  private static final int MEMORY_SIZE = 0x3F;
  private static final int MEMORY_GROW = 0x40;
  private static final int I32_CONST = 0x41;
  private static final int I64_CONST = 0x42;
  private static final int F32_CONST = 0x43;
  private static final int F64_CONST = 0x44;
  private static final int LAST_NUMERIC = 0xC4;
  private static final int EMPTY_BLOCK_TYPE = 0x40;

  private final Reader reader;
  private final List<FunctionShape> shapes;
  private final List<Integer> functionTypes;
  private int depth;
  private int height;

  private StatementScanner(Reader reader, List<FunctionShape> shapes, List<Integer> functionTypes) {
    this.reader = reader;
    this.shapes = shapes;
    this.functionTypes = functionTypes;
  }

  /**
   * Places to cut at, as positions of the reader, so that the parts are at most about {@code
   * partBytes} long where the code allows it. None if the code is short or cannot be followed.
   *
   * @param reader at the first instruction
   */
  static List<Integer> cuts(
      Reader reader, int partBytes, List<FunctionShape> shapes, List<Integer> functionTypes) {
    return new StatementScanner(reader, shapes, functionTypes).find(partBytes);
  }

  private List<Integer> find(int partBytes) {
    List<Integer> cuts = new ArrayList<>();
    int partStart = reader.position();
    int candidate = -1;
    while (reader.hasMore() && step()) {
      int position = reader.position();
      if (depth > 0 || height != 0 || reader.peekByte() == END) {
        continue;
      }
      if (candidate > partStart && position - partStart > partBytes) {
        cuts.add(candidate);
        partStart = candidate;
      }
      candidate = position;
    }
    if (candidate > partStart && reader.position() - partStart > partBytes) {
      cuts.add(candidate);
    }
    return cuts;
  }

  /** Passes over one instruction; false where the outermost level ends or cannot be followed. */
  private boolean step() {
    int opcode = reader.readByte();
    switch (opcode) {
      case BLOCK, LOOP, IF -> enterBlock(opcode);
      case END -> {
        if (depth == 0) {
          return false;
        }
        depth--;
      }
      case ELSE, NOP -> {
        // No operands, and no effect on the height.
      }
      case UNREACHABLE, RETURN -> {
        return depth > 0;
      }
      case BR -> {
        reader.skipNumber();
        return depth > 0;
      }
      case BR_TABLE -> {
        int targets = reader.readUnsigned();
        for (int i = 0; i <= targets; i++) {
          reader.skipNumber();
        }
        return depth > 0;
      }
      case BR_IF, LOCAL_SET, GLOBAL_SET -> {
        reader.skipNumber();
        change(-1);
      }
      case CALL -> call(shapes.get(functionTypes.get(reader.readUnsigned())), 0);
      case CALL_INDIRECT -> {
        FunctionShape shape = shapes.get(reader.readUnsigned());
        reader.skipNumber();
        call(shape, 1);
      }
      case DROP -> change(-1);
      case SELECT -> change(-2);
      case LOCAL_GET, GLOBAL_GET, I32_CONST, I64_CONST, MEMORY_SIZE -> {
        reader.skipNumber();
        change(1);
      }
      case LOCAL_TEE, MEMORY_GROW -> reader.skipNumber();
      case F32_CONST, F64_CONST -> {
        reader.skip(opcode == F32_CONST ? 4 : 8);
        change(1);
      }
      default -> {
        return plainInstruction(opcode);
      }
    }
    return true;
  }

  private boolean plainInstruction(int opcode) {
    if (opcode >= FIRST_LOAD && opcode <= LAST_STORE) {
      reader.skipNumber();
      reader.skipNumber();
      change(opcode <= LAST_LOAD ? 0 : -2);
      return true;
    }
    if (opcode > F64_CONST && opcode <= LAST_NUMERIC) {
      change(isBinary(opcode) ? -1 : 0);
      return true;
    }
    return false;
  }

  /** Whether a numeric instruction takes two operands; the others take one. */
  private static boolean isBinary(int opcode) {
    return (opcode >= 0x46 && opcode <= 0x4F)
        || (opcode >= 0x51 && opcode <= 0x66)
        || (opcode >= 0x6A && opcode <= 0x78)
        || (opcode >= 0x7C && opcode <= 0x8A)
        || (opcode >= 0x92 && opcode <= 0x98)
        || (opcode >= 0xA0 && opcode <= 0xA6);
  }

  /** Counts what the whole block does to the height, at its beginning. */
  private void enterBlock(int opcode) {
    int type = reader.peekByte();
    if (opcode == IF) {
      change(-1);
    }
    if (type == EMPTY_BLOCK_TYPE) {
      reader.readByte();
    } else if (type >= 0x6F && type <= 0x7F) {
      reader.readByte();
      change(1);
    } else {
      FunctionShape shape = shapes.get(reader.readUnsigned());
      change(shape.results().length - shape.parameters().length);
    }
    depth++;
  }

  private void call(FunctionShape shape, int furtherOperands) {
    change(shape.results().length - shape.parameters().length - furtherOperands);
  }

  private void change(int difference) {
    if (depth == 0) {
      height += difference;
    }
  }
}
