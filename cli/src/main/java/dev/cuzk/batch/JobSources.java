package dev.cuzk.batch;

import dev.cuzk.circuit.Constraints;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.WtnsFile;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The files that several jobs share, each opened once: containers, programs, constraints. */
final class JobSources {
  private final Set<Path> files = new LinkedHashSet<>();

  JobSources(BatchOptions options, KeyTable keys, Consumer<String> warnings) {}

  boolean isManifest(Content content) throws InputException {
    return false;
  }

  List<JobSpec> container(Content content) throws UsageException, InputException {
    throw new InputException(content.name(), "containers are not supported by this version.");
  }

  JobSpec.Program program(FileRange range) throws InputException {
    throw new InputException(range.name(), "programs are not supported by this version.");
  }

  Constraints constraints(FileRange range) throws InputException {
    throw new InputException(range.name(), "constraint checks are not supported by this version.");
  }

  /** Refuses a job whose headers contradict each other. */
  void checkHeaders(JobSpec job) throws InputException {
    if (job.program() == null) {
      try (WtnsFile witness = WitnessSynthesizer.open(job.input(), job.key())) {
        files.remove(Path.of(witness.name()));
      }
    }
  }

  /** Refuses a proving key that does not carry the verifying key in a file. */
  void requireCarries(KeyTable.Key key, Path verifyingKey) throws InputException {
    throw new InputException(verifyingKey.toString(), "is not supported by this version.");
  }

  Set<Path> files() {
    return files;
  }
}
