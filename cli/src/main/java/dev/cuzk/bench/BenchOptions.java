package dev.cuzk.bench;

import dev.cuzk.math.CurveId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What one {@code cuzk bench} run measures.
 *
 * @param kind what is timed
 * @param curves one case (or more) for each
 * @param groups for {@link BenchKind#MSM}
 * @param sizes number of points or values of each case, ascending; see {@link BenchSizes}
 * @param circuits names of built-in circuits, for {@link BenchKind#PROVE}
 * @param key a proving key in a circuit's stead
 * @param input the witness (.wtns) or circom input (.json) that goes with the key
 * @param wasm the circom program that makes a witness of a .json input
 * @param streamed whether the key is streamed for every proof, for {@link BenchKind#PROVE}
 * @param tables whether multiples of the key's points are precomputed, for {@link BenchKind#PROVE}
 * @param warmup runs before the measured ones
 * @param runs measured runs
 * @param compare an earlier export
 * @param failAbovePercent how much slower than in the earlier export a case may be
 */
public record BenchOptions(
    BenchKind kind,
    List<CurveId> curves,
    List<Group> groups,
    List<Long> sizes,
    List<String> circuits,
    Optional<Path> key,
    Optional<Path> input,
    Optional<Path> wasm,
    boolean streamed,
    boolean tables,
    int warmup,
    int runs,
    Optional<Path> compare,
    OptionalDouble failAbovePercent) {
  /** Runs before the measured ones, if nothing else is asked for. */
  public static final int DEFAULT_WARMUP = 3;

  /** Measured runs, if nothing else is asked for. */
  public static final int DEFAULT_RUNS = 10;

  /** The group whose points an MSM adds. */
  public enum Group {
    G1("g1"),
    G2("g2");

    private final String printedName;

    Group(String printedName) {
      this.printedName = printedName;
    }

    /** {@code g1} or {@code g2}. */
    public String printedName() {
      return printedName;
    }
  }

  /**
   * Checks everything that needs no file and no device.
   *
   * @throws BenchUsageException if the options contradict each other or ask for what is not there
   */
  public BenchOptions {
    curves = List.copyOf(curves);
    groups = List.copyOf(groups);
    sizes = List.copyOf(sizes);
    circuits = List.copyOf(circuits);
    if (runs < 1 || warmup < 0) {
      throw new BenchUsageException("at least one run and no negative warm-up");
    }
    if (tables && kind != BenchKind.PROVE) {
      throw new BenchUsageException("--tables yes is for bench prove");
    }
    if (tables && streamed) {
      throw new BenchUsageException("--tables yes: a streamed key (--resident no) has none");
    }
    if (failAbovePercent.isPresent() && compare.isEmpty()) {
      throw new BenchUsageException("--fail-above needs --compare FILE");
    }
    if (failAbovePercent.isPresent() && failAbovePercent.getAsDouble() < 0) {
      throw new BenchUsageException("--fail-above is a percentage, zero or more");
    }
    kind.check(key.isPresent(), input.isPresent(), !circuits.isEmpty(), sizes);
  }
}
