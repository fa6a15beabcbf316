package dev.cuzk.cli;

import dev.cuzk.batch.BatchOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** What the jobs are: shared by {@code prove} and {@code pack}. */
final class JobOptions {
  private static final List<String> KINDS =
      List.of("circom", "porep", "snap", "window-post", "winning-post");

  private static final Map<String, String> KIND_ALIASES =
      Map.of("wpost", "window-post", "winning", "winning-post", "update", "snap");

  @Parameters(
      paramLabel = "INPUT",
      description =
          "A container (input.bin) or its manifest (jobs.json), .wtns files, circom .json inputs,"
              + " Filecoin's vanilla proofs, or folders of them; - reads one input from standard"
              + " input.")
  List<String> inputs = new ArrayList<>();

  @Option(
      names = "--files-from",
      paramLabel = "FILE",
      description =
          "Read names of inputs from FILE (- = standard input), one a line; 'name TAB path' also"
              + " names the job.")
  String filesFrom;

  @Option(
      names = "--from0",
      fallbackValue = "true",
      description = "Names in --files-from end with NUL instead of a line end.")
  boolean filesFromNul;

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description = "Proving key (.zkey, .params) of the inputs that are not in a container.")
  Path key;

  @Option(
      names = "--wasm",
      paramLabel = "FILE",
      description = "Witness program (circom's .wasm) of the .json inputs.")
  Path wasm;

  @Option(
      names = "--vk",
      paramLabel = "FILE",
      description = "Verifying key that the proving key must carry.")
  Path verifyingKey;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "circom, porep, snap, window-post or winning-post (by content).")
  String kind;

  @Option(
      names = "--priority",
      paramLabel = "N",
      description = "0 to 99, higher first (winning-post 40, window-post 30, snap 20, others 10).")
  Integer priority;

  @Option(
      names = "--r1cs",
      paramLabel = "FILE",
      description = "Check every witness against FILE first and name the constraint that fails.")
  Path constraints;

  @Option(
      names = "--allow-outside",
      fallbackValue = "true",
      description = "A manifest may name files outside its own folder.")
  boolean allowOutside;

  @Option(
      names = "--strict",
      fallbackValue = "true",
      description = "Warnings about keys without contribution and the like become errors (exit 3).")
  boolean strict;

  @Mixin FilecoinOptions filecoin = new FilecoinOptions();

  /** Puts everything into the batch's options. */
  void apply(BatchOptions.Builder options, BaseCommand command) {
    options
        .inputs(inputs)
        .filesFrom(filesFrom)
        .filesFromNul(filesFromNul)
        .key(key)
        .wasm(wasm)
        .verifyingKey(verifyingKey)
        .kind(canonicalKind(command))
        .priority(priority)
        .constraints(constraints)
        .allowOutside(allowOutside)
        .strict(strict);
    filecoin.facts(command.session().environment()).forEach(options::fact);
  }

  /** Refuses contradictions that need no file to be seen. */
  void check(BaseCommand command) {
    if (inputs.isEmpty() && filesFrom == null) {
      throw command.usage("no INPUT given");
    }
    if (!inputs.isEmpty() && filesFrom != null) {
      throw command.usage("INPUT and --files-from exclude each other");
    }
    if (filesFromNul && filesFrom == null) {
      throw command.usage("--from0 needs --files-from");
    }
    if (priority != null && (priority < 0 || priority > 99)) {
      throw command.usage("--priority must be 0 to 99, found " + priority);
    }
    for (String input : inputs) {
      if (key == null && input.toLowerCase(Locale.ROOT).endsWith(".zkey")) {
        throw new ParameterException(
            command.spec.commandLine(), input + ": a proving key is given with --key " + input);
      }
    }
  }

  private String canonicalKind(BaseCommand command) {
    if (kind == null) {
      return null;
    }
    String name = kind.toLowerCase(Locale.ROOT);
    name = KIND_ALIASES.getOrDefault(name, name);
    if (!KINDS.contains(name)) {
      throw command.usage("--kind must be one of " + KINDS + ", found '" + kind + "'");
    }
    return name;
  }
}
