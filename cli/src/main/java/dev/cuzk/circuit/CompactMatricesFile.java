package dev.cuzk.circuit;

import dev.cuzk.format.InputException;
import dev.cuzk.format.Sha256;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * {@link CompactMatrices} as a file, for the cache; docs/FORMATS.md has it byte for byte. The
 * circuit's digest and a SHA-256 of the content stand in front: a file that is damaged or of
 * another circuit is refused.
 */
public final class CompactMatricesFile {
  private static final byte[] MAGIC = {'c', 'u', 'z', 'k', 'm', 't', 'x', '1'};
  private static final int HASH_BYTES = 32;
  private static final int HEAD_BYTES = MAGIC.length + 2 * HASH_BYTES;
  private static final int WORDS = 4;

  private CompactMatricesFile() {}

  /**
   * The file's bytes.
   *
   * @param digest r1cs-digest-v1 of the expanded system, hexadecimal
   */
  public static ByteBuffer encode(CompactMatrices matrices, String digest) {
    long size = HEAD_BYTES + contentBytes(matrices);
    ByteBuffer file = ByteBuffer.allocate(Math.toIntExact(size)).order(ByteOrder.LITTLE_ENDIAN);
    file.put(MAGIC).put(HexFormat.of().parseHex(digest)).position(HEAD_BYTES);
    putContent(file, matrices);
    byte[] hash = hash(file);
    file.rewind();
    file.put(HEAD_BYTES - HASH_BYTES, hash);
    return file;
  }

  /** What follows the digests, from the modulus on, in a direct buffer: for devices. */
  public static ByteBuffer encodeContent(CompactMatrices matrices) {
    ByteBuffer content =
        ByteBuffer.allocateDirect(Math.toIntExact(contentBytes(matrices)))
            .order(ByteOrder.LITTLE_ENDIAN);
    putContent(content, matrices);
    return content.rewind();
  }

  private static long contentBytes(CompactMatrices matrices) {
    int terms = 0;
    int ends = 0;
    for (ConstraintTemplate template : matrices.templates) {
      terms += template.variables.length;
      ends += template.termEnds.length;
    }
    return HASH_BYTES
        + 7 * 4L
        + 32L * matrices.coefficients()
        + 8L * matrices.templates()
        + 4L * ends
        + 6L * terms
        + 4L * (5L * matrices.places() + 1)
        + 4L * matrices.arguments.length;
  }

  private static void putContent(ByteBuffer file, CompactMatrices matrices) {
    int constraints = 0;
    for (ConstraintTemplate template : matrices.templates) {
      constraints += template.constraints();
    }
    file.put(littleEndian(matrices.field().modulus()));
    file.putInt(matrices.publicInputs()).putInt(matrices.auxiliaries);
    file.putInt(matrices.coefficients()).putInt(matrices.templates()).putInt(constraints);
    file.putInt(matrices.places()).putInt(matrices.arguments.length);
    putTemplates(file, matrices);
    putPlaces(file, matrices);
  }

  private static void putTemplates(ByteBuffer file, CompactMatrices matrices) {
    long[] words = matrices.table.words();
    for (int i = 0; i < WORDS * matrices.coefficients(); i++) {
      file.putLong(words[i]);
    }
    for (ConstraintTemplate template : matrices.templates) {
      file.putInt(template.constraints()).putInt(template.variables.length);
    }
    for (ConstraintTemplate template : matrices.templates) {
      put(file, template.termEnds);
      put(file, template.variables);
      file.asCharBuffer().put(template.coefficients);
      file.position(file.position() + 2 * template.coefficients.length);
    }
  }

  private static void putPlaces(ByteBuffer file, CompactMatrices matrices) {
    put(file, matrices.template);
    put(file, matrices.firstConstraint);
    put(file, matrices.firstAuxiliary);
    put(file, matrices.firstInput);
    put(file, matrices.firstArgument);
    put(file, matrices.arguments);
  }

  private static byte[] hash(ByteBuffer file) {
    MessageDigest sha = Sha256.create();
    sha.update(file.duplicate().position(HEAD_BYTES));
    return sha.digest();
  }

  private static void put(ByteBuffer file, int[] values) {
    file.asIntBuffer().put(values);
    file.position(file.position() + 4 * values.length);
  }

  private static byte[] littleEndian(BigInteger value) {
    byte[] bytes = new byte[HASH_BYTES];
    byte[] bigEndian = value.toByteArray();
    for (int i = 0; i < Math.min(HASH_BYTES, bigEndian.length); i++) {
      bytes[i] = bigEndian[bigEndian.length - 1 - i];
    }
    return bytes;
  }

  /**
   * Reads a file.
   *
   * @param name of the circuit, for messages about it
   * @param digest that the file must have been written for, hexadecimal
   * @throws InputException if it cannot be read, is no such file, is damaged, or is of another
   *     circuit or curve
   */
  public static CompactMatrices read(Path path, String name, CurveId curve, String digest)
      throws InputException {
    ByteBuffer file = load(path);
    byte[] magic = new byte[MAGIC.length];
    byte[] ofCircuit = new byte[HASH_BYTES];
    byte[] ofContent = new byte[HASH_BYTES];
    if (file.limit() < HEAD_BYTES + HASH_BYTES) {
      throw damaged(path, "too short (" + file.limit() + " bytes)");
    }
    file.get(magic).get(ofCircuit).get(ofContent);
    if (!Arrays.equals(magic, MAGIC)) {
      throw damaged(path, "not a file of compact matrices");
    }
    if (!Arrays.equals(ofContent, hash(file))) {
      throw damaged(path, "its content does not match its SHA-256");
    }
    byte[] modulus = new byte[HASH_BYTES];
    file.get(modulus);
    if (!Arrays.equals(ofCircuit, HexFormat.of().parseHex(digest))
        || !Arrays.equals(modulus, littleEndian(Field.scalar(curve).modulus()))) {
      throw new InputException(path.toString(), "the matrices of another circuit than " + name);
    }
    return decode(file, name, curve);
  }

  private static CompactMatrices decode(ByteBuffer file, String name, CurveId curve) {
    int inputs = file.getInt();
    int auxiliaries = file.getInt();
    int coefficients = file.getInt();
    int[] constraints = new int[file.getInt()];
    int[] terms = new int[constraints.length];
    file.getInt();
    int places = file.getInt();
    int arguments = file.getInt();
    CoefficientTable table = new CoefficientTable();
    for (int i = 0; i < coefficients; i++) {
      table.number(file.getLong(), file.getLong(), file.getLong(), file.getLong());
    }
    for (int i = 0; i < terms.length; i++) {
      constraints[i] = file.getInt();
      terms[i] = file.getInt();
    }
    ConstraintTemplate[] templates = new ConstraintTemplate[terms.length];
    for (int i = 0; i < templates.length; i++) {
      int[] ends = ints(file, 3 * constraints[i]);
      int[] variables = ints(file, terms[i]);
      char[] numbers = new char[terms[i]];
      file.asCharBuffer().get(numbers);
      file.position(file.position() + 2 * numbers.length);
      templates[i] = new ConstraintTemplate(table, ends, variables, numbers);
    }
    return new CompactMatrices(
        name,
        curve,
        table,
        templates,
        inputs,
        auxiliaries,
        new CompactMatrices.Places(
            ints(file, places),
            ints(file, places + 1),
            ints(file, places),
            ints(file, places),
            ints(file, places),
            ints(file, arguments)));
  }

  private static int[] ints(ByteBuffer file, int count) {
    int[] values = new int[count];
    file.asIntBuffer().get(values);
    file.position(file.position() + 4 * count);
    return values;
  }

  private static ByteBuffer load(Path path) throws InputException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      ByteBuffer file = ByteBuffer.allocate(Math.toIntExact(channel.size()));
      int count = 0;
      while (file.hasRemaining() && count >= 0) {
        count = channel.read(file);
      }
      return file.flip().order(ByteOrder.LITTLE_ENDIAN);
    } catch (IOException | ArithmeticException e) {
      throw new InputException(path.toString(), "cannot be read (" + e.getMessage() + ")", e);
    }
  }

  private static InputException damaged(Path path, String problem) {
    return new InputException(path.toString(), problem + ". " + InputException.DAMAGED);
  }
}
