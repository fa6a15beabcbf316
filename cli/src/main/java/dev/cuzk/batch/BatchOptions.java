package dev.cuzk.batch;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that {@code cuzk prove} is asked to do, devices and budgets excepted; see the CLI
 * contract for the meaning of each option. Paths stand as the user typed them.
 *
 * @param inputs INPUT arguments; {@code -} is standard input
 * @param filesFrom a list of names, {@code -} for standard input; null = none
 * @param filesFromNul names in the list end with NUL, not with a line end
 * @param key proving key of the bare inputs; null = none
 * @param wasm witness program of the circom JSON inputs; null = none
 * @param verifyingKey what the proving key must carry; null = not asked
 * @param kind {@code circom} or a Filecoin kind; null = by content
 * @param facts Filecoin facts by option name without dashes, for example {@code miner-id}
 * @param out output folder; ignored for a pair of files
 * @param proofFile with {@code publicFile}: the two files of a run of one job, one of them may be
 *     {@code -}; null = folder
 * @param priority 0 … 99; null = by kind
 * @param shard null = the whole run
 * @param constraints an .r1cs that every witness is checked against first; null = none
 * @param jobTimeout null = none
 * @param timeLimit null = none
 * @param grace time to finish after a stop request
 * @param allowOutside manifests may name files outside their folder
 * @param cache private cache folder; null = no cache
 * @param settings effective settings for the report
 * @param toolVersion for report and journal
 * @param buildId for the report
 */
public record BatchOptions(
    List<String> inputs,
    String filesFrom,
    boolean filesFromNul,
    Path key,
    Path wasm,
    Path verifyingKey,
    String kind,
    Map<String, String> facts,
    Path out,
    String proofFile,
    String publicFile,
    ProofFormat format,
    Integer priority,
    Halt halt,
    boolean resume,
    boolean overwrite,
    Shard shard,
    boolean selfVerify,
    boolean strict,
    Path constraints,
    Duration jobTimeout,
    Duration timeLimit,
    Duration grace,
    boolean allowOutside,
    Path cache,
    List<Setting> settings,
    String toolVersion,
    String buildId,
    int abiVersion,
    InputStream standardInput,
    OutputStream standardOutput) {

  /** How proofs are written: circom's first, then Filecoin's. */
  public enum ProofFormat {
    /** None was asked for: snarkjs' for circom, raw for Filecoin. */
    USUAL,
    SNARKJS,
    RAPIDSNARK,
    RAW,
    HEX,
    BASE64
  }

  /** What a failed job does to the others. */
  public enum Halt {
    /** Those under way are given up. */
    NOW,
    /** No new one is started. */
    SOON,
    /** The rest goes on. */
    NEVER
  }

  public BatchOptions {
    inputs = List.copyOf(inputs);
    facts = Map.copyOf(facts);
    settings = List.copyOf(settings);
  }

  /** Whether the results are two named files and not a folder. */
  public boolean pair() {
    return proofFile != null || publicFile != null;
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Collects options; what is not set has the contract's default. */
  public static final class Builder {
    private List<String> inputs = List.of();
    private String filesFrom;
    private boolean filesFromNul;
    private Path key;
    private Path wasm;
    private Path verifyingKey;
    private String kind;
    private final Map<String, String> facts = new LinkedHashMap<>();
    private Path out = Path.of("cuzk-out");
    private String proofFile;
    private String publicFile;
    private ProofFormat format = ProofFormat.USUAL;
    private Integer priority;
    private Halt halt = Halt.NEVER;
    private boolean resume;
    private boolean overwrite;
    private Shard shard;
    private boolean selfVerify = true;
    private boolean strict;
    private Path constraints;
    private Duration jobTimeout;
    private Duration timeLimit;
    private Duration grace = Duration.ofSeconds(10);
    private boolean allowOutside;
    private Path cache;
    private List<Setting> settings = List.of();
    private String toolVersion = "";
    private String buildId = "";
    private int abiVersion;
    private InputStream standardInput = System.in;
    private OutputStream standardOutput = System.out;

    private Builder() {}

    public Builder inputs(List<String> value) {
      inputs = List.copyOf(value);
      return this;
    }

    /** Throws InvalidPathException, before any work, for a text that can be no path. */
    private static String fileName(String value) {
      if (value != null) {
        Path.of(value);
      }
      return value;
    }

    public Builder filesFrom(String value) {
      filesFrom = fileName(value);
      return this;
    }

    public Builder filesFromNul(boolean value) {
      filesFromNul = value;
      return this;
    }

    public Builder key(Path value) {
      key = value;
      return this;
    }

    public Builder wasm(Path value) {
      wasm = value;
      return this;
    }

    public Builder verifyingKey(Path value) {
      verifyingKey = value;
      return this;
    }

    public Builder kind(String value) {
      kind = value;
      return this;
    }

    public Builder fact(String optionName, String value) {
      facts.put(optionName, value);
      return this;
    }

    public Builder out(Path value) {
      out = value;
      return this;
    }

    public Builder proofFile(String value) {
      proofFile = fileName(value);
      return this;
    }

    public Builder publicFile(String value) {
      publicFile = fileName(value);
      return this;
    }

    public Builder format(ProofFormat value) {
      format = value;
      return this;
    }

    public Builder priority(Integer value) {
      priority = value;
      return this;
    }

    public Builder halt(Halt value) {
      halt = value;
      return this;
    }

    public Builder resume(boolean value) {
      resume = value;
      return this;
    }

    public Builder overwrite(boolean value) {
      overwrite = value;
      return this;
    }

    public Builder shard(Shard value) {
      shard = value;
      return this;
    }

    public Builder selfVerify(boolean value) {
      selfVerify = value;
      return this;
    }

    public Builder strict(boolean value) {
      strict = value;
      return this;
    }

    public Builder constraints(Path value) {
      constraints = value;
      return this;
    }

    public Builder jobTimeout(Duration value) {
      jobTimeout = value;
      return this;
    }

    public Builder timeLimit(Duration value) {
      timeLimit = value;
      return this;
    }

    public Builder grace(Duration value) {
      grace = value;
      return this;
    }

    public Builder allowOutside(boolean value) {
      allowOutside = value;
      return this;
    }

    public Builder cache(Path value) {
      cache = value;
      return this;
    }

    public Builder settings(List<Setting> value) {
      settings = List.copyOf(value);
      return this;
    }

    public Builder tool(String version, String build, int abi) {
      toolVersion = version;
      buildId = build;
      abiVersion = abi;
      return this;
    }

    public Builder standardInput(InputStream value) {
      standardInput = value;
      return this;
    }

    public Builder standardOutput(OutputStream value) {
      standardOutput = value;
      return this;
    }

    public BatchOptions build() {
      return new BatchOptions(
          inputs,
          filesFrom,
          filesFromNul,
          key,
          wasm,
          verifyingKey,
          kind,
          facts,
          out,
          proofFile,
          publicFile,
          format,
          priority,
          halt,
          resume,
          overwrite,
          shard,
          selfVerify,
          strict,
          constraints,
          jobTimeout,
          timeLimit,
          grace,
          allowOutside,
          cache,
          settings,
          toolVersion,
          buildId,
          abiVersion,
          standardInput,
          standardOutput);
    }
  }
}
