package dev.cuzk.cli;

import dev.cuzk.batch.FilecoinInputs;
import dev.cuzk.circuit.BuiltInCircuit;
import dev.cuzk.circuit.ConstraintCheck;
import dev.cuzk.circuit.Constraints;
import dev.cuzk.circuit.R1csConstraints;
import dev.cuzk.circuit.filecoin.FilecoinCircuit;
import dev.cuzk.circuit.filecoin.FilecoinCircuits;
import dev.cuzk.device.Backend;
import dev.cuzk.device.BackendOptions;
import dev.cuzk.device.CpuBackend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.WtnsFile;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.memory.PlainBuffer;
import dev.cuzk.synthesis.Synthesizer;
import dev.cuzk.synthesis.filecoin.PartitionStatement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cuzk check}: does a witness satisfy its circuit? */
@Command(
    name = "check",
    header = "Checks whether a witness satisfies a circuit.",
    description = {
      "Names the first constraint that fails. Exit code 0 if it satisfies, 4 if not, 3 if a file is"
          + " malformed or of another circuit.",
      "With --input the assignments of a Filecoin job's partitions are made, one after the other,"
          + " and checked; one takes 32 bytes a variable (4.2 GB for a seal of 32 GiB)."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk check --r1cs circuit.r1cs witness.wtns",
      "  cuzk check --input c1.json --miner-id 1001 --partition-index 0"
    })
final class CheckCommand extends BaseCommand {
  @Option(names = "--r1cs", paramLabel = "FILE", description = "The circuit's constraints.")
  Path constraints;

  @Option(
      names = "--circuit",
      paramLabel = "NAME",
      description = "A built-in circuit instead; without WITNESS its own witness is checked.")
  String circuit;

  @Option(
      names = "--input",
      paramLabel = "FILE",
      description =
          "Filecoin: check the assignments of FILE's job; repeated for several sectors or"
              + " partitions.")
  List<Path> input;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "Of --input: porep, snap, window-post or winning-post (by content).")
  String kind;

  @Mixin ThreadOption threads = new ThreadOption();

  @Mixin FilecoinOptions filecoin = new FilecoinOptions();

  @Parameters(arity = "0..2", paramLabel = "WITNESS", description = "The witness (.wtns).")
  List<Path> files = new ArrayList<>();

  private Path witness;

  @Override
  int run() throws Exception {
    refuseBareConstraints(this, "cuzk check", files, constraints);
    if (files.size() > 1) {
      throw usage("one WITNESS at a time, found " + files.size());
    }
    witness = files.isEmpty() ? null : files.get(0);
    int systems =
        (constraints == null ? 0 : 1) + (circuit == null ? 0 : 1) + (input == null ? 0 : 1);
    if (systems != 1) {
      throw usage("give one of --r1cs FILE, --circuit NAME and --input FILE");
    }
    if (witness == null && constraints != null) {
      throw usage("no WITNESS given");
    }
    if (witness != null && input != null) {
      throw usage("--input makes its own assignments; leave WITNESS out");
    }
    threads.check(this);
    ForkJoinPool pool = threads.pool();
    try {
      if (input != null) {
        return checkInput(pool);
      }
      return circuit == null ? checkFile(pool) : checkBuiltIn(pool);
    } finally {
      pool.shutdown();
    }
  }

  /** An .r1cs file among the arguments is answered with the line that was meant. */
  static void refuseBareConstraints(
      BaseCommand command, String line, List<Path> files, Path constraints) {
    for (Path file : files) {
      if (constraints == null && file.toString().toLowerCase(Locale.ROOT).endsWith(".r1cs")) {
        StringBuilder meant =
            new StringBuilder(line)
                .append(" --r1cs ")
                .append(ForeignSyntax.quoted(file.toString()));
        for (Path other : files) {
          if (!other.equals(file)) {
            meant.append(' ').append(ForeignSyntax.quoted(other.toString()));
          }
        }
        throw command.usage(file + ": constraints are given with --r1cs. Write: " + meant);
      }
    }
  }

  private int checkFile(ForkJoinPool pool) throws Exception {
    try (R1csConstraints system = R1csConstraints.open(FileRange.whole(constraints))) {
      return check(system, system.curve(), pool);
    }
  }

  private int checkBuiltIn(ForkJoinPool pool) throws Exception {
    CurveId curve = null;
    if (witness != null) {
      try (WtnsFile file = WtnsFile.open(FileRange.whole(witness))) {
        curve = file.curve();
      }
    }
    Constraints system = CircuitCommand.find(circuit, curve);
    if (witness == null && !(system instanceof BuiltInCircuit)) {
      throw usage(circuit + ": has no witness of its own; give a WITNESS");
    }
    return check(system, curve == null ? CurveId.BN254 : curve, pool);
  }

  /**
   * Memory for an assignment. Java's own holds 2 GiB, or as much as the heap if that is less; for
   * more the CPU library is asked.
   *
   * @param library null where it was not needed
   */
  private record Room(Backend library, Buffer values) implements AutoCloseable {
    static Room of(Constraints system, ForkJoinPool pool) throws DeviceException {
      long bytes = system.variables() * CurveId.SCALAR_BYTES;
      if (bytes <= Math.min(PlainBuffer.MAXIMUM_BYTES, Runtime.getRuntime().maxMemory() / 2)) {
        return new Room(null, PlainBuffer.allocate(bytes));
      }
      Backend library = CpuBackend.open(BackendOptions.cpu(pool.getParallelism()));
      try {
        return new Room(library, library.allocatePinned(bytes));
      } catch (DeviceException | RuntimeException e) {
        library.close();
        throw e;
      }
    }

    @Override
    public void close() {
      values.close();
      if (library != null) {
        library.close();
      }
    }
  }

  /** Every partition of a Filecoin job; the first that does not satisfy its circuit ends it. */
  private int checkInput(ForkJoinPool pool) throws Exception {
    FilecoinInputs.FilecoinJob job =
        new FilecoinInputs(filecoin.facts(), console()::warning).open(input, kind);
    FilecoinCircuit known = FilecoinCircuits.byName(job.statement().circuit()).orElseThrow();
    Constraints system = known.matrices();
    int first = job.statement() instanceof PartitionStatement one ? one.partition() : 0;
    try (Room room = Room.of(system, pool)) {
      Buffer values = room.values();
      for (int i = 0; i < job.partitions().size(); i++) {
        Synthesizer maker = job.partitions().get(i);
        // On a thread of the pool, where a maker finds it.
        pool.submit(
                () -> {
                  maker.synthesize(values);
                  return null;
                })
            .get();
        Optional<ConstraintCheck.Failure> failure =
            ConstraintCheck.firstFailure(system, values, pool);
        int code = report(system, input.get(0) + ", partition " + (first + i), failure);
        if (code != ExitCode.OK) {
          return code;
        }
      }
      return ExitCode.OK;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private int check(Constraints system, CurveId curve, ForkJoinPool pool)
      throws InputException, DeviceException {
    String subject = witness == null ? system.name() : witness.toString();
    try (Room room = Room.of(system, pool)) {
      Buffer values = room.values();
      if (witness == null) {
        ((BuiltInCircuit) system).writeWitness(values, pool);
      } else {
        try (WtnsFile file = WtnsFile.open(FileRange.whole(witness))) {
          file.requireFits(system.name(), curve, system.variables());
          file.readInto(values);
        }
      }
      Optional<ConstraintCheck.Failure> failure =
          ConstraintCheck.firstFailure(system, values, pool);
      values.zero();
      return report(system, subject, failure);
    }
  }

  private int report(
      Constraints system, String subject, Optional<ConstraintCheck.Failure> failure) {
    if (console().isJson()) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("witness", subject);
      object.put("circuit", system.name());
      object.put("constraints", system.constraints());
      object.put("satisfied", failure.isEmpty());
      failure.ifPresent(
          each -> {
            object.put("constraint", each.constraint());
            object.put("reason", each.describe());
          });
      console().result(Json.write(object));
    } else if (failure.isEmpty()) {
      console().result(subject + ": satisfies all " + system.constraints() + " constraints");
    }
    failure.ifPresent(each -> console().error(subject + ": " + each.describe()));
    return failure.isEmpty() ? ExitCode.OK : ExitCode.UNSATISFIED;
  }
}
