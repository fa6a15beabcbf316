package dev.cuzk.cli;

import dev.cuzk.circuit.BuiltInCircuit;
import dev.cuzk.circuit.ConstraintCheck;
import dev.cuzk.circuit.Constraints;
import dev.cuzk.circuit.R1csConstraints;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.WtnsFile;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.memory.PlainBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
          + " malformed or of another circuit."
    })
final class CheckCommand extends BaseCommand {
  @Option(names = "--r1cs", paramLabel = "FILE", description = "The circuit's constraints.")
  Path constraints;

  @Option(
      names = "--circuit",
      paramLabel = "NAME",
      description = "A built-in circuit instead; without WITNESS its own witness is checked.")
  String circuit;

  @Mixin ThreadOption threads = new ThreadOption();

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
    if ((constraints == null) == (circuit == null)) {
      throw usage("give either --r1cs FILE or --circuit NAME");
    }
    if (witness == null && circuit == null) {
      throw usage("no WITNESS given");
    }
    threads.check(this);
    ForkJoinPool pool = threads.pool();
    try {
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

  private int check(Constraints system, CurveId curve, ForkJoinPool pool) throws InputException {
    String subject = witness == null ? system.name() : witness.toString();
    try (Buffer values = PlainBuffer.allocate(system.variables() * CurveId.SCALAR_BYTES)) {
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
