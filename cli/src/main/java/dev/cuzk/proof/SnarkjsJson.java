package dev.cuzk.proof;

import dev.cuzk.math.Curve;
import dev.cuzk.math.Field;
import dev.cuzk.math.Pairing;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes proofs, public signals and verifying keys byte for byte as snarkjs 0.7 does (indented by
 * one blank, no final line feed, an empty array on two lines), or proofs and public signals in
 * rapidsnark's compact form. {@link SnarkjsDocument} reads both.
 */
public final class SnarkjsJson {
  private static final String ZERO = "0";
  private static final String ONE = "1";

  private SnarkjsJson() {}

  /** {@code proof.json} as snarkjs writes it. */
  public static String proof(Proof proof) {
    Map<String, Object> object = proofObject(proof);
    object.put("curve", proof.curve().snarkjsName());
    return indented(object);
  }

  /** {@code public.json} as snarkjs writes it. */
  public static String publicSignals(List<BigInteger> signals) {
    return indented(strings(signals));
  }

  /** An array of public signals for each partition; snarkjs has no such file. */
  public static String publicSignalsOfPartitions(List<List<BigInteger>> partitions) {
    return indented(partitions.stream().map(SnarkjsJson::strings).toList());
  }

  /** {@code proof.json} as rapidsnark writes it: on one line, without the curve. */
  public static String compactProof(Proof proof) {
    StringBuilder out = new StringBuilder();
    append(out, proofObject(proof), -1);
    return out.toString();
  }

  /** {@code public.json} as rapidsnark writes it: on one line. */
  public static String compactPublicSignals(List<BigInteger> signals) {
    StringBuilder out = new StringBuilder();
    append(out, strings(signals), -1);
    return out.toString();
  }

  /** {@code verification_key.json} as snarkjs writes it, e(alpha, beta) included. */
  public static String verifyingKey(VerifyingKey key) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("protocol", "groth16");
    object.put("curve", key.curve().snarkjsName());
    object.put("nPublic", key.publicInputs());
    object.put("vk_alpha_1", g1(key.alpha1()));
    object.put("vk_beta_2", g2(key.beta2()));
    object.put("vk_gamma_2", g2(key.gamma2()));
    object.put("vk_delta_2", g2(key.delta2()));
    object.put("vk_alphabeta_12", alphaBeta(key));
    List<Object> ic = new ArrayList<>();
    for (List<BigInteger> point : key.ic()) {
      ic.add(g1(point));
    }
    object.put("IC", ic);
    return indented(object);
  }

  private static Map<String, Object> proofObject(Proof proof) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("pi_a", g1(proof.a()));
    object.put("pi_b", g2(proof.b()));
    object.put("pi_c", g1(proof.c()));
    object.put("protocol", "groth16");
    return object;
  }

  private static List<Object> g1(List<BigInteger> point) {
    return Points.isInfinity(point)
        ? List.of(ZERO, ONE, ZERO)
        : List.of(point.get(0).toString(), point.get(1).toString(), ONE);
  }

  private static List<Object> g2(List<BigInteger> point) {
    return Points.isInfinity(point)
        ? List.of(List.of(ZERO, ZERO), List.of(ONE, ZERO), List.of(ZERO, ZERO))
        : List.of(
            List.of(point.get(0).toString(), point.get(1).toString()),
            List.of(point.get(2).toString(), point.get(3).toString()),
            List.of(ONE, ZERO));
  }

  private static List<Object> strings(List<BigInteger> numbers) {
    List<Object> strings = new ArrayList<>(numbers.size());
    for (BigInteger number : numbers) {
      strings.add(number.toString());
    }
    return strings;
  }

  /** e(alpha, beta): two elements of Fp6, each three of Fp2, each two numbers. */
  private static List<Object> alphaBeta(VerifyingKey key) {
    Curve curve = Curve.of(key.curve());
    Pairing pairing = new Pairing(curve);
    long[] value = new long[pairing.target().size()];
    pairing.pair(
        value, 0, Points.words(curve, key.alpha1()), 0, Points.words(curve, key.beta2()), 0);
    Field base = curve.base();
    List<Object> fp12 = new ArrayList<>();
    int at = 0;
    for (int i = 0; i < 2; i++) {
      List<Object> fp6 = new ArrayList<>();
      for (int j = 0; j < 3; j++) {
        String c0 = base.get(value, at).toString();
        String c1 = base.get(value, at + base.size()).toString();
        fp6.add(List.of(c0, c1));
        at += 2 * base.size();
      }
      fp12.add(fp6);
    }
    return fp12;
  }

  private static String indented(Object tree) {
    StringBuilder out = new StringBuilder();
    append(out, tree, 0);
    return out.toString();
  }

  /**
   * Strings here never need escapes: digits and names.
   *
   * @param depth of the value, or −1 for the compact form
   */
  private static void append(StringBuilder out, Object value, int depth) {
    if (value instanceof Map<?, ?> map) {
      out.append('{');
      String separator = "";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.append(separator);
        newLine(out, depth, 1);
        out.append('"').append(entry.getKey()).append(depth < 0 ? "\":" : "\": ");
        append(out, entry.getValue(), depth < 0 ? -1 : depth + 1);
        separator = ",";
      }
      newLine(out, depth, 0);
      out.append('}');
    } else if (value instanceof List<?> list) {
      out.append('[');
      String separator = "";
      for (Object element : list) {
        out.append(separator);
        newLine(out, depth, 1);
        append(out, element, depth < 0 ? -1 : depth + 1);
        separator = ",";
      }
      newLine(out, depth, 0);
      out.append(']');
    } else if (value instanceof String) {
      out.append('"').append(value).append('"');
    } else {
      out.append(value);
    }
  }

  private static void newLine(StringBuilder out, int depth, int more) {
    if (depth >= 0) {
      out.append('\n').append(" ".repeat(depth + more));
    }
  }
}
