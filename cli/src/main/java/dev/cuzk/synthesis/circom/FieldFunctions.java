package dev.cuzk.synthesis.circom;

import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.ActiveDataSegment;
import com.dylibso.chicory.wasm.types.DataSegment;
import com.dylibso.chicory.wasm.types.OpCode;
import dev.cuzk.format.Sha256;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import dev.cuzk.synthesis.circom.WasmBinary.Reader;
import dev.cuzk.synthesis.circom.WasmBinary.Section;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The field arithmetic that circom puts, byte for byte the same, in front of every program over a
 * curve: which of its functions have a counterpart in {@link CircomMachineShaded}.
 *
 * <p>A program is recognised by the SHA-256 of the code of its first sixty functions, which are
 * that arithmetic whole, and by the prime among its constants. Nothing else about it is taken on
 * trust: in any other program no function is replaced, and operands that are not below the prime,
 * for which circom promises nothing, go to the program's own function.
 */
final class FieldFunctions {
  private static final int COUNT = 60;
  private static final int IMPORTS = 4;
  private static final int PRIME_ADDRESS = 608;

  private static final Map<String, CurveId> CURVES =
      Map.of(
          "663bd9a6862efc6be7418839090ade1d28730cf9901b90059dd2d78306aa2184", CurveId.BN254,
          "2ac0f45437b5eca6676eef1384c9bd9e7eb0de7bac63b0b7f8a8efa269ce05eb", CurveId.BLS12_381);

  /** Operations on elements in the program's memory, by the index of their function. */
  enum Operation {
    DIVIDE_INTEGERS(18, 4, "divideIntegers"),
    ADD(20, 3, "fieldAdd"),
    SUBTRACT(21, 3, "fieldSubtract"),
    MULTIPLY(24, 3, "fieldMultiply"),
    SQUARE(25, 2, "fieldSquare"),
    FROM_MONTGOMERY(28, 2, "fieldFromMontgomery"),
    INVERSE(30, 2, "fieldInverse");

    private static final Map<String, Operation> BY_METHOD =
        Stream.of(values()).collect(Collectors.toMap(one -> "func_" + one.index, one -> one));

    private final int index;
    private final int addresses;
    private final String javaMethod;

    Operation(int index, int addresses, String javaMethod) {
      this.index = index;
      this.addresses = addresses;
      this.javaMethod = javaMethod;
    }

    /** Of {@link CircomMachineShaded}. */
    String javaMethod() {
      return javaMethod;
    }

    int index() {
      return index;
    }

    /** Addresses that the function takes: its operands, then its results. */
    int addresses() {
      return addresses;
    }

    /** The operation that a compiled method is. */
    static Optional<Operation> ofMethod(String name) {
      return Optional.ofNullable(BY_METHOD.get(name));
    }
  }

  private FieldFunctions() {}

  /** Over which curve's scalars a program computes with circom's own arithmetic. */
  static Optional<CurveId> recognise(byte[] wasm, WasmModule module) {
    if (module.importSection().importCount() != IMPORTS
        || module.functionSection().functionCount() < COUNT) {
      return Optional.empty();
    }
    return Optional.ofNullable(CURVES.get(digest(wasm)))
        .filter(curve -> hasPrime(module, curve.scalarModulus()));
  }

  private static String digest(byte[] wasm) {
    MessageDigest digest = Sha256.create();
    for (Section section : WasmBinary.sections(wasm)) {
      if (section.id() == WasmBinary.SECTION_CODE) {
        Reader reader = new Reader(wasm, section);
        reader.readUnsigned();
        int start = reader.position();
        for (int i = 0; i < COUNT; i++) {
          reader.skip(reader.readUnsigned());
        }
        digest.update(wasm, start, reader.position() - start);
      }
    }
    return Sha256.hex(digest.digest());
  }

  /** Whether exactly one segment touches the prime's place, and it holds that prime. */
  private static boolean hasPrime(WasmModule module, BigInteger prime) {
    Field field = new Field(prime);
    int found = 0;
    for (int i = 0; i < module.dataSection().dataSegmentCount(); i++) {
      DataSegment segment = module.dataSection().getDataSegment(i);
      if (!(segment instanceof ActiveDataSegment active)
          || active.offsetInstructions().get(0).opcode() != OpCode.I32_CONST) {
        return false;
      }
      long start = active.offsetInstructions().get(0).operand(0) & 0xFFFF_FFFFL;
      byte[] data = active.data();
      if (start + data.length <= PRIME_ADDRESS || start >= PRIME_ADDRESS + field.bytes()) {
        continue;
      }
      found++;
      int at = (int) (PRIME_ADDRESS - start);
      if (at < 0 || at + field.bytes() > data.length || !holds(data, at, prime)) {
        return false;
      }
    }
    return found == 1;
  }

  private static boolean holds(byte[] data, int at, BigInteger prime) {
    byte[] bigEndian = new byte[CurveId.SCALAR_BYTES];
    for (int i = 0; i < bigEndian.length; i++) {
      bigEndian[i] = data[at + bigEndian.length - 1 - i];
    }
    return new BigInteger(1, bigEndian).equals(prime);
  }

  /**
   * Does an operation in the program's memory, unless an operand is not below the prime or has no
   * inverse. Elements are read before the result is written: addresses may be equal.
   *
   * @return whether it was done; if not, nothing was written
   */
  static boolean apply(Operation operation, Field field, byte[] memory, int x, int y, int result) {
    int size = field.size();
    long[] words = new long[3 * size];
    if (!read(field, memory, x, words, 0)) {
      return false;
    }
    if (operation.addresses == 3 && !read(field, memory, y, words, size)) {
      return false;
    }
    int z = 2 * size;
    switch (operation) {
      case ADD -> field.add(words, z, words, 0, words, size);
      case SUBTRACT -> field.subtract(words, z, words, 0, words, size);
      case MULTIPLY -> field.multiply(words, z, words, 0, words, size);
      case SQUARE -> field.square(words, z, words, 0);
      case FROM_MONTGOMERY -> field.fromMontgomery(words, z, words, 0);
      case INVERSE -> {
        if (field.isZero(words, 0)) {
          return false;
        }
        field.inverse(words, z, words, 0);
      }
      default -> throw new IllegalArgumentException(operation.name());
    }
    for (int i = 0; i < size; i++) {
      FlatMemory.writeLong(memory, result + 8 * i, words[z + i]);
    }
    return true;
  }

  /**
   * Divides canonical numbers below the prime; an address of 0 leaves that result out. Addresses
   * that coincide in a way that circom's own code never uses are left to that.
   *
   * @return whether it was done; if not, nothing was written
   */
  static boolean divide(Field field, byte[] memory, int x, int y, int quotient, int remainder) {
    int size = field.size();
    long[] words = new long[2 * size];
    if (quotient == remainder
        || remainder == y
        || !read(field, memory, x, words, 0)
        || !read(field, memory, y, words, size)
        || field.isZero(words, size)) {
      return false;
    }
    if (isShort(words, 0) && isShort(words, size)) {
      writeWord(memory, quotient, Long.divideUnsigned(words[0], words[size]));
      writeWord(memory, remainder, Long.remainderUnsigned(words[0], words[size]));
      return true;
    }
    BigInteger[] results = number(words, 0).divideAndRemainder(number(words, size));
    writeNumber(memory, quotient, results[0]);
    writeNumber(memory, remainder, results[1]);
    return true;
  }

  private static boolean isShort(long[] words, int at) {
    return (words[at + 1] | words[at + 2] | words[at + 3]) == 0;
  }

  private static BigInteger number(long[] words, int at) {
    byte[] bigEndian = new byte[CurveId.SCALAR_BYTES];
    for (int i = 0; i < bigEndian.length; i++) {
      bigEndian[bigEndian.length - 1 - i] = (byte) (words[at + i / 8] >>> 8 * (i % 8));
    }
    return new BigInteger(1, bigEndian);
  }

  private static void writeWord(byte[] memory, int address, long word) {
    if (address != 0) {
      FlatMemory.writeLong(memory, address, word);
      for (int i = 8; i < CurveId.SCALAR_BYTES; i += 8) {
        FlatMemory.writeLong(memory, address + i, 0);
      }
    }
  }

  private static void writeNumber(byte[] memory, int address, BigInteger value) {
    if (address != 0) {
      byte[] bigEndian = value.toByteArray();
      for (int i = 0; i < CurveId.SCALAR_BYTES; i++) {
        int from = bigEndian.length - 1 - i;
        memory[address + i] = from < 0 ? 0 : bigEndian[from];
      }
    }
  }

  private static boolean read(Field field, byte[] memory, int address, long[] words, int at) {
    for (int i = 0; i < field.size(); i++) {
      words[at + i] = FlatMemory.readLong(memory, address + 8 * i);
    }
    return field.isReduced(words, at);
  }
}
