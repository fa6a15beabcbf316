package dev.cuzk.batch;

import dev.cuzk.circuit.filecoin.FilecoinCircuits;
import dev.cuzk.format.ByteSource;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.Manifest;
import dev.cuzk.format.filecoin.FilecoinFormat;
import dev.cuzk.key.ParameterCache;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Jobs of Filecoin's kinds, of which the facts are in options or in a manifest. */
final class FilecoinJobs {
  private final BatchOptions options;
  private final KeyTable keys;
  private final Consumer<String> warnings;
  private final UnaryOperator<FileRange> noted;
  private final boolean parametersWanted;

  /**
   * @param noted hears of every key file that is opened here
   * @param parametersWanted the network's parameters are opened; packing does without them
   */
  FilecoinJobs(
      BatchOptions options,
      KeyTable keys,
      Consumer<String> warnings,
      UnaryOperator<FileRange> noted,
      boolean parametersWanted) {
    this.options = options;
    this.keys = keys;
    this.warnings = warnings;
    this.noted = noted;
    this.parametersWanted = parametersWanted;
  }

  /** Finds the key of a circuit. */
  @FunctionalInterface
  interface KeyFinder {
    KeyTable.Key find(String circuit) throws UsageException, InputException;
  }

  /** One job of all the files, its facts being options. */
  JobSpec ofOptions(List<Content> contents, String name) throws UsageException, InputException {
    return spec(
        name,
        contents.get(0).name(),
        contents,
        new FilecoinInputs(options.facts(), warnings).job(contents, options.kind()),
        OptionalInt.empty(),
        this::parameters);
  }

  /**
   * A manifest's job.
   *
   * @param file the manifest's
   * @param contents the job's references, opened
   * @param optionsApply facts that are options must not contradict the job's
   */
  JobSpec ofManifest(
      String file, Manifest.Job job, List<Content> contents, boolean optionsApply, KeyFinder key)
      throws UsageException, InputException {
    Manifest.Work work = job.work();
    Map<String, String> facts = FilecoinFacts.of(work);
    if (optionsApply) {
      facts = FilecoinFacts.joined(work.kind(), facts, options.facts(), file, job.name());
    }
    for (int i = 0; i < contents.size(); i++) {
      requireFormat(contents.get(i), work.refs().get(i));
    }
    return spec(job.name(), file, contents, read(file, job, facts, contents), job.priority(), key);
  }

  private JobSpec spec(
      String name,
      String source,
      List<Content> contents,
      FilecoinInputs.FilecoinJob job,
      OptionalInt priority,
      KeyFinder key)
      throws UsageException, InputException {
    int byOption = options.priority() == null ? JobSpec.priority(job.kind()) : options.priority();
    return new JobSpec(
        name,
        source,
        job.kind(),
        priority.orElse(byOption),
        contents,
        null,
        key.find(job.statement().circuit()),
        null,
        job.partitions(),
        null,
        job.facts());
  }

  /** What is wrong with a manifest's facts is wrong with an input, not with the command line. */
  private FilecoinInputs.FilecoinJob read(
      String file, Manifest.Job job, Map<String, String> facts, List<Content> contents)
      throws InputException {
    try {
      return new FilecoinInputs(
              facts,
              message -> warnings.accept("job \"" + job.name() + "\": " + message),
              name -> job.pointer() + "/" + name.replace('-', '_'))
          .job(contents, job.work().kind());
    } catch (UsageException e) {
      throw new InputException(file, "job \"" + job.name() + "\": " + e.getMessage(), e);
    }
  }

  private static void requireFormat(Content content, Manifest.Ref ref) throws InputException {
    try (ByteSource source = content.open()) {
      Optional<FilecoinFormat> found = FilecoinFormat.of(source);
      if (!found.map(FilecoinFormat::title).equals(Optional.of(ref.format()))) {
        throw InputException.at(
            content.name(),
            "it is not of the format that the manifest says",
            ref.pointer() + "/format",
            ref.format(),
            found.map(FilecoinFormat::title).orElse("no vanilla proofs"));
      }
    }
  }

  /**
   * The key that {@code --key} names, or the network's for the circuit; null if nobody wants that
   * one.
   */
  KeyTable.Key parameters(String circuit) throws UsageException, InputException {
    if (options.key() == null && !parametersWanted) {
      return null;
    }
    KeyTable.Key opened =
        options.key() == null ? published(circuit) : own(FileRange.whole(options.key()), circuit);
    if (options.verifyingKey() != null) {
      JobSources.requireCarries(opened, FileRange.whole(options.verifyingKey()));
    }
    return opened;
  }

  private KeyTable.Key published(String circuit) throws UsageException, InputException {
    String folder = options.facts().get("param-cache");
    ParameterCache cache =
        new ParameterCache(
            folder == null ? ParameterCache.DEFAULT_FOLDER : InputReader.path(folder));
    boolean trust = options.facts().containsKey("trust-params");
    return open(FileRange.whole(cache.params(circuit)), circuit, false, trust);
  }

  /** A key of one's own: no digest is published for it. */
  KeyTable.Key own(FileRange file, String circuit) throws InputException {
    return open(file, circuit, true, true);
  }

  private KeyTable.Key open(FileRange file, String circuit, boolean own, boolean trust)
      throws InputException {
    return keys.open(noted.apply(file), FilecoinCircuits.byName(circuit).orElseThrow(), own, trust);
  }

  /** A job as a manifest has it, so that others can prove it without options. */
  static Manifest.Work work(JobSpec spec, List<Manifest.Ref> inputs) throws UsageException {
    if (spec.kind().equals("porep") && !spec.facts().containsKey("sector-number")) {
      throw new UsageException(
          spec.source()
              + ": does not say the sector's number, which a container has."
              + " Give --sector-number.");
    }
    if (spec.facts().containsKey("partition-index") && !spec.kind().equals("window-post")) {
      throw new UsageException(
          "--partition-index: a container holds all partitions of a "
              + spec.kind()
              + " job. Leave the option out, or prove the partition from "
              + spec.source()
              + ".");
    }
    if (inputs.size() > 1
        && inputs.stream()
            .anyMatch(ref -> ref.format().equals(FilecoinFormat.BASE64_ARRAY.title()))) {
      throw new UsageException(
          spec.source()
              + ": a container takes one array of vanilla proofs for a job, found "
              + inputs.size()
              + " files. Join them into one array.");
    }
    return FilecoinFacts.work(spec.kind(), spec.facts(), inputs);
  }
}
