package dev.cuzk.proof;

import dev.cuzk.format.InputException;
import dev.cuzk.format.JsonValue;
import dev.cuzk.format.StrictJson;
import dev.cuzk.math.CurveId;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A JSON file of snarkjs or rapidsnark that has been read, its kind told by its content: a proof, a
 * list of public signals or a verifying key.
 *
 * <p>Numbers must be strings of decimal digits without sign or leading zeros, coordinates below p,
 * public signals below r; a point ends with z = 1, or is (0, 1, 0) for infinity. That points lie on
 * the curve is the verifier's business. Keys that are not known are ignored, as snarkjs does.
 */
public final class SnarkjsDocument {
  /** What a document is. */
  public enum Kind {
    /** {@code proof.json}: an object with {@code pi_a}. */
    PROOF("a proof"),
    /** {@code public.json}: an array of decimal strings. */
    PUBLIC_SIGNALS("public signals"),
    /** {@code verification_key.json}: an object with {@code vk_alpha_1}. */
    VERIFYING_KEY("a verifying key");

    private final String description;

    Kind(String description) {
      this.description = description;
    }

    /** For messages: "a proof". */
    public String description() {
      return description;
    }
  }

  /** Above the largest key in use (25,840 public inputs) tenfold. */
  private static final long LARGEST_FILE = 64L << 20;

  /** Digits of the largest coordinate, 2^381. */
  private static final int MOST_DIGITS = 115;

  private static final String PROTOCOL = "groth16";

  private final String file;
  private final Kind kind;
  private final JsonValue tree;

  private SnarkjsDocument(String file, Kind kind, JsonValue tree) {
    this.file = file;
    this.kind = kind;
    this.tree = tree;
  }

  /** Reads a file of at most 64 MiB. */
  public static SnarkjsDocument read(Path path) throws InputException {
    String file = path.toString();
    byte[] content;
    try {
      if (Files.isDirectory(path)) {
        throw new InputException(file, "is a folder (expected a JSON file)");
      }
      long size = Files.size(path);
      if (size > LARGEST_FILE) {
        throw new InputException(
            file,
            "is too large for a proof, public signals or a verifying key (expected at most "
                + LARGEST_FILE
                + " bytes, found "
                + size
                + ")");
      }
      content = Files.readAllBytes(path);
    } catch (java.nio.file.NoSuchFileException e) {
      throw new InputException(file, "does not exist", e);
    } catch (IOException e) {
      throw new InputException(file, "cannot be read (" + e.getMessage() + ")", e);
    }
    return parse(file, content);
  }

  /**
   * Parses content that has been read.
   *
   * @param file its name in messages
   */
  public static SnarkjsDocument parse(String file, byte[] content) throws InputException {
    JsonValue tree = StrictJson.parse(file, content);
    if (tree.isArray()) {
      return new SnarkjsDocument(file, Kind.PUBLIC_SIGNALS, tree);
    }
    if (tree.isObject()) {
      if (tree.find("pi_a").isPresent()) {
        return new SnarkjsDocument(file, Kind.PROOF, tree);
      }
      if (tree.find("vk_alpha_1").isPresent()) {
        return new SnarkjsDocument(file, Kind.VERIFYING_KEY, tree);
      }
      requireProtocol(tree);
    }
    throw new InputException(
        file,
        "is neither a proof (an object with pi_a), nor public signals (an array), nor a verifying"
            + " key (an object with vk_alpha_1)");
  }

  /** The name in messages. */
  public String file() {
    return file;
  }

  public Kind kind() {
    return kind;
  }

  /** The curve that the document names; rapidsnark's proofs and public signals name none. */
  public Optional<CurveId> curve() throws InputException {
    Optional<JsonValue> name = kind == Kind.PUBLIC_SIGNALS ? Optional.empty() : tree.find("curve");
    if (name.isEmpty()) {
      return Optional.empty();
    }
    Optional<CurveId> curve = CurveId.byName(name.get().string());
    if (curve.isEmpty()) {
      throw name.get().problem("has an unknown curve", "bn128 or bls12381", name.get().describe());
    }
    return curve;
  }

  /**
   * The proof.
   *
   * @param expected the curve of the key that it is to be verified with
   */
  public Proof proof(CurveId expected) throws InputException {
    require(Kind.PROOF);
    requireProtocol(tree);
    CurveId found = curve().orElse(expected);
    if (found != expected) {
      throw new InputException(
          file,
          "is of another curve than the key (expected " + expected + ", found " + found + ")");
    }
    return new Proof(expected, g1("pi_a", expected), g2("pi_b", expected), g1("pi_c", expected));
  }

  /** The public signals, each in [0, r) of the given curve. */
  public List<BigInteger> publicSignals(CurveId curve) throws InputException {
    require(Kind.PUBLIC_SIGNALS);
    return signals("public signal ", tree, curve);
  }

  /**
   * The public signals of several proofs: an array of arrays.
   *
   * @param count how many proofs there are
   * @param proofs where they stand, for messages
   */
  public List<List<BigInteger>> publicSignalsOfPartitions(CurveId curve, int count, Path proofs)
      throws InputException {
    require(Kind.PUBLIC_SIGNALS);
    List<List<BigInteger>> partitions = new ArrayList<>();
    for (JsonValue element : tree.array()) {
      String name = "partition " + partitions.size() + ", public signal ";
      partitions.add(signals(name, element, curve));
    }
    if (partitions.size() != count) {
      throw InputException.at(
          file,
          "has another number of partitions than " + proofs,
          "partitions",
          count,
          partitions.size());
    }
    return partitions;
  }

  private List<BigInteger> signals(String name, JsonValue array, CurveId curve)
      throws InputException {
    List<BigInteger> signals = new ArrayList<>();
    for (JsonValue element : array.array()) {
      signals.add(
          number(
              name + signals.size(),
              element,
              curve.scalarModulus(),
              "the scalar field's modulus r"));
    }
    return signals;
  }

  /** The verifying key; its vk_alphabeta_12 is not read, as it follows from the rest. */
  public VerifyingKey verifyingKey() throws InputException {
    require(Kind.VERIFYING_KEY);
    requireProtocol(tree);
    Optional<CurveId> named = curve();
    if (named.isEmpty()) {
      throw new InputException(file, "names no curve (expected key \"curve\": bn128 or bls12381)");
    }
    CurveId curve = named.get();
    JsonValue points = tree.require("IC");
    List<List<BigInteger>> ic = new ArrayList<>();
    for (JsonValue point : points.array()) {
      ic.add(g1("IC[" + ic.size() + "]", point, curve));
    }
    if (ic.isEmpty()) {
      throw points.problem("IC has no points", "one for ONE and one a public input", "none");
    }
    Optional<JsonValue> count = tree.find("nPublic");
    BigInteger inputs = BigInteger.valueOf(ic.size() - 1);
    if (count.isPresent() && !inputs.equals(count.get().value())) {
      throw count.get().problem("nPublic does not fit IC", inputs, count.get().describe());
    }
    return new VerifyingKey(
        curve,
        g1("vk_alpha_1", curve),
        g2("vk_beta_2", curve),
        g2("vk_gamma_2", curve),
        g2("vk_delta_2", curve),
        ic);
  }

  private void require(Kind expected) throws InputException {
    if (kind != expected) {
      throw new InputException(
          file, "is " + kind.description + " (expected " + expected.description + ")");
    }
  }

  private static void requireProtocol(JsonValue tree) throws InputException {
    Optional<JsonValue> protocol = tree.find("protocol");
    if (protocol.isPresent() && !PROTOCOL.equals(protocol.get().value())) {
      throw protocol.get().problem("is of another protocol", PROTOCOL, protocol.get().describe());
    }
  }

  private List<BigInteger> g1(String name, CurveId curve) throws InputException {
    return g1(name, tree.require(name), curve);
  }

  private List<BigInteger> g1(String name, JsonValue value, CurveId curve) throws InputException {
    List<JsonValue> list = list(name, value, 3);
    BigInteger x = coordinate(name + ".x", list.get(0), curve);
    BigInteger y = coordinate(name + ".y", list.get(1), curve);
    BigInteger z = coordinate(name + ".z", list.get(2), curve);
    if (z.equals(BigInteger.ONE)) {
      return finite(name, value, List.of(x, y));
    }
    if (z.signum() == 0 && x.signum() == 0 && y.equals(BigInteger.ONE)) {
      return List.of(BigInteger.ZERO, BigInteger.ZERO);
    }
    throw notAffine(name, value);
  }

  private List<BigInteger> g2(String name, CurveId curve) throws InputException {
    JsonValue value = tree.require(name);
    List<JsonValue> list = list(name, value, 3);
    BigInteger[] c = new BigInteger[6];
    for (int i = 0; i < 3; i++) {
      List<JsonValue> pair = list(name + "[" + i + "]", list.get(i), 2);
      for (int j = 0; j < 2; j++) {
        c[2 * i + j] = coordinate(name + "[" + i + "][" + j + "]", pair.get(j), curve);
      }
    }
    if (c[4].equals(BigInteger.ONE) && c[5].signum() == 0) {
      return finite(name, value, List.of(c[0], c[1], c[2], c[3]));
    }
    boolean zeros =
        c[0].signum() + c[1].signum() + c[3].signum() + c[4].signum() + c[5].signum() == 0;
    if (zeros && c[2].equals(BigInteger.ONE)) {
      return List.of(BigInteger.ZERO, BigInteger.ZERO, BigInteger.ZERO, BigInteger.ZERO);
    }
    throw notAffine(name, value);
  }

  /** All zeros mean infinity inside this program, so they may not come in as a finite point. */
  private static List<BigInteger> finite(String name, JsonValue value, List<BigInteger> coordinates)
      throws InputException {
    if (Points.isInfinity(coordinates)) {
      throw value.problem(name + " is not a point of the curve", "0, 1, 0 for infinity", "zeros");
    }
    return coordinates;
  }

  private static InputException notAffine(String name, JsonValue value) {
    return value.problem(name + " is not affine", "z = 1, or 0, 1, 0 for infinity", "another z");
  }

  private static List<JsonValue> list(String name, JsonValue value, int length)
      throws InputException {
    List<JsonValue> list = value.array();
    if (list.size() != length) {
      throw value.problem(name + " has a wrong length", length, list.size());
    }
    return list;
  }

  private static BigInteger coordinate(String name, JsonValue value, CurveId curve)
      throws InputException {
    return number(name, value, curve.baseModulus(), "the base field's modulus p");
  }

  private static BigInteger number(
      String name, JsonValue value, BigInteger modulus, String modulusName) throws InputException {
    if (!value.isString()) {
      throw value.problem(name + " is not a string", "decimal digits", value.describe());
    }
    String digits = value.string();
    if (!isDecimal(digits)) {
      throw value.problem(name + " is not a decimal number", "digits only", value.describe());
    }
    if (digits.length() <= MOST_DIGITS) {
      BigInteger number = new BigInteger(digits);
      if (number.compareTo(modulus) < 0) {
        return number;
      }
    }
    throw value.problem(name + " is too large", "below " + modulusName, value.describe());
  }

  private static boolean isDecimal(String s) {
    if (s.isEmpty() || s.length() > 1 && s.charAt(0) == '0') {
      return false;
    }
    for (int i = 0; i < s.length(); i++) {
      if (s.charAt(i) < '0' || s.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }
}
