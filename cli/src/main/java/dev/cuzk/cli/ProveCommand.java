package dev.cuzk.cli;

import dev.cuzk.batch.BatchOptions;
import dev.cuzk.batch.BatchRunner;
import dev.cuzk.batch.Setting;
import dev.cuzk.batch.Shard;
import dev.cuzk.batch.UsageException;
import dev.cuzk.device.CpuBackend;
import dev.cuzk.engine.EngineOptions;
import dev.cuzk.engine.simulation.FaultRule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code cuzk prove}: the main job. */
@Command(
    name = "prove",
    header = "Proves a batch of circuit inputs.",
    description = {
      "Makes a witness for every input, proves it, verifies the proof and writes it. The same"
          + " command again goes on where an interrupted run stopped.",
      "Standard output gets the path of each proof when it is complete; progress, warnings and"
          + " errors go to standard error."
    },
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk prove --key circuit.zkey witnesses/ --out run",
      "  cuzk prove --key circuit.zkey --wasm circuit.wasm inputs/*.json",
      "  cuzk prove --key circuit.zkey --proof proof.json --public public.json witness.wtns",
      "  cuzk prove input.bin --shard 1/4"
    })
class ProveCommand extends BaseCommand {
  @Mixin JobOptions jobs = new JobOptions();
  @Mixin DeviceOptions devices = new DeviceOptions();

  @Option(names = "--out", paramLabel = "DIR", description = "Output folder (./cuzk-out).")
  Path out;

  @Option(
      names = "--proof",
      paramLabel = "FILE",
      description = "With --public, for a run of one job: write just these two files (- = stdout).")
  String proofFile;

  @Option(names = "--public", paramLabel = "FILE", description = "See --proof.")
  String publicFile;

  @Option(
      names = "--format",
      paramLabel = "NAME",
      description =
          "circom: snarkjs (default) or rapidsnark; Filecoin: raw (default), hex or base64.")
  String format;

  @Option(
      names = {"-j", "--jobs"},
      paramLabel = "N",
      description = "Partitions in flight between admission and acceptance.")
  Integer inFlight;

  @Option(
      names = "--synchronous",
      fallbackValue = "true",
      description = "One partition at a time through every stage.")
  boolean synchronous;

  @Option(
      names = "--halt",
      paramLabel = "WHEN",
      description = "After a failed job: now, soon or never (never).")
  BatchOptions.Halt halt = BatchOptions.Halt.NEVER;

  @Option(
      names = "--resume",
      fallbackValue = "true",
      description = "Fail if there is nothing to resume.")
  boolean resume;

  @Option(
      names = "--overwrite",
      fallbackValue = "true",
      description = "Prove jobs again whose input or key changed under the same name.")
  boolean overwrite;

  @Option(
      names = "--shard",
      paramLabel = "I/N",
      description = "Prove part I of N only; auto (Slurm), auto/N (Kubernetes).")
  String shard;

  @Option(
      names = "--no-self-verify",
      fallbackValue = "true",
      description = "Leave out the verification of each proof; the report says so.")
  boolean noSelfVerify;

  @Option(
      names = "--job-timeout",
      paramLabel = "D",
      description = "Time for one job, such as 90s, 5m or 1h30m.")
  Duration jobTimeout;

  @Option(names = "--time-limit", paramLabel = "D", description = "Time for the run (exit 10).")
  Duration timeLimit;

  @Option(
      names = "--grace",
      paramLabel = "D",
      description = "Time to finish what runs after a signal (10s).")
  Duration grace = Duration.ofSeconds(10);

  @Option(
      names = "--print0",
      fallbackValue = "true",
      description = "End each printed path with NUL instead of a line end.")
  boolean printNul;

  @Option(
      names = "--insecure-seed",
      paramLabel = "N",
      description = "INSECURE: fixed randomness, for tests; such proofs give the witness away.")
  Long insecureSeed;

  @Option(
      names = "--fault",
      paramLabel = "RULE",
      hidden = true,
      converter = FaultConverter.class,
      description = "TESTS: make a device fail, as docs/DEVELOPING.md says.")
  List<FaultRule> faults = List.of();

  /** {@code DEVICE:CALL:NUMBER:KIND}. */
  static final class FaultConverter implements ITypeConverter<FaultRule> {
    @Override
    public FaultRule convert(String text) {
      try {
        return FaultRule.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  @Override
  int run() throws Exception {
    check();
    if (insecureSeed != null) {
      console()
          .warning(
              "INSECURE: --insecure-seed fixes the randomness of every proof. Whoever knows the"
                  + " seed can learn the witness. Never use these proofs outside of tests.");
    }
    if (!faults.isEmpty()) {
      console()
          .warning(
              "FAULTS ARE INJECTED (--fault): devices fail on purpose. For tests of this program"
                  + " only.");
    }
    HostLimits limits = HostLimits.ofProcess();
    EngineLauncher launcher =
        new EngineLauncher(devices, engineOptions(limits).build(), limits, faults, console());
    Path folder = out == null ? Path.of("cuzk-out") : out;
    if (proofFile == null) {
      session().setCrashFolder(folder);
    }
    boolean toStandardOutput = "-".equals(proofFile) || "-".equals(publicFile);
    ProveOutput output =
        new ProveOutput(console(), ReadingProgress.of(session()), printNul, !toStandardOutput);
    BatchRunner runner = new BatchRunner(batchOptions(folder), launcher, output);
    Progress progress = Progress.start(session(), runner);
    StopControl stop = new StopControl(console(), runner::stop);
    Signals signals = Signals.listen(stop::signal);
    try {
      return runner.run();
    } finally {
      signals.close();
      progress.close();
    }
  }

  final void check() {
    jobs.check(this);
    devices.check(this);
    if ((proofFile == null) != (publicFile == null)) {
      throw usage("--proof and --public belong together");
    }
    if ("-".equals(proofFile) && "-".equals(publicFile)) {
      throw usage("--proof and --public cannot both be standard output");
    }
    if (console().isJson() && ("-".equals(proofFile) || "-".equals(publicFile))) {
      throw usage("--json and a result on standard output exclude each other");
    }
    if (proofFile != null && isGiven("--out")) {
      throw usage("--out and --proof exclude each other");
    }
    if (proofFile != null && shard != null) {
      throw usage("--shard needs an output folder; leave --proof and --public out");
    }
    if (inFlight != null && inFlight < 1) {
      throw usage("--jobs must be at least 1, found " + inFlight);
    }
    if (jobTimeout != null && jobTimeout.isZero()) {
      throw usage("--job-timeout must be more than 0");
    }
    if (timeLimit != null && timeLimit.isZero()) {
      throw usage("--time-limit must be more than 0");
    }
  }

  final EngineOptions.Builder engineOptions(HostLimits limits) {
    EngineOptions.Builder engine =
        EngineOptions.builder(devices.hostBudget(limits), devices.pinnedBudget(limits));
    int threads = devices.threadsOr(limits);
    engine
        .threads(threads)
        .synthesisThreads(threads)
        .verifyThreads(threads)
        .synchronous(synchronous)
        .selfVerify(!noSelfVerify)
        .cpuRepeat(!devices.noCpuRepeat)
        .halt(EngineOptions.Halt.valueOf(halt.name()))
        .notices(console()::note);
    if (devices.gpuMemory != null) {
      engine.deviceMemoryBudget(devices.gpuMemory.bytes());
    }
    if (inFlight != null) {
      engine.maxInFlight(inFlight);
    }
    if (insecureSeed != null) {
      engine.insecureSeed(insecureSeed);
    }
    return engine;
  }

  final BatchOptions batchOptions(Path folder) throws UsageException {
    Environment environment = session().environment();
    BatchOptions.Builder options = BatchOptions.builder();
    jobs.apply(options, this);
    return options
        .out(folder)
        .proofFile(proofFile)
        .publicFile(publicFile)
        .format(proofFormat())
        .halt(halt)
        .resume(resume)
        .overwrite(overwrite)
        .shard(shard == null ? null : Shard.parse(shard, environment.variables()))
        .selfVerify(!noSelfVerify)
        .jobTimeout(jobTimeout)
        .timeLimit(timeLimit)
        .grace(grace)
        .cache(environment.cacheFolder().orElse(null))
        .settings(effectiveSettings())
        .tool(Version.number(), Version.build(), CpuBackend.abiVersion())
        .standardInput(environment.in())
        .standardOutput(new ConsoleStream(console()))
        .build();
  }

  private BatchOptions.ProofFormat proofFormat() {
    if (format == null) {
      return BatchOptions.ProofFormat.USUAL;
    }
    return switch (format.toLowerCase(Locale.ROOT)) {
      case "snarkjs" -> BatchOptions.ProofFormat.SNARKJS;
      case "rapidsnark" -> BatchOptions.ProofFormat.RAPIDSNARK;
      case "raw" -> BatchOptions.ProofFormat.RAW;
      case "hex" -> BatchOptions.ProofFormat.HEX;
      case "base64" -> BatchOptions.ProofFormat.BASE64;
      default ->
          throw usage(
              "--format must be snarkjs, rapidsnark, raw, hex or base64, found '" + format + "'");
    };
  }

  private List<Setting> effectiveSettings() {
    return session().settings().effective(parseResult()).stream()
        .map(each -> new Setting(each.option(), each.value(), each.source()))
        .toList();
  }
}
