package dev.cuzk.cli;

import dev.cuzk.batch.Failures;
import dev.cuzk.circuit.Constraints;
import dev.cuzk.circuit.R1csConstraints;
import dev.cuzk.device.Backend;
import dev.cuzk.format.FileRange;
import dev.cuzk.setup.SetupListener;
import dev.cuzk.setup.TestSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ForkJoinPool;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cuzk setup}: proving keys for tests. */
@Command(
    name = "setup",
    header = "Makes a one-party proving key, for tests only.",
    description = {
      "Whoever makes a key alone can forge proofs under it. A .zkey is marked as such; prove,"
          + " verify and inspect warn about it. snarkjs accepts it. A file that ends in .params is"
          + " written as bellman does, which has no place for such a mark."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk setup --insecure-test-only --r1cs circuit.r1cs -o circuit.zkey",
      "  cuzk setup --insecure-test-only --circuit chain-12 --curve bls12-381 -o chain.zkey"
    })
final class SetupCommand extends BaseCommand {
  @Mixin DeviceOptions devices = new DeviceOptions();

  @Option(
      names = "--insecure-test-only",
      fallbackValue = "true",
      description = "Required: says that you know what such a key is worth.")
  boolean insecure;

  @Option(names = "--r1cs", paramLabel = "FILE", description = "The circuit's constraints.")
  Path constraints;

  @Option(names = "--circuit", paramLabel = "NAME", description = "A built-in circuit instead.")
  String circuit;

  @Option(
      names = "--curve",
      paramLabel = "NAME",
      description =
          "Of a built-in circuit: bn254 or bls12-381 (bn254; of Filecoin's always bls12-381).")
  String curve;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The key to write: .zkey, or .params as bellman has it (bls12-381).")
  Path output;

  @Option(
      names = "--insecure-seed",
      paramLabel = "N",
      description = "INSECURE: makes the same key again, for tests.")
  Long insecureSeed;

  @Parameters(arity = "0..*", hidden = true)
  List<Path> files = new ArrayList<>();

  @Override
  int run() throws Exception {
    CheckCommand.refuseBareConstraints(
        this,
        "cuzk setup --insecure-test-only -o " + ForeignSyntax.quoted(output.toString()),
        files,
        constraints);
    if (!files.isEmpty()) {
      throw usage("unmatched argument '" + files.get(0) + "'");
    }
    devices.check(this);
    if (!insecure) {
      throw usage(
          "a key that one party makes is worthless as security; for tests, say so with"
              + " --insecure-test-only");
    }
    if ((constraints == null) == (circuit == null)) {
      throw usage("give either --r1cs FILE or --circuit NAME");
    }
    if (insecureSeed != null) {
      console().warning("INSECURE: --insecure-seed makes the key's secrets known to everybody");
    }
    if (constraints != null && Files.exists(output) && Files.isSameFile(constraints, output)) {
      throw usage(output + ": is the input and would be overwritten");
    }
    if (circuit != null) {
      return write(CircuitCommand.find(circuit, curve == null ? null : Curves.parse(this, curve)));
    }
    try (R1csConstraints system = R1csConstraints.open(FileRange.whole(constraints))) {
      return write(system);
    }
  }

  private int write(Constraints system) throws Exception {
    HostLimits limits = HostLimits.ofProcess();
    ForkJoinPool pool = devices.threads.pool();
    long begin = System.nanoTime();
    try (Backend backend = Backends.one(devices, limits, console())) {
      OptionalLong seed =
          insecureSeed == null ? OptionalLong.empty() : OptionalLong.of(insecureSeed);
      TestSetup.Summary summary =
          TestSetup.write(output, form(), system, backend, pool, seed, listener());
      console().clearStatus();
      report(summary, (System.nanoTime() - begin) / 1e9);
      return ExitCode.OK;
    } catch (IOException e) {
      throw CommandFailure.output(output + ": cannot be written (" + Failures.describe(e) + ")", e);
    } finally {
      console().clearStatus();
      pool.shutdown();
    }
  }

  private TestSetup.Form form() {
    return output.toString().endsWith(".params") ? TestSetup.Form.PARAMS : TestSetup.Form.ZKEY;
  }

  private SetupListener listener() {
    return (step, done, total) ->
        console()
            .showStatus(
                List.of(
                    String.format(
                        Locale.ROOT, "%s: %.0f %%", step, total == 0 ? 0 : 100.0 * done / total)));
  }

  private void report(TestSetup.Summary summary, double seconds) {
    if (console().isJson()) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("file", output.toString());
      object.put("curve", summary.curve().printedName());
      object.put("domain_log2", summary.domainLog2());
      object.put("constraints", summary.constraints());
      object.put("variables", summary.variables());
      object.put("public_inputs", summary.publicInputs());
      object.put("matrix_entries", summary.entries());
      object.put("seconds", seconds);
      console().result(Json.write(object));
      return;
    }
    console().result(output.toString());
    console()
        .note(
            String.format(
                Locale.ROOT,
                "cuzk: test key for %d constraints over %s, made in %.1f s",
                summary.constraints(),
                summary.curve().printedName(),
                seconds));
  }
}
