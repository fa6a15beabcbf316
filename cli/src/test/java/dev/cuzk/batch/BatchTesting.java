package dev.cuzk.batch;

import dev.cuzk.format.TestFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Inputs for runs in tests, made from the sample that the README proves. */
final class BatchTesting {
  private static final Path QUICKSTART = TestFiles.testdata("quickstart");

  private BatchTesting() {}

  static Path key() {
    return QUICKSTART.resolve("circuit.zkey");
  }

  static Path witness() {
    return QUICKSTART.resolve("witness.wtns");
  }

  /** A file of the right shape that differs from every other number's in its last value. */
  static Path witness(Path file, int number) throws IOException {
    byte[] bytes = Files.readAllBytes(witness());
    for (int i = 0; i < 4; i++) {
      bytes[bytes.length - 32 + i] = (byte) (number >>> 8 * i);
    }
    Files.createDirectories(file.getParent());
    return Files.write(file, bytes);
  }

  /** {@code w0.wtns} … in a folder. */
  static List<String> witnesses(Path folder, int count) throws IOException {
    List<String> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      files.add(witness(folder.resolve("w" + i + ".wtns"), i).toString());
    }
    return files;
  }

  /** A manifest of one job for each witness, all with the key of {@link #key}. */
  static Path manifest(Path file, List<String> witnesses) throws IOException {
    StringBuilder jobs = new StringBuilder();
    for (String witness : witnesses) {
      jobs.append(jobs.length() == 0 ? "" : ",")
          .append("{\"name\":\"")
          .append(Names.of(Path.of(witness)))
          .append("\",\"kind\":\"circom\",\"key\":\"k\",\"witness\":")
          .append(reference(Path.of(witness), "wtns"))
          .append('}');
    }
    return Files.writeString(
        file,
        "{\"version\":1,\"keys\":[{\"id\":\"k\",\"curve\":\"bn254\","
            + reference(key(), "zkey").substring(1)
            + "],\"programs\":[],\"jobs\":["
            + jobs
            + "]}");
  }

  private static String reference(Path file, String format) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    return "{\"path\":\"%s\",\"format\":\"%s\",\"bytes\":%d,\"sha256\":\"%s\"}"
        .formatted(file.toAbsolutePath(), format, bytes.length, Digests.of(bytes));
  }

  static BatchOptions.Builder options(Path out, List<String> inputs) {
    return BatchOptions.builder()
        .inputs(inputs)
        .key(key())
        .out(out)
        .tool("0.0.0", "test", 1)
        .settings(List.of(new Setting("gpus", "none", "option")));
  }

  /** Keeps everything that a run tells. */
  static class Heard implements BatchListener {
    final List<String> warnings = new ArrayList<>();
    final List<JobLine> jobs = new ArrayList<>();
    final List<ErrorLine> errors = new ArrayList<>();
    final List<PartitionLine> partitions = new ArrayList<>();
    Started started;
    Summary summary;
    boolean outputFails;

    @Override
    public synchronized void warning(String message) {
      warnings.add(message);
    }

    @Override
    public synchronized void started(Started line) {
      started = line;
    }

    @Override
    public synchronized void partition(PartitionLine line) {
      partitions.add(line);
    }

    @Override
    public synchronized void job(JobLine line) {
      jobs.add(line);
    }

    @Override
    public synchronized void error(ErrorLine line) {
      errors.add(line);
    }

    @Override
    public synchronized void summary(Summary line) {
      summary = line;
    }

    @Override
    public boolean outputFailed() {
      return outputFails;
    }

    synchronized int count() {
      return jobs.size();
    }

    JobStatus statusOf(String name) {
      return jobs.stream()
          .filter(job -> job.name().equals(name))
          .findFirst()
          .orElseThrow()
          .status();
    }

    String firstError() {
      return errors.get(0).message();
    }
  }
}
