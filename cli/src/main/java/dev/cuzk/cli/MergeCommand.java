package dev.cuzk.cli;

import dev.cuzk.batch.Merge;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code cuzk merge}: joins shards. */
@Command(
    name = "merge",
    header = "Joins the shards of a run.",
    description = {
      "Joins proofs, verifying keys and journals of all shards into the first folder. Exit code 3 if"
          + " a shard is missing or unfinished, or contradicts another; then nothing is written."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  cuzk merge run", "  cuzk merge run/shards/1-of-2 copied/2-of-2"})
final class MergeCommand extends BaseCommand {
  @Parameters(
      arity = "1..*",
      paramLabel = "DIR",
      description = "Output folders that hold shards, or folders of shards.")
  List<Path> folders = new ArrayList<>();

  @Override
  int run() throws Exception {
    Merge.Result result = new Merge(folders).run(Version.number());
    if (console().isJson()) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("out", result.out().toString());
      object.put("shards", result.shards());
      object.put("proofs", result.proofs());
      console().result(Json.write(object));
    } else {
      console().result(result.out().toString());
      console().note("cuzk: " + result.proofs() + " proofs of " + result.shards() + " shards");
    }
    return ExitCode.OK;
  }
}
