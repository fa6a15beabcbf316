package dev.cuzk.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.format.R1csWriter.Term;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.PlainBuffer;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class R1csFileTest {
  private static final BigInteger MINUS_ONE =
      CurveId.BN254.scalarModulus().subtract(BigInteger.ONE);

  @TempDir Path folder;

  /** Two constraints over ONE, one output, one public and two private inputs, one more wire. */
  private Path write() throws IOException {
    Path path = folder.resolve("two.r1cs");
    var header = new R1csFile.Header(CurveId.BN254, 6, 1, 1, 2, 9, 0);
    try (R1csWriter writer = new R1csWriter(path, header)) {
      writer.constraint(
          List.of(new Term(3, 1)),
          List.of(new Term(4, 1), new Term(0, 7)),
          List.of(new Term(5, 1)));
      writer.constraint(
          List.of(new Term(5, MINUS_ONE)),
          List.of(),
          List.of(new Term(1, 1), new Term(2, MINUS_ONE)));
      assertFalse(Files.exists(path));
      writer.commit();
    }
    return path;
  }

  private static List<String> terms(R1csFile file) throws InputException {
    List<String> seen = new ArrayList<>();
    file.forEach(
        new R1csFile.Visitor() {
          @Override
          public void term(int matrix, long row, long wire, long v0, long v1, long v2, long v3) {
            BigInteger value =
                LittleEndian.toInteger(
                    ByteBuffer.allocate(32)
                        .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                        .putLong(v0)
                        .putLong(v1)
                        .putLong(v2)
                        .putLong(v3)
                        .array(),
                    0,
                    32);
            seen.add(row + ":" + "ABC".charAt(matrix) + wire + "*" + value);
          }

          @Override
          public void endOfConstraint(long row) {
            seen.add("end " + row);
          }
        });
    return seen;
  }

  @Test
  void shouldReadWhatItWrote() throws IOException, InputException {
    try (R1csFile file = R1csFile.open(FileRange.whole(write()))) {
      assertEquals(new R1csFile.Header(CurveId.BN254, 6, 1, 1, 2, 9, 2), file.header());
      assertEquals(2, file.header().publicSignals());
      assertEquals(
          List.of(
              "0:A3*1",
              "0:B4*1",
              "0:B0*7",
              "0:C5*1",
              "end 0",
              "1:A5*" + MINUS_ONE,
              "1:C1*1",
              "1:C2*" + MINUS_ONE,
              "end 1"),
          terms(file));
    }
  }

  @Test
  void shouldReadSystemsWhosePrivateInputsWereSimplifiedAway() throws Exception {
    Path path = folder.resolve("less.r1cs");
    var header = new R1csFile.Header(CurveId.BN254, 3, 1, 1, 5, 9, 0);
    try (R1csWriter writer = new R1csWriter(path, header)) {
      writer.commit();
    }
    try (R1csFile file = R1csFile.open(FileRange.whole(path))) {
      assertEquals(header, file.header());
    }
  }

  @Test
  void shouldLeaveNothingBehindWithoutCommit() throws IOException {
    var header = new R1csFile.Header(CurveId.BN254, 1, 0, 0, 0, 1, 0);
    new R1csWriter(folder.resolve("none.r1cs"), header).close();
    try (var files = Files.list(folder)) {
      assertEquals(0, files.count());
    }
  }

  @Test
  void shouldNotWriteWhatItWouldNotRead() throws IOException {
    var header = new R1csFile.Header(CurveId.BN254, 2, 0, 0, 0, 1, 0);
    try (R1csWriter writer = new R1csWriter(folder.resolve("bad.r1cs"), header)) {
      List<Term> zero = List.of();
      List<Term> wire = List.of(new Term(2, 1));
      List<Term> value = List.of(new Term(1, CurveId.BN254.scalarModulus()));
      assertThrows(IllegalArgumentException.class, () -> writer.constraint(wire, zero, zero));
      assertThrows(IllegalArgumentException.class, () -> writer.constraint(zero, value, zero));
    }
  }

  @Test
  void shouldRefuseBrokenSystems() throws IOException {
    byte[] good = Files.readAllBytes(write());
    assertTrue(refusal(good, raw -> raw.without(2)).contains("section 2"));
    assertTrue(refusal(good, raw -> raw.edit(2, b -> b.putInt(4, 6))).contains("less than 6"));
    assertTrue(refusal(good, raw -> raw.edit(2, b -> b.putInt(36, -1))).contains("canonical"));
    assertTrue(refusal(good, raw -> raw.edit(2, b -> b.putInt(0, -1))).contains("more terms"));
    assertTrue(refusal(good, raw -> raw.edit(1, b -> b.putInt(36, 2))).contains("fewer wires"));
    assertTrue(refusal(good, raw -> raw.edit(1, b -> b.putInt(60, 90))).contains("too short"));
    assertTrue(refusal(good, raw -> raw.edit(1, b -> b.putInt(60, 1))).contains("more than"));
    assertTrue(refusal(good, raw -> raw.with(3, new byte[47])).contains("labels"));
    assertTrue(refusal(good, raw -> custom(raw, 1)).contains("custom gates"));
    byte[] section = RawBinfile.parse(good).section(2);
    byte[] cut = Arrays.copyOf(section, section.length - 1);
    assertTrue(refusal(good, raw -> raw.with(2, cut)).contains("section 2"));
  }

  @Test
  void shouldAcceptUnusedCustomGatesAndMissingLabels() throws IOException, InputException {
    RawBinfile raw = RawBinfile.parse(Files.readAllBytes(write()));
    read(custom(raw, 0).without(3).bytes());
  }

  private static RawBinfile custom(RawBinfile raw, int count) {
    return raw.map(list -> list.add(new RawBinfile.RawSection(4, RawBinfile.u32(count))));
  }

  private static String refusal(byte[] good, UnaryOperator<RawBinfile> change) {
    byte[] bad = change.apply(RawBinfile.parse(good)).bytes();
    return assertThrows(InputException.class, () -> read(bad)).getMessage();
  }

  private static void read(byte[] bytes) throws InputException {
    try (R1csFile file = R1csFile.open(ByteSource.of("test.r1cs", bytes))) {
      terms(file);
    }
  }

  @Test
  void shouldFindEverySampleSatisfiedByItsWitness() throws InputException {
    Path sample = TestFiles.sample("merkle16-bls12381");
    try (R1csFile file = R1csFile.open(FileRange.whole(sample.resolve("circuit.r1cs")));
        WtnsFile witness = WtnsFile.open(FileRange.whole(sample.resolve("witness_0.wtns")));
        PlainBuffer values = PlainBuffer.allocate(witness.variables() * 32)) {
      witness.readInto(values);
      assertEquals(3856, file.header().constraints());
      SatisfactionVisitor visitor = new SatisfactionVisitor(file.header().curve(), values);
      file.forEach(visitor);
      assertEquals(3856, visitor.satisfied);
    }
  }

  /** Evaluates constraints with big integers. */
  private static final class SatisfactionVisitor implements R1csFile.Visitor {
    private final BigInteger modulus;
    private final PlainBuffer values;
    private final BigInteger[] sums = {BigInteger.ZERO, BigInteger.ZERO, BigInteger.ZERO};
    private long satisfied;

    SatisfactionVisitor(CurveId curve, PlainBuffer values) {
      this.modulus = curve.scalarModulus();
      this.values = values;
    }

    @Override
    public void term(int matrix, long row, long wire, long v0, long v1, long v2, long v3) {
      BigInteger coefficient = BigInteger.ZERO;
      for (long word : new long[] {v3, v2, v1, v0}) {
        coefficient = coefficient.shiftLeft(64).add(new BigInteger(Long.toUnsignedString(word)));
      }
      byte[] value = new byte[32];
      values.view(wire * 32, 32).get(value);
      BigInteger product = coefficient.multiply(LittleEndian.toInteger(value, 0, 32));
      sums[matrix] = sums[matrix].add(product).mod(modulus);
    }

    @Override
    public void endOfConstraint(long row) {
      if (sums[0].multiply(sums[1]).mod(modulus).equals(sums[2])) {
        satisfied++;
      }
      Arrays.fill(sums, BigInteger.ZERO);
    }
  }

  @Test
  void shouldRewriteASampleByteForByte() throws IOException, InputException {
    Path sample = TestFiles.sample("multiplier-bn128/circuit.r1cs");
    RawBinfile original = RawBinfile.parse(Files.readAllBytes(sample));
    Path copy = folder.resolve("copy.r1cs");
    try (R1csFile file = R1csFile.open(FileRange.whole(sample));
        R1csWriter writer = new R1csWriter(copy, file.header())) {
      List<List<Term>> sides = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
      List<IOException> failures = new ArrayList<>();
      file.forEach(
          new R1csFile.Visitor() {
            @Override
            public void term(int matrix, long row, long wire, long v0, long v1, long v2, long v3) {
              BigInteger value = BigInteger.ZERO;
              for (long word : new long[] {v3, v2, v1, v0}) {
                value = value.shiftLeft(64).add(new BigInteger(Long.toUnsignedString(word)));
              }
              sides.get(matrix).add(new Term(wire, value));
            }

            @Override
            public void endOfConstraint(long row) {
              try {
                writer.constraint(sides.get(0), sides.get(1), sides.get(2));
              } catch (IOException e) {
                failures.add(e);
              }
              sides.forEach(List::clear);
            }
          });
      assertEquals(List.of(), failures);
      writer.commit();
    }
    RawBinfile rewritten = RawBinfile.parse(Files.readAllBytes(copy));
    assertArrayEquals(original.section(1), rewritten.section(1));
    assertArrayEquals(original.section(2), rewritten.section(2));
  }
}
