package dev.cuzk.batch;

import dev.cuzk.format.Sha256;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One of {@code count} parts of a run. A job belongs to shard SHA-256(name) mod count + 1, the
 * digest read as a big-endian number, so that every machine knows its jobs without talking to the
 * others.
 *
 * @param index from 1
 */
public record Shard(int index, int count) {
  private static final Pattern EXPLICIT = Pattern.compile("([0-9]{1,6})/([0-9]{1,6})");
  private static final Pattern AUTO = Pattern.compile("auto/([0-9]{1,6})");

  public Shard {
    if (count < 1 || index < 1 || index > count) {
      throw new IllegalArgumentException("shard " + index + "/" + count);
    }
  }

  /**
   * Understands {@code I/N}, {@code auto} (Slurm's array variables) and {@code auto/N} (Kubernetes'
   * completion index).
   */
  public static Shard parse(String text, Map<String, String> environment) throws UsageException {
    Matcher explicit = EXPLICIT.matcher(text);
    if (explicit.matches()) {
      return of(
          Integer.parseInt(explicit.group(1)),
          Integer.parseInt(explicit.group(2)),
          "--shard " + text);
    }
    Matcher auto = AUTO.matcher(text);
    if (auto.matches()) {
      int count = Integer.parseInt(auto.group(1));
      int index = number(environment, "JOB_COMPLETION_INDEX", "--shard " + text);
      return of(index + 1, count, "--shard " + text + " with JOB_COMPLETION_INDEX=" + index);
    }
    if (text.equals("auto")) {
      return fromSlurm(environment);
    }
    throw new UsageException(
        "--shard: expected I/N, auto or auto/N, found \"" + text + "\". Example: --shard 1/4");
  }

  private static Shard fromSlurm(Map<String, String> environment) throws UsageException {
    if (!environment.containsKey("SLURM_ARRAY_TASK_ID")) {
      throw new UsageException(
          environment.containsKey("JOB_COMPLETION_INDEX")
              ? "--shard auto: a Kubernetes job does not tell how many shards there are."
                  + " Use --shard auto/N."
              : "--shard auto: SLURM_ARRAY_TASK_ID is not set. Use --shard I/N.");
    }
    int id = number(environment, "SLURM_ARRAY_TASK_ID", "--shard auto");
    int count = number(environment, "SLURM_ARRAY_TASK_COUNT", "--shard auto");
    int first = number(environment, "SLURM_ARRAY_TASK_MIN", "--shard auto");
    int last = number(environment, "SLURM_ARRAY_TASK_MAX", "--shard auto");
    int step =
        environment.containsKey("SLURM_ARRAY_TASK_STEP")
            ? number(environment, "SLURM_ARRAY_TASK_STEP", "--shard auto")
            : 1;
    boolean contiguous =
        step > 0
            && last >= first
            && (last - first) / step + 1 == count
            && (last - first) % step == 0
            && id >= first
            && (id - first) % step == 0;
    if (!contiguous) {
      throw new UsageException(
          "--shard auto: the Slurm array is not contiguous (task "
              + id
              + ", "
              + count
              + " tasks from "
              + first
              + " to "
              + last
              + " in steps of "
              + step
              + "), so some shards would never run. Use --shard I/N.");
    }
    return of((id - first) / step + 1, count, "--shard auto");
  }

  private static Shard of(int index, int count, String source) throws UsageException {
    if (count < 1 || index < 1 || index > count) {
      throw new UsageException(
          source + ": there is no shard " + index + " of " + count + ". Shards count from 1.");
    }
    return new Shard(index, count);
  }

  private static int number(Map<String, String> environment, String name, String source)
      throws UsageException {
    String value = environment.get(name);
    if (value == null) {
      throw new UsageException(source + ": " + name + " is not set. Use --shard I/N.");
    }
    if (!value.matches("[0-9]{1,9}")) {
      throw new UsageException(
          source + ": " + name + " is not a number: \"" + value + "\". Use --shard I/N.");
    }
    return Integer.parseInt(value);
  }

  /** Whether a job of this name is this shard's. */
  public boolean contains(String name) {
    return shardOf(name, count) == index;
  }

  static int shardOf(String name, int count) {
    MessageDigest digest = Sha256.create();
    BigInteger number = new BigInteger(1, digest.digest(name.getBytes(StandardCharsets.UTF_8)));
    return number.mod(BigInteger.valueOf(count)).intValueExact() + 1;
  }

  /** Where this shard's results go: {@code DIR/shards/I-of-N}. */
  public Path folder(Path out) {
    return out.resolve("shards").resolve(index + "-of-" + count);
  }

  @Override
  public String toString() {
    return index + "/" + count;
  }
}
