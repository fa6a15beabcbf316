package dev.cuzk.batch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Inputs for runs in tests, made from the sample that the README proves. */
final class BatchTesting {
  private static final Path QUICKSTART =
      Path.of(System.getProperty("cuzk.project.root", "..")).resolve("testdata/quickstart");

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

  static BatchOptions.Builder options(Path out, List<String> inputs) {
    return BatchOptions.builder()
        .inputs(inputs)
        .key(key())
        .out(out)
        .tool("0.0.0", "test", 1)
        .settings(List.of(new Setting("gpus", "none", "option")));
  }

  /** Keeps everything that a run tells. */
  static final class Heard implements BatchListener {
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
