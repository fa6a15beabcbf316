package dev.cuzk.cli;

import dev.cuzk.circuit.BuiltInCircuit;
import dev.cuzk.circuit.BuiltInCircuits;
import dev.cuzk.math.CurveId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cuzk circuit}: the circuits that this program contains. */
@Command(
    name = "circuit",
    header = "Lists and describes built-in circuits.",
    description = {
      "list: all of them. show NAME: sizes of one, for example chain-12.",
      "digest NAME and segments NAME are for circuits whose constraints are fixed by others."
    })
final class CircuitCommand extends BaseCommand {
  /** What to tell. */
  enum Action {
    LIST,
    SHOW,
    DIGEST,
    SEGMENTS
  }

  private static final Pattern FILECOIN_NAME =
      Pattern.compile("(porep|update|window|winning)-[0-9]+[KMG]iB");

  @Parameters(index = "0", paramLabel = "ACTION", description = "list, show, digest or segments.")
  Action action;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "NAME",
      description = "A circuit, as list names them.")
  String name;

  @Option(names = "--curve", paramLabel = "NAME", description = "bn254 or bls12-381 (bn254).")
  String curve = "bn254";

  @Override
  int run() throws CommandFailure {
    if (action == Action.LIST) {
      if (name != null) {
        throw usage("list takes no NAME");
      }
      return list();
    }
    if (name == null) {
      throw usage(CommandTable.lower(action) + " needs a NAME; known: " + BuiltInCircuits.known());
    }
    BuiltInCircuit circuit = find(name, Curves.parse(this, curve));
    if (action != Action.SHOW) {
      throw CommandFailure.usage(
          name
              + ": has no "
              + CommandTable.lower(action)
              + "; only circuits whose constraints are fixed by others have one");
    }
    return show(circuit);
  }

  /**
   * A built-in circuit.
   *
   * @throws CommandFailure class usage: there is none of that name
   */
  static BuiltInCircuit find(String name, CurveId curve) throws CommandFailure {
    if (FILECOIN_NAME.matcher(name).matches()) {
      throw CommandFailure.usage(
          name + ": Filecoin circuits are not in this version; known: " + BuiltInCircuits.known());
    }
    return BuiltInCircuits.byName(name, curve)
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    name + ": no such circuit; known: " + BuiltInCircuits.known()));
  }

  private int list() {
    if (console().isJson()) {
      List<Object> families = new ArrayList<>();
      for (BuiltInCircuits.Family family : BuiltInCircuits.families()) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", family.name());
        object.put("minimum", family.minimumLog2());
        object.put("maximum", family.maximumLog2());
        object.put("description", family.description());
        families.add(object);
      }
      console().result(Json.write(Map.of("circuits", families)));
      return ExitCode.OK;
    }
    for (BuiltInCircuits.Family family : BuiltInCircuits.families()) {
      console()
          .result(
              String.format(
                  Locale.ROOT,
                  "%-8s K = %d to %d: %s",
                  family.name(),
                  family.minimumLog2(),
                  family.maximumLog2(),
                  family.description()));
    }
    return ExitCode.OK;
  }

  private int show(BuiltInCircuit circuit) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("name", circuit.name());
    object.put("description", circuit.description());
    object.put("curve", circuit.curve().printedName());
    object.put("constraints", circuit.constraints());
    object.put("variables", circuit.variables());
    object.put("public_inputs", circuit.publicInputs());
    object.put("domain_log2", circuit.domainLog2());
    if (console().isJson()) {
      console().result(Json.write(object));
    } else {
      object.forEach((key, value) -> console().result(key.replace('_', ' ') + ": " + value));
    }
    return ExitCode.OK;
  }
}
