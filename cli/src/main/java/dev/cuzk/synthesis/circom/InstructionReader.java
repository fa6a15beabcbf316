package dev.cuzk.synthesis.circom;

import dev.cuzk.synthesis.circom.FunctionSplitter.FunctionShape;
import dev.cuzk.synthesis.circom.WasmBinary.Reader;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Reads a function's instructions one by one, and tells what each does to the operand stack. Knows
 * the instructions of WebAssembly 1.0 (Core Specification 1.0, section 5.4).
 */
final class InstructionReader {
  static final int END = 0x0B;
  static final int CALL = 0x10;
  static final int LOCAL_GET = 0x20;
  static final int LOCAL_SET = 0x21;

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
  private static final int FIRST_VALUE_TYPE = 0x6F;
  private static final int LAST_VALUE_TYPE = 0x7F;

  /** What kind of instruction it is. */
  enum Kind {
    /** Goes on with the next instruction. */
    PLAIN,
    /** Begins a block; the counts are those of the whole block. */
    BEGIN,
    /** Between the two arms of an if. */
    ELSE,
    /** Ends a block, or the function. */
    END,
    /** Jumps if a condition holds. */
    CONDITIONAL_JUMP,
    /** Never goes on with the next instruction. */
    JUMP,
    /** Not an instruction of WebAssembly 1.0: its length is not known. */
    UNKNOWN
  }

  private final Reader reader;
  private final List<FunctionShape> shapes;
  private final IntFunction<FunctionShape> functionShapes;
  private Kind kind = Kind.PLAIN;
  private int pops;
  private int pushes;
  private int writtenLocal;

  /**
   * @param shapes the module's types
   * @param functionShapes the type of each function, by index
   */
  InstructionReader(
      Reader reader, List<FunctionShape> shapes, IntFunction<FunctionShape> functionShapes) {
    this.reader = reader;
    this.shapes = shapes;
    this.functionShapes = functionShapes;
  }

  int position() {
    return reader.position();
  }

  boolean hasMore() {
    return reader.hasMore();
  }

  boolean nextIsEnd() {
    return reader.peekByte() == END;
  }

  Kind kind() {
    return kind;
  }

  /** Operands that the instruction takes from the stack. */
  int pops() {
    return pops;
  }

  /** Results that it leaves on the stack. */
  int pushes() {
    return pushes;
  }

  /** The local that it sets, or −1. */
  int writtenLocal() {
    return writtenLocal;
  }

  private void set(Kind newKind, int newPops, int newPushes) {
    kind = newKind;
    pops = newPops;
    pushes = newPushes;
  }

  /** Passes over the next instruction. */
  void next() {
    writtenLocal = -1;
    int opcode = reader.readByte();
    switch (opcode) {
      case BLOCK, LOOP, IF -> begin(opcode);
      case ELSE -> set(Kind.ELSE, 0, 0);
      case END -> set(Kind.END, 0, 0);
      case BR -> {
        reader.skipNumber();
        set(Kind.JUMP, 0, 0);
      }
      case BR_TABLE -> {
        int targets = reader.readUnsigned();
        for (int i = 0; i <= targets; i++) {
          reader.skipNumber();
        }
        set(Kind.JUMP, 1, 0);
      }
      case BR_IF -> {
        reader.skipNumber();
        set(Kind.CONDITIONAL_JUMP, 1, 0);
      }
      case UNREACHABLE, RETURN -> set(Kind.JUMP, 0, 0);
      default -> plain(opcode);
    }
  }

  private void begin(int opcode) {
    int type = reader.peekByte();
    int condition = opcode == IF ? 1 : 0;
    if (type == EMPTY_BLOCK_TYPE) {
      reader.readByte();
      set(Kind.BEGIN, condition, 0);
    } else if (type >= FIRST_VALUE_TYPE && type <= LAST_VALUE_TYPE) {
      reader.readByte();
      set(Kind.BEGIN, condition, 1);
    } else {
      FunctionShape shape = shapes.get(reader.readUnsigned());
      set(Kind.BEGIN, condition + shape.parameters().length, shape.results().length);
    }
  }

  private void plain(int opcode) {
    switch (opcode) {
      case NOP -> set(Kind.PLAIN, 0, 0);
      case CALL -> call(functionShapes.apply(reader.readUnsigned()), 0);
      case CALL_INDIRECT -> {
        FunctionShape shape = shapes.get(reader.readUnsigned());
        reader.skipNumber();
        call(shape, 1);
      }
      case DROP -> set(Kind.PLAIN, 1, 0);
      case SELECT -> set(Kind.PLAIN, 3, 1);
      case LOCAL_SET -> {
        writtenLocal = reader.readUnsigned();
        set(Kind.PLAIN, 1, 0);
      }
      case LOCAL_TEE -> {
        writtenLocal = reader.readUnsigned();
        set(Kind.PLAIN, 1, 1);
      }
      case GLOBAL_SET -> {
        reader.skipNumber();
        set(Kind.PLAIN, 1, 0);
      }
      case LOCAL_GET, GLOBAL_GET, I32_CONST, I64_CONST, MEMORY_SIZE -> {
        reader.skipNumber();
        set(Kind.PLAIN, 0, 1);
      }
      case MEMORY_GROW -> {
        reader.skipNumber();
        set(Kind.PLAIN, 1, 1);
      }
      case F32_CONST, F64_CONST -> {
        reader.skip(opcode == F32_CONST ? Float.BYTES : Double.BYTES);
        set(Kind.PLAIN, 0, 1);
      }
      default -> memoryOrNumeric(opcode);
    }
  }

  private void call(FunctionShape shape, int furtherOperands) {
    set(Kind.PLAIN, shape.parameters().length + furtherOperands, shape.results().length);
  }

  private void memoryOrNumeric(int opcode) {
    if (opcode >= FIRST_LOAD && opcode <= LAST_STORE) {
      reader.skipNumber();
      reader.skipNumber();
      boolean load = opcode <= LAST_LOAD;
      set(Kind.PLAIN, load ? 1 : 2, load ? 1 : 0);
    } else if (opcode > F64_CONST && opcode <= LAST_NUMERIC) {
      set(Kind.PLAIN, isBinary(opcode) ? 2 : 1, 1);
    } else {
      set(Kind.UNKNOWN, 0, 0);
    }
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
}
