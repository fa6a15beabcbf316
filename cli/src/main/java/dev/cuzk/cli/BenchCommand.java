package dev.cuzk.cli;

import dev.cuzk.bench.BenchExport;
import dev.cuzk.bench.BenchKind;
import dev.cuzk.bench.BenchOptions;
import dev.cuzk.bench.BenchResult;
import dev.cuzk.bench.BenchRunner;
import dev.cuzk.bench.BenchSizes;
import dev.cuzk.bench.BenchTable;
import dev.cuzk.device.Backend;
import dev.cuzk.math.CurveId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ForkJoinPool;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cuzk bench}: honest timings. */
@Command(
    name = "bench",
    header = "Times proofs and their parts.",
    description = {
      "WHAT is prove, msm, ntt, synth or engine. Prints median and spread, and warns about"
          + " outliers.",
      "Exit code 1 only if --fail-above is exceeded."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk bench msm --size 2^16..2^20 --group g1",
      "  cuzk bench prove --circuit chain-16 --export-json now.json",
      "  cuzk bench prove --gpus 0 --circuit porep-32GiB --input c1.json",
      "  cuzk bench prove --key circuit.zkey --input witness.wtns --compare before.json"
          + " --fail-above 5"
    })
final class BenchCommand extends BaseCommand {
  @Mixin DeviceOptions devices = new DeviceOptions();

  @Mixin FilecoinOptions filecoin = new FilecoinOptions();

  @Parameters(paramLabel = "WHAT", description = "prove, msm, ntt, synth, upload or engine.")
  String what;

  @Option(
      names = "--curve",
      paramLabel = "NAME",
      split = ",",
      description = "bn254, bls12-381, or both with a comma (bn254).")
  List<String> curves = List.of("bn254");

  @Option(
      names = "--group",
      paramLabel = "NAME",
      split = ",",
      description = "msm: g1, g2, or both with a comma (g1).")
  List<BenchOptions.Group> groups = List.of(BenchOptions.Group.G1);

  @Option(
      names = "--size",
      paramLabel = "SIZES",
      description = "2^20, or a list 2^18,2^20, or a range 2^16..2^20.")
  String sizes;

  @Option(
      names = "--circuit",
      paramLabel = "NAME",
      split = ",",
      description = "Built-in circuits, such as chain-16.")
  List<String> circuits = List.of();

  @Option(names = "--key", paramLabel = "FILE", description = "A proving key (.zkey).")
  Path key;

  @Option(
      names = "--input",
      paramLabel = "FILE",
      description =
          "The witness (.wtns) or circom input (.json) for --key; the C1 output or vanilla proofs"
              + " for one of Filecoin's circuits.")
  Path input;

  @Option(names = "--wasm", paramLabel = "FILE", description = "The program of a .json input.")
  Path wasm;

  @Option(
      names = "--resident",
      arity = "1",
      paramLabel = "YES|NO",
      description = "Whether the key stays on the device between proofs (yes).")
  Boolean resident;

  @Option(
      names = "--tables",
      arity = "1",
      paramLabel = "YES|NO",
      description =
          "Whether multiples of the key's points are precomputed, as many as gain anything; on a"
              + " GPU they take at most half of the memory that the key leaves (no).")
  Boolean tables;

  @Option(
      names = {"-w", "--warmup"},
      paramLabel = "N",
      description = "Runs before the measured ones (3).")
  int warmup = BenchOptions.DEFAULT_WARMUP;

  @Option(
      names = {"-r", "--runs"},
      paramLabel = "N",
      description = "Measured runs (10).")
  int runs = BenchOptions.DEFAULT_RUNS;

  @Option(names = "--export-json", paramLabel = "FILE", description = "Write the result to FILE.")
  Path exportJson;

  @Option(names = "--compare", paramLabel = "FILE", description = "Compare with an earlier export.")
  Path compare;

  @Option(
      names = "--fail-above",
      paramLabel = "PCT",
      description = "Exit code 1 if a case is more than PCT percent slower than in --compare.")
  Double failAbove;

  @Override
  int run() throws Exception {
    devices.check(this);
    BenchOptions options = options();
    HostLimits limits = HostLimits.ofProcess();
    ForkJoinPool pool = devices.threads.pool();
    BenchResult result;
    try (Backend backend = Backends.one(devices, limits, console())) {
      requireGpu(options, backend.description().isCpu());
      TestInputs inputs = new TestInputs(session(), backend, pool, filecoin.facts());
      result =
          BenchRunner.run(
              options, backend, inputs, pool, text -> console().showStatus(List.of(text)));
    } finally {
      console().clearStatus();
      pool.shutdown();
    }
    print(result);
    return result.failed() ? ExitCode.INVALID_PROOF : ExitCode.OK;
  }

  private void requireGpu(BenchOptions options, boolean cpu) {
    if (cpu && options.streamed()) {
      throw usage("--resident no: keys are always resident on the CPU");
    }
    if (cpu && options.kind() == BenchKind.UPLOAD) {
      throw usage("bench upload: the CPU has no memory of its own to copy to; name a GPU");
    }
  }

  private BenchOptions options() {
    BenchKind kind =
        BenchKind.byName(what)
            .orElseThrow(
                () ->
                    usage(
                        "WHAT must be prove, msm, ntt, synth, upload or engine, found '"
                            + what
                            + "'"));
    List<CurveId> ids = new ArrayList<>();
    for (String name : curves) {
      ids.add(Curves.parse(this, name));
    }
    return new BenchOptions(
        kind,
        ids,
        groups,
        sizes == null ? List.of() : BenchSizes.parse(sizes),
        circuits,
        Optional.ofNullable(key),
        Optional.ofNullable(input),
        Optional.ofNullable(wasm),
        Boolean.FALSE.equals(resident),
        Boolean.TRUE.equals(tables),
        warmup,
        runs,
        Optional.ofNullable(compare),
        failAbove == null ? OptionalDouble.empty() : OptionalDouble.of(failAbove));
  }

  private void print(BenchResult result) throws CommandFailure {
    String json = BenchExport.toJson(result);
    if (console().isJson()) {
      console().resultBytes(json.getBytes(StandardCharsets.UTF_8));
    } else {
      BenchTable.lines(result).forEach(console()::result);
    }
    if (exportJson != null) {
      OutputFiles.write(exportJson, json.getBytes(StandardCharsets.UTF_8));
    }
  }
}
