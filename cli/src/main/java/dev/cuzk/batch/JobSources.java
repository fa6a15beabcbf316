package dev.cuzk.batch;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.cuzk.format.ByteSource;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputContainer;
import dev.cuzk.format.InputException;
import dev.cuzk.format.JsonFault;
import dev.cuzk.format.Manifest;
import dev.cuzk.format.ParamsFile;
import dev.cuzk.format.Progress;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.key.QuotientForm;
import dev.cuzk.proof.BellmanVerifyingKey;
import dev.cuzk.proof.SnarkjsDocument;
import dev.cuzk.proof.VerifyingKey;
import dev.cuzk.synthesis.Synthesizer;
import dev.cuzk.synthesis.WtnsSynthesizer;
import dev.cuzk.synthesis.circom.CircomProgram;
import dev.cuzk.synthesis.circom.CircomSynthesizer;
import dev.cuzk.synthesis.circom.ProgramCache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The files that jobs share, each opened once a run: keys, programs, constraint systems; and the
 * manifests that name them.
 */
final class JobSources implements AutoCloseable {
  private static final Set<String> MANIFEST_MEMBERS =
      Set.of("version", "keys", "programs", "systems", "jobs");
  private static final int LARGEST_PEEK = InputContainer.MAXIMUM_MANIFEST_BYTES;

  private final BatchOptions options;
  private final KeyTable keys;
  private final FilecoinJobs filecoin;
  private final boolean digestsRequired;
  private final ProgramCache programCache;
  private final Map<FileRange, CircomProgram> programs = new HashMap<>();
  private final Map<FileRange, ConstraintFile> constraints = new HashMap<>();
  private final Set<Path> files = new LinkedHashSet<>();

  JobSources(
      BatchOptions options, KeyTable keys, Consumer<String> warnings, boolean digestsRequired) {
    this.filecoin = new FilecoinJobs(options, keys, warnings, this::noted, digestsRequired);
    this.options = options;
    this.digestsRequired = digestsRequired;
    this.keys = keys;
    this.programCache =
        options.cache() == null ? ProgramCache.none() : ProgramCache.in(options.cache(), warnings);
  }

  /** Every file that was opened here, by identity. */
  Set<Path> files() {
    return files;
  }

  /** A Filecoin job whose facts are options. */
  JobSpec filecoin(List<Content> contents, String name) throws UsageException, InputException {
    return filecoin.ofOptions(contents, name);
  }

  private FileRange noted(FileRange range) {
    files.add(InputReader.identity(range.path()));
    return range;
  }

  /** Opens a witness program, or finds it again. */
  CircomProgram program(FileRange range) throws InputException {
    CircomProgram known = programs.get(range);
    if (known == null) {
      known = CircomProgram.open(noted(range), programCache);
      programs.put(range, known);
    }
    return known;
  }

  /** Opens a constraint system, or finds it again, and compares it with the key. */
  JobSpec.ConstraintSystem system(FileRange range, KeyTable.Key key) throws InputException {
    ConstraintFile known = constraints.get(range);
    if (known == null) {
      known = ConstraintFile.open(noted(range));
      constraints.put(range, known);
    }
    known.requireFits(key);
    return new JobSpec.ConstraintSystem(range, known.constraints());
  }

  /** Refuses a proving key that does not carry the verifying key in a file. */
  static void requireCarries(KeyTable.Key key, FileRange file) throws InputException {
    VerifyingKey expected;
    if (key.provingKey().quotient() == QuotientForm.MONOMIAL) {
      try (ParamsFile bellman = ParamsFile.open(file)) {
        expected = BellmanVerifyingKey.read(bellman).key();
      }
    } else {
      try (ByteSource source = file.open()) {
        byte[] bytes = new byte[(int) Math.min(LARGEST_PEEK, source.length())];
        source.read(0, ByteBuffer.wrap(bytes));
        expected = SnarkjsDocument.parse(file.name(), bytes).verifyingKey();
      }
    }
    if (!expected.equals(key.verifyingKey())) {
      throw new InputException(
          file.name(),
          "is not the verifying key that " + key.name() + " carries. Give the one of this key.");
    }
  }

  /** A job whose assignment is a witness file. */
  Synthesizer witness(Content content, KeyTable.Key key) throws InputException {
    return WtnsSynthesizer.open(content::open, key.provingKey());
  }

  /** A job whose assignment a program makes from a circom input. */
  Synthesizer circom(CircomProgram program, Content content, KeyTable.Key key)
      throws InputException {
    CircomSynthesizer.checkKey(program, key.provingKey());
    try (ByteSource source = content.open()) {
      if (source.length() == 0) {
        throw new InputException(content.name(), "is empty (expected a JSON object).");
      }
    }
    return new CircomSynthesizer(program, content::open);
  }

  /** Whether a JSON file is a manifest: it has its members and no others. */
  static boolean isManifest(Content content) throws InputException {
    byte[] bytes;
    try (ByteSource source = content.open()) {
      bytes = new byte[(int) Math.min(LARGEST_PEEK, source.length())];
      source.read(0, ByteBuffer.wrap(bytes));
    }
    Set<String> members = new LinkedHashSet<>();
    try (JsonParser json = new JsonFactory().createParser(bytes)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return false;
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        if (!MANIFEST_MEMBERS.contains(name) && !name.startsWith("x-")) {
          return false;
        }
        members.add(name);
        json.nextToken();
        json.skipChildren();
      }
      return members.contains("jobs") || members.contains("version");
    } catch (JsonProcessingException e) {
      if (members.contains("jobs") || members.contains("version")) {
        // Whoever reads manifests says best what is wrong with it.
        return true;
      }
      throw new InputException(content.name(), JsonFault.describe(e), e);
    } catch (IOException e) {
      throw new InputException(content.name(), Failures.describe(e), e);
    }
  }

  /**
   * The jobs of a container or a manifest.
   *
   * @param optionsApplyElsewhere the run has bare inputs that {@code --key} and the like are for
   * @throws UsageException if an option contradicts the manifest
   */
  List<JobSpec> container(Content content, boolean optionsApplyElsewhere)
      throws UsageException, InputException {
    InputContainer container = open(content);
    List<JobSpec> jobs = new ArrayList<>();
    for (Manifest.Job job : container.manifest().jobs()) {
      jobs.add(job(content.name(), container, job, optionsApplyElsewhere));
    }
    if (jobs.isEmpty()) {
      throw new InputException(content.name(), "the manifest has no jobs (/jobs).");
    }
    return jobs;
  }

  private InputContainer open(Content content) throws InputException {
    if (content instanceof Content.Spooled spooled) {
      return InputContainer.openSpooled(
          spooled.range(), Path.of(""), options.allowOutside(), digestsRequired);
    }
    Optional<Path> file = content.file();
    if (file.isPresent()) {
      return InputContainer.open(file.get(), options.allowOutside(), digestsRequired);
    }
    try (ByteSource source = content.open()) {
      return InputContainer.openManifest(
          source, Path.of(""), options.allowOutside(), digestsRequired);
    }
  }

  private JobSpec job(
      String file, InputContainer container, Manifest.Job job, boolean optionsApplyElsewhere)
      throws UsageException, InputException {
    if (!optionsApplyElsewhere && options.kind() != null) {
      requireKind(file, job);
    }
    if (!(job.work() instanceof Manifest.Circom circom)) {
      return filecoin(file, container, job, optionsApplyElsewhere);
    }
    Manifest.Key keyEntry =
        keyEntry(container, job)
            .orElseThrow(
                () ->
                    new InputException(
                        file, "a circom job names a key (" + job.pointer() + "/key)."));
    FileRange range = keyFile(container, keyEntry, "zkey", optionsApplyElsewhere);
    KeyTable.Key key = requireDescribed(container, keyEntry, keys.open(range));
    Manifest.Ref input = circom.refs().get(0);
    Content content = new Content.InFile(noted(container.resolve(input)));
    JobSpec.Program maker = null;
    Synthesizer synthesizer;
    if (circom.program().isPresent()) {
      maker = program(container, circom.program().get(), optionsApplyElsewhere);
      synthesizer = circom(program(maker.file()), content, key);
    } else {
      synthesizer = witness(content, key);
    }
    return new JobSpec(
        job.name(),
        file,
        JobSpec.CIRCOM,
        job.priority()
            .orElse(
                options.priority() == null ? JobSpec.priority(JobSpec.CIRCOM) : options.priority()),
        List.of(content),
        input.sha256().orElse(null),
        key,
        maker,
        List.of(synthesizer),
        system(container, circom, key),
        Map.of());
  }

  private static Optional<Manifest.Key> keyEntry(InputContainer container, Manifest.Job job) {
    return container.manifest().keys().stream()
        .filter(key -> key.id().equals(job.key().orElse(null)))
        .findFirst();
  }

  /** A job of Filecoin's: its files are read at once, so their digests are compared now. */
  private JobSpec filecoin(
      String file, InputContainer container, Manifest.Job job, boolean optionsApplyElsewhere)
      throws UsageException, InputException {
    List<Content> contents = new ArrayList<>();
    for (Manifest.Ref ref : job.work().refs()) {
      container.requireDigest(ref, Progress.NONE);
      contents.add(new Content.InFile(noted(container.resolve(ref))));
    }
    Optional<Manifest.Key> entry = keyEntry(container, job);
    FilecoinJobs.KeyFinder finder = filecoin::parameters;
    if (entry.isPresent()) {
      FileRange range = keyFile(container, entry.get(), "params", optionsApplyElsewhere);
      finder = circuit -> requireDescribed(container, entry.get(), filecoin.own(range, circuit));
    }
    return filecoin.ofManifest(file, job, contents, !optionsApplyElsewhere, finder);
  }

  private void requireKind(String file, Manifest.Job job) throws UsageException {
    String kind =
        options.kind().equals(JobSpec.CIRCOM)
            ? JobSpec.CIRCOM
            : FilecoinInputs.canonicalKind(options.kind());
    if (!kind.equals(job.work().kind())) {
      throw new UsageException(
          "--kind "
              + options.kind()
              + ": contradicts "
              + file
              + ", whose job \""
              + job.name()
              + "\" is of kind "
              + job.work().kind()
              + ". Leave the option out.");
    }
  }

  private FileRange keyFile(
      InputContainer container, Manifest.Key entry, String format, boolean optionsApplyElsewhere)
      throws UsageException, InputException {
    FileRange range = noted(container.resolve(entry.file()));
    if (!optionsApplyElsewhere && options.key() != null) {
      requireSame("--key", options.key(), range);
    }
    if (!entry.file().format().equals(format)) {
      throw new InputException(
          range.name(),
          "key \""
              + entry.id()
              + "\" is of a format that the job does not use (expected "
              + format
              + ", found "
              + entry.file().format()
              + ").");
    }
    return range;
  }

  /** Compares a key with what its manifest says of it. */
  private static KeyTable.Key requireDescribed(
      InputContainer container, Manifest.Key entry, KeyTable.Key key) throws InputException {
    ProvingKey opened = key.provingKey();
    if (opened.curve() != entry.curve()) {
      throw InputException.at(
          key.name(),
          "the key is over another curve than the manifest says",
          entry.file().pointer(),
          entry.curve(),
          opened.curve());
    }
    if (entry.file().sha256().isPresent() && !entry.file().sha256().get().equals(key.sha256())) {
      throw InputException.at(
          key.name(),
          "the bytes have another SHA-256",
          entry.file().pointer(),
          entry.file().sha256().get(),
          key.sha256());
    }
    if (entry.verifyingKey().isPresent()) {
      container.requireDigest(entry.verifyingKey().get(), Progress.NONE);
      requireCarries(key, container.resolve(entry.verifyingKey().get()));
    }
    return key;
  }

  private JobSpec.Program program(
      InputContainer container, String id, boolean optionsApplyElsewhere)
      throws UsageException, InputException {
    Manifest.Program entry =
        container.manifest().programs().stream()
            .filter(program -> program.id().equals(id))
            .findFirst()
            .orElseThrow();
    FileRange range = container.resolve(entry.file());
    if (!optionsApplyElsewhere && options.wasm() != null) {
      requireSame("--wasm", options.wasm(), range);
    }
    CircomProgram program = program(range);
    if (entry.file().sha256().isPresent()
        && !entry.file().sha256().get().equals(program.sha256())) {
      throw InputException.at(
          range.name(),
          "the bytes have another SHA-256",
          entry.file().pointer(),
          entry.file().sha256().get(),
          program.sha256());
    }
    return new JobSpec.Program(range, program.sha256());
  }

  private JobSpec.ConstraintSystem system(
      InputContainer container, Manifest.Circom job, KeyTable.Key key) throws InputException {
    if (job.system().isEmpty()) {
      return options.constraints() == null
          ? null
          : system(FileRange.whole(options.constraints()), key);
    }
    Manifest.ConstraintSystem entry =
        container.manifest().systems().stream()
            .filter(system -> system.id().equals(job.system().get()))
            .findFirst()
            .orElseThrow();
    FileRange range = container.resolve(entry.file());
    if (!constraints.containsKey(range)) {
      container.requireDigest(entry.file(), Progress.NONE);
    }
    return system(range, key);
  }

  private static void requireSame(String option, Path given, FileRange named)
      throws UsageException {
    boolean wholeFile = named.offset() == 0 && named.length() == FileRange.TO_END;
    if (!wholeFile || !InputReader.identity(given).equals(InputReader.identity(named.path()))) {
      throw new UsageException(
          option
              + " "
              + given
              + ": contradicts the manifest, which names "
              + named.name()
              + ". Leave the option out.");
    }
  }

  @Override
  public void close() {
    constraints.values().forEach(file -> file.constraints().close());
  }
}
