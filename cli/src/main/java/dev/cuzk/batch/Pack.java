package dev.cuzk.batch;

import dev.cuzk.engine.JobFailure;
import dev.cuzk.format.ByteSource;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputContainer;
import dev.cuzk.format.InputContainerWriter;
import dev.cuzk.format.InputException;
import dev.cuzk.format.Manifest;
import dev.cuzk.format.Progress;
import dev.cuzk.format.Sha256;
import dev.cuzk.format.SpecialFiles;
import dev.cuzk.format.filecoin.FilecoinFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Makes one {@code input.bin} of the jobs that the same options would prove. */
public final class Pack {
  private final BatchOptions options;
  private final Consumer<String> warnings;
  private final Reading reading;
  private final Progress progress;

  private final SortedMap<Long, FileRange> payloads = new TreeMap<>();
  private final Map<FileRange, Manifest.Ref> refs = new LinkedHashMap<>();

  /**
   * @param reading hears of files that are read for their digest
   * @param progress hears of the writing
   */
  public Pack(BatchOptions options, Consumer<String> warnings, Reading reading, Progress progress) {
    this.options = options;
    this.warnings = warnings;
    this.reading = reading;
    this.progress = progress;
  }

  /**
   * Writes the container under its name, or nothing.
   *
   * @return the number of jobs in it
   * @throws UsageException if the options make no sense together
   * @throws InputException if an input does not fit
   * @throws JobFailure with class OUTPUT if the container cannot be written
   */
  public int write(Path target) throws UsageException, InputException, JobFailure {
    if (options.filesFrom() != null) {
      throw new UsageException("--files-from: a container is packed from INPUT arguments.");
    }
    try (KeyTable keys = new KeyTable(options.cache(), options.strict(), warnings, reading);
        InputReader reader = new InputReader(options, keys, warnings, false)) {
      List<JobSpec> jobs = reader.readListed();
      if (reader.files().contains(InputReader.identity(target))) {
        throw new UsageException(target + ": is an input and would be overwritten.");
      }
      SpecialFiles.requireReplaceable(target); // Before digests of large keys are taken.
      Manifest manifest = manifest(jobs);
      InputContainerWriter.write(target, manifest, payloads, progress);
      return jobs.size();
    } catch (IOException e) {
      throw Failures.unwritable(target, e);
    }
  }

  private Manifest manifest(List<JobSpec> specs) throws UsageException, InputException {
    Map<KeyTable.Key, Manifest.Key> keys = new LinkedHashMap<>();
    Map<FileRange, Manifest.Program> programs = new LinkedHashMap<>();
    Map<FileRange, Manifest.ConstraintSystem> systems = new LinkedHashMap<>();
    List<Manifest.Job> jobs = new ArrayList<>();
    for (JobSpec spec : specs) {
      boolean carried = spec.key() != null && !spec.key().isPublished();
      if (carried && !keys.containsKey(spec.key())) {
        String id = "key-" + (keys.size() + 1);
        keys.put(
            spec.key(),
            new Manifest.Key(
                id,
                spec.key().provingKey().curve(),
                ref(spec.key().file(), spec.isFilecoin() ? "params" : "zkey"),
                Optional.empty()));
      }
      if (spec.program() != null && !programs.containsKey(spec.program().file())) {
        String id = "program-" + (programs.size() + 1);
        programs.put(
            spec.program().file(),
            new Manifest.Program(id, ref(spec.program().file(), "circom-wasm")));
      }
      if (spec.system() != null && !systems.containsKey(spec.system().file())) {
        String id = "system-" + (systems.size() + 1);
        systems.put(
            spec.system().file(),
            new Manifest.ConstraintSystem(id, ref(spec.system().file(), "r1cs")));
      }
      jobs.add(
          new Manifest.Job(
              spec.name(),
              OptionalInt.of(spec.priority()),
              carried ? Optional.of(keys.get(spec.key()).id()) : Optional.empty(),
              spec.isFilecoin() ? vanilla(spec) : work(spec, programs, systems),
              ""));
    }
    return new Manifest(
        List.copyOf(keys.values()),
        List.copyOf(programs.values()),
        List.copyOf(systems.values()),
        jobs);
  }

  private Manifest.Work vanilla(JobSpec spec) throws UsageException, InputException {
    List<Manifest.Ref> inputs = new ArrayList<>();
    for (Content input : spec.inputs()) {
      FileRange file = file(spec, input);
      try (ByteSource source = file.open()) {
        inputs.add(ref(file, FilecoinFormat.of(source).orElseThrow().title()));
      }
    }
    return FilecoinJobs.work(spec, inputs);
  }

  private static FileRange file(JobSpec spec, Content input) throws UsageException {
    if (input instanceof Content.InFile file) {
      return file.range();
    }
    throw new UsageException(spec.source() + ": cannot be packed; give the input as a file.");
  }

  private Manifest.Circom work(
      JobSpec spec,
      Map<FileRange, Manifest.Program> programs,
      Map<FileRange, Manifest.ConstraintSystem> systems)
      throws UsageException, InputException {
    FileRange file = file(spec, spec.inputs().get(0));
    Optional<String> system =
        spec.system() == null
            ? Optional.empty()
            : Optional.of(systems.get(spec.system().file()).id());
    if (spec.program() == null) {
      return new Manifest.Circom(
          Optional.of(ref(file, "wtns")), Optional.empty(), Optional.empty(), system);
    }
    return new Manifest.Circom(
        Optional.empty(),
        Optional.of(programs.get(spec.program().file()).id()),
        Optional.of(ref(file, "circom-json")),
        system);
  }

  private Manifest.Ref ref(FileRange file, String format) throws InputException {
    Manifest.Ref known = refs.get(file);
    if (known != null) {
      return known;
    }
    long section = InputContainer.FIRST_PAYLOAD + payloads.size();
    long length;
    try (var source = file.open()) {
      length = source.length();
    }
    Manifest.Ref ref =
        Manifest.Ref.toSection(section, format, length, Sha256.of(file, reading.of(file.name())));
    payloads.put(section, file);
    refs.put(file, ref);
    return ref;
  }
}
