package dev.cuzk.batch;

import dev.cuzk.math.CurveId;
import dev.cuzk.proof.Proof;
import dev.cuzk.proof.VerifyingKey;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The content of the files that an output folder has for a proof. */
final class ProofFiles {
  static final String PROOF_ENDING = ".proof.json";
  static final String PUBLIC_ENDING = ".public.json";

  private ProofFiles() {}

  static byte[] proof(Proof proof, BatchOptions.ProofFormat format) {
    StringBuilder text = new StringBuilder("{\n");
    text.append(" \"pi_a\": ").append(g1(proof.a())).append(",\n");
    text.append(" \"pi_b\": ").append(g2(proof.b())).append(",\n");
    text.append(" \"pi_c\": ").append(g1(proof.c())).append(",\n");
    text.append(" \"protocol\": \"groth16\",\n");
    text.append(" \"curve\": \"").append(proof.curve().snarkjsName()).append("\"\n}");
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  static byte[] publicInputs(List<BigInteger> values, BatchOptions.ProofFormat format) {
    return list(values.stream().map(ProofFiles::number).toList()).getBytes(StandardCharsets.UTF_8);
  }

  static byte[] verifyingKey(VerifyingKey key) {
    CurveId curve = key.curve();
    StringBuilder text = new StringBuilder("{\n");
    text.append(" \"protocol\": \"groth16\",\n");
    text.append(" \"curve\": \"").append(curve.snarkjsName()).append("\",\n");
    text.append(" \"nPublic\": ").append(key.publicInputs()).append(",\n");
    text.append(" \"vk_alpha_1\": ").append(g1(key.alpha1())).append(",\n");
    text.append(" \"vk_beta_2\": ").append(g2(key.beta2())).append(",\n");
    text.append(" \"vk_gamma_2\": ").append(g2(key.gamma2())).append(",\n");
    text.append(" \"vk_delta_2\": ").append(g2(key.delta2())).append(",\n");
    text.append(" \"IC\": ")
        .append(list(key.ic().stream().map(ProofFiles::g1).toList()))
        .append("\n}");
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String g1(List<BigInteger> point) {
    boolean infinity = point.stream().allMatch(value -> value.signum() == 0);
    return infinity
        ? list(List.of(number(BigInteger.ZERO), number(BigInteger.ONE), number(BigInteger.ZERO)))
        : list(List.of(number(point.get(0)), number(point.get(1)), number(BigInteger.ONE)));
  }

  private static String g2(List<BigInteger> point) {
    boolean infinity = point.stream().allMatch(value -> value.signum() == 0);
    List<BigInteger> y = infinity ? List.of(BigInteger.ONE, BigInteger.ZERO) : point.subList(2, 4);
    BigInteger z = infinity ? BigInteger.ZERO : BigInteger.ONE;
    List<String> coordinates = new ArrayList<>();
    for (List<BigInteger> pair : List.of(point.subList(0, 2), y, List.of(z, BigInteger.ZERO))) {
      coordinates.add(list(pair.stream().map(ProofFiles::number).toList()));
    }
    return list(coordinates);
  }

  private static String number(BigInteger value) {
    return "\"" + value + "\"";
  }

  private static String list(List<String> values) {
    return "[" + String.join(", ", values) + "]";
  }
}
