package dev.cuzk.batch;

import dev.cuzk.format.InputException;
import java.nio.charset.StandardCharsets;

/**
 * The digest of a job's inputs, taken once: of one its SHA-256, of several the SHA-256 of theirs in
 * hex, one a line. Where one partition of a job is proved, a last line says which: partitions of
 * one input are different proofs. Safe for use by several threads.
 */
final class InputDigest {
  private final JobSpec spec;
  private volatile String sha256;

  InputDigest(JobSpec spec) {
    this.spec = spec;
  }

  /** The digest; that of the first input is compared with the one that its manifest declares. */
  synchronized String get() throws InputException {
    if (sha256 == null) {
      String first = spec.inputs().get(0).sha256();
      if (spec.declaredSha256() != null && !first.equals(spec.declaredSha256())) {
        throw new InputException(
            spec.inputName(),
            "its content is not what the manifest says (sha256, expected "
                + spec.declaredSha256()
                + ", found "
                + first
                + "). Pack it again.");
      }
      sha256 = spec.inputs().size() == 1 && partition() == null ? first : ofAll(first);
    }
    return sha256;
  }

  private String ofAll(String first) throws InputException {
    StringBuilder lines = new StringBuilder(first).append('\n');
    for (Content input : spec.inputs().subList(1, spec.inputs().size())) {
      lines.append(input.sha256()).append('\n');
    }
    if (partition() != null) {
      lines.append("partition ").append(partition()).append('\n');
    }
    return Digests.of(lines.toString().getBytes(StandardCharsets.US_ASCII));
  }

  private String partition() {
    return spec.facts().get("partition-index");
  }

  /** The digest if it was taken; null if not. */
  String known() {
    return sha256;
  }
}
