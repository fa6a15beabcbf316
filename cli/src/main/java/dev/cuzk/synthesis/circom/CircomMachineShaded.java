package dev.cuzk.synthesis.circom;

import com.dylibso.chicory.compiler.internal.Shaded;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Memory;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import dev.cuzk.synthesis.circom.FieldFunctions.Operation;

/**
 * What the classes that Chicory's compiler makes from a circom program call for memory, tables and
 * globals. Not for other callers: it is public because the compiled classes live in a class loader,
 * hence a package, of their own.
 *
 * <p>The compiler would copy Chicory's {@code Shaded} beside each compiled module, under the name
 * of the module's class followed by {@code Shaded}; ours is found in its place. It differs in two
 * ways: memory is a {@link FlatMemory}, reached without an interface call, and only what a circom
 * program can use is there. Addresses are {@code base + offset}, both unsigned; one above 2 GiB is
 * out of bounds.
 */
public final class CircomMachineShaded {
  private static final Field BN254 = Field.scalar(CurveId.BN254);
  private static final Field BLS12_381 = Field.scalar(CurveId.BLS12_381);

  private CircomMachineShaded() {}

  private static byte[] bytes(Memory memory) {
    return ((FlatMemory) memory).bytes();
  }

  private static int address(int base, int offset) {
    // A negative base is an unsigned one above 2 GiB; adding could wrap it into bounds.
    return base < 0 ? base : base + offset;
  }

  public static byte memoryReadByte(int base, int offset, Memory memory) {
    return bytes(memory)[address(base, offset)];
  }

  public static short memoryReadShort(int base, int offset, Memory memory) {
    return memory.readShort(address(base, offset));
  }

  public static int memoryReadInt(int base, int offset, Memory memory) {
    return FlatMemory.readInt(bytes(memory), address(base, offset));
  }

  public static long memoryReadLong(int base, int offset, Memory memory) {
    return FlatMemory.readLong(bytes(memory), address(base, offset));
  }

  public static float memoryReadFloat(int base, int offset, Memory memory) {
    return memory.readFloat(address(base, offset));
  }

  public static double memoryReadDouble(int base, int offset, Memory memory) {
    return memory.readDouble(address(base, offset));
  }

  public static void memoryWriteByte(int base, byte value, int offset, Memory memory) {
    bytes(memory)[address(base, offset)] = value;
  }

  public static void memoryWriteShort(int base, short value, int offset, Memory memory) {
    memory.writeShort(address(base, offset), value);
  }

  public static void memoryWriteInt(int base, int value, int offset, Memory memory) {
    FlatMemory.writeInt(bytes(memory), address(base, offset), value);
  }

  public static void memoryWriteLong(int base, long value, int offset, Memory memory) {
    FlatMemory.writeLong(bytes(memory), address(base, offset), value);
  }

  public static void memoryWriteFloat(int base, float value, int offset, Memory memory) {
    memory.writeF32(address(base, offset), value);
  }

  public static void memoryWriteDouble(int base, double value, int offset, Memory memory) {
    memory.writeF64(address(base, offset), value);
  }

  // ---- circom's field arithmetic (FieldFunctions); false = left to the program's own function

  public static boolean fieldAdd(int x, int y, int result, Memory memory, int curve) {
    return field(Operation.ADD, x, y, result, memory, curve);
  }

  public static boolean fieldSubtract(int x, int y, int result, Memory memory, int curve) {
    return field(Operation.SUBTRACT, x, y, result, memory, curve);
  }

  public static boolean fieldMultiply(int x, int y, int result, Memory memory, int curve) {
    return field(Operation.MULTIPLY, x, y, result, memory, curve);
  }

  public static boolean fieldSquare(int x, int result, Memory memory, int curve) {
    return field(Operation.SQUARE, x, x, result, memory, curve);
  }

  public static boolean fieldFromMontgomery(int x, int result, Memory memory, int curve) {
    return field(Operation.FROM_MONTGOMERY, x, x, result, memory, curve);
  }

  public static boolean fieldInverse(int x, int result, Memory memory, int curve) {
    return field(Operation.INVERSE, x, x, result, memory, curve);
  }

  public static boolean divideIntegers(
      int x, int y, int quotient, int remainder, Memory memory, int curve) {
    return FieldFunctions.divide(fieldOf(curve), bytes(memory), x, y, quotient, remainder);
  }

  private static Field fieldOf(int curve) {
    return curve == CurveId.BN254.ordinal() ? BN254 : BLS12_381;
  }

  private static boolean field(
      Operation operation, int x, int y, int result, Memory memory, int curve) {
    return FieldFunctions.apply(operation, fieldOf(curve), bytes(memory), x, y, result);
  }

  public static void memoryCopy(int destination, int source, int size, Memory memory) {
    memory.copy(destination, source, size);
  }

  public static void memoryFill(int start, byte value, int size, Memory memory) {
    memory.fill(value, start, start + size);
  }

  public static void memoryInit(int destination, int offset, int size, int segment, Memory memory) {
    memory.initPassiveSegment(segment, destination, offset, size);
  }

  public static void memoryDrop(int segment, Memory memory) {
    memory.drop(segment);
  }

  public static int memoryGrow(int pages, Memory memory) {
    return memory.grow(pages);
  }

  public static int memoryPages(Memory memory) {
    return memory.pages();
  }

  public static int i32_ge_u(int a, int b) {
    return Integer.compareUnsigned(a, b) >= 0 ? 1 : 0;
  }

  public static long readGlobal(int index, Instance instance) {
    return Shaded.readGlobal(index, instance);
  }

  public static void writeGlobal(long value, int index, Instance instance) {
    Shaded.writeGlobal(value, index, instance);
  }

  public static long[] callIndirect(long[] arguments, int type, int function, Instance instance) {
    return Shaded.callIndirect(arguments, type, function, instance);
  }

  public static long[] callIndirect(long[] arguments, int function, Instance instance) {
    return Shaded.callIndirect(arguments, function, instance);
  }

  public static long[] callHostFunction(Instance instance, int function, long[] arguments) {
    return Shaded.callHostFunction(instance, function, arguments);
  }

  /** Throws when the thread is interrupted: a stop request ends a long witness. */
  public static void checkInterruption() {
    Shaded.checkInterruption();
  }

  public static RuntimeException throwCallStackExhausted(StackOverflowError e) {
    // Left as it is: the caller tells it from other errors, and goes on with a larger stack.
    throw e;
  }

  public static RuntimeException throwIndirectCallTypeMismatch() {
    return Shaded.throwIndirectCallTypeMismatch();
  }

  public static RuntimeException throwOutOfBoundsMemoryAccess() {
    return Shaded.throwOutOfBoundsMemoryAccess();
  }

  public static RuntimeException throwTrapException() {
    return Shaded.throwTrapException();
  }

  public static RuntimeException throwNullFunctionReference() {
    return Shaded.throwNullFunctionReference();
  }

  public static RuntimeException throwUnknownFunction(int index) {
    return Shaded.throwUnknownFunction(index);
  }
}
