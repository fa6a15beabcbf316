package dev.cuzk.cli;

import dev.cuzk.engine.FailureClass;
import dev.cuzk.format.InputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cuzk inspect}: what a file is. */
@Command(
    name = "inspect",
    header = "Says what files are and what is odd about them.",
    description = {
      "Proving keys, witnesses, constraint systems, containers, proofs, verifying keys, public"
          + " signals, Filecoin's parameters and vanilla proofs: kind, curve, sizes, domain,"
          + " contributions, warnings. Files are told by content, not by name."
    })
final class InspectCommand extends BaseCommand {
  @Parameters(arity = "1..*", paramLabel = "FILE", description = "What to look at.")
  List<Path> files = new ArrayList<>();

  @Option(
      names = "--digest",
      fallbackValue = "true",
      description = "Also print the SHA-256 of each file.")
  boolean digest;

  @Option(
      names = "--strict",
      fallbackValue = "true",
      description = "Warnings become errors (exit 3).")
  boolean strict;

  @Override
  int run() {
    FileInspector inspector = new FileInspector(digest);
    List<Object> objects = new ArrayList<>();
    int code = ExitCode.OK;
    for (Path file : files) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("file", file.toString());
      try {
        FileInspector.Finding finding = inspector.inspect(file);
        object.putAll(finding.facts());
        object.put("warnings", finding.warnings());
        if (!console().isJson()) {
          print(file, finding);
        }
        if (strict && !finding.warnings().isEmpty()) {
          code = ExitCode.INPUT;
        }
      } catch (InputException e) {
        code = FailureClass.INPUT.exitCode();
        object.put("error", e.getMessage());
        console().error(e.getMessage());
      }
      objects.add(object);
    }
    if (console().isJson()) {
      console().result(Json.write(Map.of("files", objects)));
    }
    return code;
  }

  // A ceremony can have thousands of contributions.
  private static final int LISTED = 8;

  private void print(Path file, FileInspector.Finding finding) {
    StringBuilder text = new StringBuilder();
    text.append(Console.sanitize(file.toString())).append(": ");
    text.append(finding.facts().get("kind"));
    finding
        .facts()
        .forEach(
            (name, value) -> {
              if (!name.equals("kind")) {
                text.append("\n  ").append(name.replace('_', ' ')).append(": ");
                text.append(Console.sanitize(printable(value)));
              }
            });
    console().result(text.toString());
    for (String warning : finding.warnings()) {
      if (strict) {
        console().error(file + ": " + warning);
      } else {
        console().warning(file + ": " + warning);
      }
    }
  }

  private static String printable(Object value) {
    if (value instanceof List<?> list) {
      String shown = String.join(", ", list.stream().limit(LISTED).map(String::valueOf).toList());
      int more = list.size() - LISTED;
      return more > 0 ? shown + " and " + more + " more (all with --json)" : shown;
    }
    return String.valueOf(value);
  }
}
