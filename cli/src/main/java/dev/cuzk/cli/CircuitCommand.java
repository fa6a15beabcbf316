package dev.cuzk.cli;

import dev.cuzk.circuit.BuiltInCircuit;
import dev.cuzk.circuit.BuiltInCircuits;
import dev.cuzk.circuit.CompactMatrices;
import dev.cuzk.circuit.ConstraintDigest;
import dev.cuzk.circuit.Constraints;
import dev.cuzk.circuit.Namespaces;
import dev.cuzk.circuit.filecoin.FilecoinCircuit;
import dev.cuzk.circuit.filecoin.FilecoinCircuits;
import dev.cuzk.circuit.filecoin.ReferenceDigest;
import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
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

/** {@code cuzk circuit}: the circuits that this program contains. */
@Command(
    name = "circuit",
    header = "Lists and describes built-in circuits.",
    description = {
      "list: all of them. show NAME: sizes of one, for example chain-12 or porep-32GiB.",
      "digest NAME: its r1cs-digest-v1; of a Filecoin circuit compared with the reference's.",
      "segments NAME: the namespaces of a Filecoin circuit with their constraints and private"
          + " variables, as tab-separated values."
    })
final class CircuitCommand extends BaseCommand {
  /** What to tell. */
  enum Action {
    LIST,
    SHOW,
    DIGEST,
    SEGMENTS
  }

  /** Without --depth as deep as this, but fewer lines than {@link #MOST_LINES}. */
  private static final int USUAL_DEPTH = 3;

  private static final int MOST_LINES = 20_000;

  /** Deeper than any namespace of a circuit. */
  private static final int MOST_DEPTH = 16;

  @Parameters(index = "0", paramLabel = "ACTION", description = "list, show, digest or segments.")
  Action action;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "NAME",
      description = "A circuit, as list names them.")
  String name;

  @Option(
      names = "--curve",
      paramLabel = "NAME",
      description = "bn254 or bls12-381 (bn254; Filecoin's circuits are over bls12-381 alone).")
  String curve;

  @Option(
      names = "--chunks",
      description = "digest: also the digest of each 65,536 constraints, one a line.")
  boolean chunks;

  @Option(
      names = "--depth",
      paramLabel = "N",
      description =
          "segments: how deep namespaces are listed (3, less if that were 20,000 lines or more).")
  Integer depth;

  @Mixin ThreadOption threads = new ThreadOption();

  @Override
  int run() throws Exception {
    if (action == Action.LIST) {
      if (name != null) {
        throw usage("list takes no NAME");
      }
      return list();
    }
    if (name == null) {
      throw usage(CommandTable.lower(action) + " needs a NAME; known: " + known());
    }
    threads.check(this);
    if (depth != null && (depth < 1 || depth > MOST_DEPTH)) {
      throw usage("--depth must be 1 to " + MOST_DEPTH + ", found " + depth);
    }
    CurveId chosen = curve == null ? null : Curves.parse(this, curve);
    return switch (action) {
      case SEGMENTS -> segments(chosen);
      case DIGEST -> digest(find(name, chosen));
      default -> show(find(name, chosen));
    };
  }

  /** What a message says when there is no circuit of a name. */
  private static String known() {
    return BuiltInCircuits.known()
        + ", porep-, update-, update-poseidon-, window- and winning-SIZE (cuzk circuit list)";
  }

  /**
   * The constraints of a built-in circuit.
   *
   * @param curve null for the circuit's own, or BN254 if it has one over each
   * @throws CommandFailure class usage: there is none of that name over that curve
   */
  static Constraints find(String name, CurveId curve) throws CommandFailure {
    Optional<FilecoinCircuit> filecoin = FilecoinCircuits.byName(name);
    if (filecoin.isPresent()) {
      requireFilecoinCurve(name, curve);
      return filecoin.get().matrices();
    }
    CurveId chosen = curve == null ? CurveId.BN254 : curve;
    return BuiltInCircuits.byName(name, chosen)
        .orElseThrow(() -> CommandFailure.usage(name + ": no such circuit; known: " + known()));
  }

  private static void requireFilecoinCurve(String name, CurveId curve) throws CommandFailure {
    if (curve != null && curve != FilecoinCircuit.CURVE) {
      throw CommandFailure.usage(
          name + ": is over " + FilecoinCircuit.CURVE.printedName() + " alone");
    }
  }

  // ---- list and show

  private int list() {
    if (console().isJson()) {
      List<Object> circuits = new ArrayList<>();
      for (BuiltInCircuits.Family family : BuiltInCircuits.families()) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", family.name());
        object.put("minimum", family.minimumLog2());
        object.put("maximum", family.maximumLog2());
        object.put("description", family.description());
        circuits.add(object);
      }
      for (FilecoinCircuit circuit : FilecoinCircuits.all()) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", circuit.name());
        object.put("sector_size", circuit.shape().bytes());
        object.put("description", circuit.description());
        circuits.add(object);
      }
      console().result(Json.write(Map.of("circuits", circuits)));
      return ExitCode.OK;
    }
    for (BuiltInCircuits.Family family : BuiltInCircuits.families()) {
      String range = "K = " + family.minimumLog2() + " to " + family.maximumLog2() + ": ";
      listLine(family.name(), range + family.description());
    }
    FilecoinCircuits.all().forEach(circuit -> listLine(circuit.name(), circuit.description()));
    return ExitCode.OK;
  }

  private void listLine(String circuit, String description) {
    console().result(String.format(Locale.ROOT, "%-22s %s", circuit, description));
  }

  private int show(Constraints circuit) {
    Optional<FilecoinCircuit> filecoin = FilecoinCircuits.byName(name);
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("name", circuit.name());
    if (circuit instanceof BuiltInCircuit builtIn) {
      object.put("description", builtIn.description());
      object.put("curve", builtIn.curve().printedName());
    }
    filecoin.ifPresent(
        each -> {
          object.put("description", each.description());
          object.put("curve", FilecoinCircuit.CURVE.printedName());
          object.put("sector_size", each.shape().bytes());
        });
    object.put("constraints", circuit.constraints());
    object.put("variables", circuit.variables());
    object.put("public_inputs", circuit.publicInputs());
    object.put("domain_log2", circuit.domainLog2());
    if (circuit instanceof CompactMatrices matrices) {
      object.put("coefficients", matrices.coefficients());
      object.put("gadgets", matrices.templates());
      object.put("places", matrices.places());
      object.put("matrix_bytes", matrices.byteSize());
    }
    filecoin.ifPresent(each -> object.put("digest", each.reference().root()));
    print(object);
    return ExitCode.OK;
  }

  private void print(Map<String, Object> object) {
    if (console().isJson()) {
      console().result(Json.write(object));
    } else {
      object.forEach((key, value) -> console().result(key.replace('_', ' ') + ": " + value));
    }
  }

  // ---- digest

  private int digest(Constraints circuit) throws InputException {
    ForkJoinPool pool = threads.pool();
    ConstraintDigest digest;
    try {
      digest = ConstraintDigest.of(circuit, pool, this::showProgress);
    } finally {
      pool.shutdown();
      console().clearStatus();
    }
    String root = digest.root().hex();
    Optional<ReferenceDigest> reference = ReferenceDigest.of(circuit.name());
    boolean differs = reference.isPresent() && !reference.get().root().equals(root);
    if (console().isJson()) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("name", circuit.name());
      object.put("digest", root);
      reference.ifPresent(each -> object.put("reference", each.root()));
      if (chunks) {
        object.put("chunks", digest.chunks().stream().map(Object::toString).toList());
      }
      console().result(Json.write(object));
    } else {
      console().result(root);
      if (chunks) {
        digest.chunks().forEach(chunk -> console().result(chunk.hex()));
      }
    }
    if (differs) {
      console().error(name + ": is not the reference's circuit, " + reference.get().root());
    }
    return differs ? ExitCode.INPUT : ExitCode.OK;
  }

  private void showProgress(long done, long total) {
    console()
        .showStatus(List.of(String.format(Locale.ROOT, "%s: %.0f %%", name, 100.0 * done / total)));
  }

  // ---- segments

  private int segments(CurveId chosen) throws CommandFailure {
    FilecoinCircuit circuit =
        FilecoinCircuits.byName(name)
            .orElseThrow(
                () -> CommandFailure.usage(name + ": has no namespaces; Filecoin's circuits have"));
    requireFilecoinCurve(name, chosen);
    int deepest = depth == null ? USUAL_DEPTH : depth;
    Namespaces namespaces = circuit.namespaces(deepest);
    while (depth == null && deepest > 1 && namespaces.count(deepest) >= MOST_LINES) {
      deepest--;
    }
    List<Object> objects = new ArrayList<>();
    boolean json = console().isJson();
    if (!json) {
      console().result("path\tfirst_constraint\tend_constraint\tfirst_aux\tend_aux");
    }
    namespaces.forEach(
        deepest,
        (path, namespace) -> {
          if (json) {
            objects.add(object(path, namespace));
          } else {
            console().result(line(path, namespace));
          }
        });
    if (json) {
      console().result(Json.write(Map.of("segments", objects)));
    }
    return ExitCode.OK;
  }

  private static String line(String path, Namespaces.Namespace namespace) {
    return path
        + "\t"
        + namespace.firstConstraint()
        + "\t"
        + namespace.endConstraint()
        + "\t"
        + namespace.firstAuxiliary()
        + "\t"
        + namespace.endAuxiliary();
  }

  private static Map<String, Object> object(String path, Namespaces.Namespace namespace) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("path", path);
    object.put("first_constraint", namespace.firstConstraint());
    object.put("end_constraint", namespace.endConstraint());
    object.put("first_aux", namespace.firstAuxiliary());
    object.put("end_aux", namespace.endAuxiliary());
    return object;
  }
}
