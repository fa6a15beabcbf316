package dev.cuzk.circuit.filecoin;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the reference implementation's circuit looks like: sizes and r1cs-digest-v1, made from the
 * storage-proofs crates 19.1.0. A circuit that is not the same cannot use published parameters.
 *
 * @param constraints without the rows that a key adds for inputs
 * @param inputs public inputs, ONE counted
 * @param auxiliaries private variables
 * @param auxiliariesInA those of them that occur in A: a key's A query holds all inputs and these
 * @param inputsInB inputs that occur in B, ONE counted
 * @param auxiliariesInB private variables that occur in B
 * @param root the digest, hexadecimal
 */
public record ReferenceDigest(
    long constraints,
    int inputs,
    long auxiliaries,
    long auxiliariesInA,
    int inputsInB,
    long auxiliariesInB,
    String root) {
  private static final Map<String, ReferenceDigest> BY_CIRCUIT = read();

  /** The digest of a circuit, by its name. */
  public static Optional<ReferenceDigest> of(String circuit) {
    return Optional.ofNullable(BY_CIRCUIT.get(circuit));
  }

  private static Map<String, ReferenceDigest> read() {
    Map<String, ReferenceDigest> digests = new LinkedHashMap<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                ReferenceDigest.class.getResourceAsStream("digests.tsv"),
                StandardCharsets.US_ASCII))) {
      lines.readLine();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] columns = line.split("\t");
        digests.put(
            columns[0],
            new ReferenceDigest(
                Long.parseLong(columns[1]),
                Integer.parseInt(columns[2]),
                Long.parseLong(columns[3]),
                Long.parseLong(columns[4]),
                Integer.parseInt(columns[5]),
                Long.parseLong(columns[6]),
                columns[7]));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return digests;
  }
}
