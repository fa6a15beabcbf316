package dev.cuzk.cli;

import dev.cuzk.batch.BatchOptions;
import dev.cuzk.batch.Pack;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cuzk pack}: one file that holds everything. */
@Command(
    name = "pack",
    header = "Makes one input.bin of jobs, keys and programs.",
    description = {
      "Takes the same options as prove for what the jobs are, or a manifest (jobs.json). The"
          + " container proves anywhere without other files."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk pack --key circuit.zkey witnesses/ -o input.bin",
      "  cuzk pack jobs.json -o input.bin"
    })
final class PackCommand extends BaseCommand {
  @Mixin JobOptions jobs = new JobOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The container to write.")
  Path output;

  @Override
  int run() throws Exception {
    jobs.check(this);
    BatchOptions.Builder options = BatchOptions.builder();
    jobs.apply(options, this);
    options
        .cache(session().environment().cacheFolder().orElse(null))
        .standardInput(session().environment().in());
    Pack pack =
        new Pack(
            options.build(),
            console()::warning,
            ReadingProgress.of(session()),
            (done, total) ->
                console()
                    .showStatus(
                        List.of(MemorySize.format(done) + " of " + MemorySize.format(total))));
    int count;
    try {
      count = pack.write(output);
    } finally {
      console().clearStatus();
    }
    if (console().isJson()) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("file", output.toString());
      object.put("jobs", count);
      console().result(Json.write(object));
    } else {
      console().result(output.toString());
      console().note("cuzk: " + count + (count == 1 ? " job packed" : " jobs packed"));
    }
    return ExitCode.OK;
  }
}
