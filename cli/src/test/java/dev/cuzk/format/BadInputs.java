package dev.cuzk.format;

import dev.cuzk.format.RawBinfile.RawSection;
import dev.cuzk.math.CurveId;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Broken variants of a good proving key and a good witness, each of a kind that snarkjs or
 * rapidsnark has answered with a crash or with an invalid proof.
 */
public final class BadInputs {
  /** Who finds out that a file is broken. */
  public enum Found {
    /** Nobody: the file is odd but right. */
    NEVER,
    /** The reader, from headers and lengths. */
    AT_OPENING,
    /** The reader, while the values stream. */
    WHILE_READING,
    /** Whoever looks at each matrix entry: a device when it loads the key, or inspect. */
    WHILE_LOADING,
    /** A device, which alone looks at each point when it loads the key. */
    BY_THE_DEVICE,
    /** Self-verification: the values are in range, but do not satisfy the circuit. */
    BY_PROVING
  }

  /**
   * A broken file.
   *
   * @param mention what the message must say, as a regular expression
   */
  public record BadFile(byte[] bytes, Found found, String mention) {
    /** Whether the readers of this package refuse it. */
    public boolean isRefusedByReaders() {
      return found == Found.AT_OPENING
          || found == Found.WHILE_READING
          || found == Found.WHILE_LOADING;
    }
  }

  private final byte[] key;
  private final byte[] witness;
  private final RawBinfile rawKey;
  private final RawBinfile rawWitness;
  private final Map<String, BadFile> files = new LinkedHashMap<>();

  private BadInputs(byte[] key, byte[] witness) {
    this.key = key;
    this.witness = witness;
    this.rawKey = RawBinfile.parse(key);
    this.rawWitness = RawBinfile.parse(witness);
  }

  /** Variants of the quick start's key and witness, by file name. */
  public static Map<String, BadFile> ofQuickstart() {
    return of(
        TestFiles.testdata("quickstart/circuit.zkey"),
        TestFiles.testdata("quickstart/witness.wtns"));
  }

  /** Variants of a BN254 key and its witness, by file name. */
  public static Map<String, BadFile> of(Path key, Path witness) {
    BadInputs maker = new BadInputs(TestFiles.read(key), TestFiles.read(witness));
    maker.brokenContainers();
    maker.brokenKeys();
    maker.keysWithBrokenHeaders();
    maker.keysBrokenInside();
    maker.brokenWitnesses();
    maker.witnessesBrokenInside();
    return maker.files;
  }

  private void add(String name, Found found, byte[] bytes, String mention) {
    files.put(name, new BadFile(bytes, found, mention));
  }

  private void refused(String name, byte[] bytes, String mention) {
    add(name, Found.AT_OPENING, bytes, mention);
  }

  private void brokenContainers() {
    int length = key.length;
    refused("trunc_half.zkey", Arrays.copyOf(key, length / 2), "truncated.*section \\d+, offset");
    refused("trunc_tail100.zkey", Arrays.copyOf(key, length - 100), "truncated.*section 10");
    refused("trunc_40.zkey", Arrays.copyOf(key, 40), "too short.*at most 2 sections, found 10");
    refused("empty.zkey", new byte[0], "empty");
    refused("magic.zkey", replaceMagic(key, "ykez"), "expected \"zkey\", found \"ykez\"");
    refused(
        "version2.zkey",
        new RawBinfile("zkey", 2, rawKey.sections()).bytes(),
        "version.*expected 1, found 2");
    byte[] trailing = Arrays.copyOf(key, length + 8);
    refused("trailing.zkey", trailing, "after the last.*found 8 more");
    byte[] huge = key.clone();
    ByteBuffer.wrap(huge).order(ByteOrder.LITTLE_ENDIAN).putLong(rawKey.offset(9) - 8, 1L << 60);
    refused("hugelen.zkey", huge, "section 9.*expected 1152921504606846976 bytes");
    refused("swapped-arguments.zkey", witness, "it is a witness.*not a proving key");

    int end = witness.length;
    refused("magic.wtns", replaceMagic(witness, "sntw"), "expected \"wtns\", found \"sntw\"");
    refused(
        "version3.wtns",
        new RawBinfile("wtns", 3, rawWitness.sections()).bytes(),
        "version.*expected 2, found 3");
    refused("empty.wtns", new byte[0], "empty");
    refused("trunc.wtns", Arrays.copyOf(witness, end - 1000), "truncated.*section 2, offset");
    refused("swapped-arguments.wtns", key, "it is a proving key.*not a witness");
  }

  private void brokenKeys() {
    refused("nosec9.zkey", rawKey.without(9).bytes(), "missing: the H query.*section 9");
    RawSection fifth = new RawSection(5, rawKey.section(5));
    refused("twosec5.zkey", rawKey.map(list -> list.add(fifth)).bytes(), "twice.*section 5");
    RawBinfile sorted = rawKey.map(list -> list.sort(Comparator.comparingInt(RawSection::id)));
    add("sorted.zkey", Found.NEVER, sorted.bytes(), "");
    RawBinfile unknown = rawKey.map(list -> list.add(0, new RawSection(77, new byte[5])));
    add("unknown-section.zkey", Found.NEVER, unknown.bytes(), "");
    refused("prot7.zkey", rawKey.with(1, RawBinfile.u32(7)).bytes(), "unknown protocol.*found 7");
    refused("plonk.zkey", rawKey.with(1, RawBinfile.u32(2)).bytes(), "a plonk key.*only groth16");
    refused("fflonk.zkey", rawKey.with(1, RawBinfile.u32(10)).bytes(), "an fflonk key.*groth16");
    byte[] points = rawKey.section(8);
    refused(
        "sec8short.zkey",
        rawKey.with(8, Arrays.copyOf(points, points.length - 64)).bytes(),
        "wrong length: the L query.*section 8.*expected " + points.length);
  }

  private void keysWithBrokenHeaders() {
    int counts = 2 * (4 + 32);
    refused("variables.zkey", header(counts, 1 << 30), "wrong length.*section 5");
    refused("public.zkey", header(counts + 4, -1), "more public inputs.*4294967295");
    refused("domain3.zkey", header(counts + 8, 3), "domain size.*found 3");
    refused("domain1.zkey", header(counts + 8, 1), "domain size.*found 1");
    refused(
        "otherfield.zkey",
        rawKey.edit(2, header -> header.put(4 + 32 + 4, (byte) 7)).bytes(),
        "scalar field is of no curve");
    refused(
        "mixedfields.zkey",
        rawKey.edit(2, header -> header.put(4, (byte) 9)).bytes(),
        "different curves");
    refused("width0.zkey", header(0, 0), "width of the base field.*found 0");
  }

  private byte[] header(int offset, int value) {
    return rawKey.edit(2, header -> header.putInt(offset, value)).bytes();
  }

  private void keysBrokenInside() {
    Found loading = Found.WHILE_LOADING;
    byte[] offCurve = rawKey.edit(5, b -> b.put(640, (byte) (b.get(640) ^ 1))).bytes();
    add("offcurve.zkey", Found.BY_THE_DEVICE, offCurve, "");
    add("coefrange.zkey", loading, entry(8, 0x00ffffff), "row of matrix entry 0.*found 16777215");
    add("signalrange.zkey", loading, entry(12, 0x00ffffff), "column of .* 0.*found 16777215");
    add("matrixrange.zkey", loading, entry(4, 3), "matrix of matrix entry 0.*found 3");
    add("valuerange.zkey", loading, entry(16 + 28, -1), "matrix entry 0 is not canonical");
  }

  private byte[] entry(int offset, int value) {
    return rawKey.edit(4, entries -> entries.putInt(offset, value)).bytes();
  }

  private void brokenWitnesses() {
    byte[] header = rawWitness.section(1);
    byte[] values = rawWitness.section(2);
    int count = values.length / 32;
    byte[] shorter = Arrays.copyOf(values, values.length - 32);
    byte[] longer = Arrays.copyOf(values, values.length + 32);
    longer[values.length] = 1;
    String another = "another circuit.*expected " + count + " values, found ";
    refused("short.wtns", counted(count - 1).with(2, shorter).bytes(), another + (count - 1));
    refused("long.wtns", counted(count + 1).with(2, longer).bytes(), another + (count + 1));
    refused("none.wtns", counted(0).with(2, new byte[0]).bytes(), "no values.*section 1");
    refused(
        "hdr_mismatch.wtns",
        rawWitness.with(2, shorter).bytes(),
        "wrong length.*witness values.*section 2.*found " + shorter.length);
    refused("nosec2.wtns", rawWitness.without(2).bytes(), "missing.*section 2");
    byte[] other = header.clone();
    System.arraycopy(LittleEndian.toBytes(CurveId.BLS12_381.scalarModulus(), 32), 0, other, 4, 32);
    refused(
        "bls.wtns",
        rawWitness.with(1, other).bytes(),
        "another curve.*expected bn254, found bls12-381");
    RawBinfile swapped =
        new RawBinfile("wtns", 2, List.of(new RawSection(2, values), new RawSection(1, header)));
    add("swapped.wtns", Found.NEVER, swapped.bytes(), "");
  }

  private RawBinfile counted(int count) {
    return rawWitness.edit(1, header -> header.putInt(36, count));
  }

  private void witnessesBrokenInside() {
    Found reading = Found.WHILE_READING;
    add("noncanon.wtns", reading, plusModulus(5), "value 5 is not canonical.*section 2, offset");
    add("noncanon_pub.wtns", reading, plusModulus(1), "value 1 is not canonical.*section 2");
    byte[] two = rawWitness.edit(2, values -> values.put(0, (byte) 2)).bytes();
    add("one_is_two.wtns", reading, two, "first value.*section 2, offset");
    add("unsat.wtns", Found.BY_PROVING, flip(500), "");
    add("unsat_pub.wtns", Found.BY_PROVING, flip(1), "");
  }

  private byte[] plusModulus(int value) {
    byte[] values = rawWitness.section(2);
    BigInteger moved =
        LittleEndian.toInteger(values, value * 32, 32).add(CurveId.BN254.scalarModulus());
    System.arraycopy(LittleEndian.toBytes(moved, 32), 0, values, value * 32, 32);
    return rawWitness.with(2, values).bytes();
  }

  private byte[] flip(int value) {
    return rawWitness
        .edit(2, values -> values.put(value * 32, (byte) (values.get(value * 32) ^ 1)))
        .bytes();
  }

  private static byte[] replaceMagic(byte[] file, String magic) {
    byte[] changed = file.clone();
    System.arraycopy(magic.getBytes(StandardCharsets.US_ASCII), 0, changed, 0, 4);
    return changed;
  }
}
