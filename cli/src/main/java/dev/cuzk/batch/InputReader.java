package dev.cuzk.batch;

import dev.cuzk.format.BinfileType;
import dev.cuzk.format.ByteSource;
import dev.cuzk.format.FileKind;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.filecoin.FilecoinFormat;
import dev.cuzk.synthesis.Synthesizer;
import dev.cuzk.synthesis.circom.CircomProgram;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Turns INPUT arguments and list entries into jobs, with every check that needs headers only: what
 * a file is, whether it fits the key, whether names are valid and distinct.
 */
final class InputReader implements AutoCloseable {
  private static final String STANDARD_INPUT = "-";
  private static final String STANDARD_INPUT_NAME = "standard input";
  private static final String STANDARD_INPUT_JOB = "stdin";

  /** How keys of Filecoin's circuits are named, which inputs alone may tell to be wanted. */
  private static final String PARAMS = ".params";

  private static final List<String> FOLDER_ENDINGS = List.of(".wtns", ".json", ".bin");

  private final BatchOptions options;
  private final KeyTable keys;
  private final JobSources sources;
  private final Set<Path> files = new LinkedHashSet<>();
  private KeyTable.Key optionKey;
  private PipeSpool spool;

  InputReader(BatchOptions options, KeyTable keys, Consumer<String> warnings) {
    this(options, keys, warnings, true);
  }

  /**
   * @param digestsRequired manifests must give the digests of the files that they name
   */
  InputReader(
      BatchOptions options, KeyTable keys, Consumer<String> warnings, boolean digestsRequired) {
    this.options = options;
    this.keys = keys;
    this.sources = new JobSources(options, keys, warnings, digestsRequired);
  }

  /** One INPUT: a file, or what standard input brought. */
  private record Found(Content content, Path path, FileKind kind) {}

  /**
   * All jobs of the INPUT arguments.
   *
   * @throws UsageException if the arguments make no sense together
   * @throws InputException if a file does not fit
   */
  List<JobSpec> readListed() throws UsageException, InputException {
    if (options.inputs().isEmpty() && options.filesFrom() == null) {
      throw new UsageException("no INPUT given. Name files, folders, or a list (--files-from).");
    }
    if (options.key() != null && !isFilecoin() && !options.key().toString().endsWith(PARAMS)) {
      key();
    }
    noteOptionFiles();
    List<Found> found = new ArrayList<>();
    for (String input : expandFolders(options.inputs())) {
      found.add(find(input));
    }
    if (isFilecoin() && !found.isEmpty() && found.stream().allMatch(InputReader::namedByFile)) {
      List<JobSpec> job = List.of(oneFilecoinJob(found));
      requireOptionsWanted(job);
      return job;
    }
    List<Path> bare = found.stream().filter(InputReader::namedByFile).map(Found::path).toList();
    List<String> names = Names.assign(bare);
    List<JobSpec> jobs = new ArrayList<>();
    int next = 0;
    for (Found input : found) {
      if (namedByFile(input)) {
        jobs.add(job(input, names.get(next++)));
      } else {
        jobs.addAll(sources.container(input.content(), !bare.isEmpty()));
      }
    }
    Names.requireDistinct(jobs);
    requireOptionsWanted(jobs);
    return jobs;
  }

  /** All INPUTs together: partitions of an update, sectors of a PoSt, or the output of one seal. */
  private JobSpec oneFilecoinJob(List<Found> found) throws UsageException, InputException {
    return sources.filecoin(
        found.stream().map(Found::content).toList(),
        Names.assign(List.of(found.get(0).path())).get(0));
  }

  private static boolean namedByFile(Found found) {
    return found.kind() != FileKind.CONTAINER;
  }

  private boolean isFilecoin() {
    return options.kind() != null && !options.kind().equals(JobSpec.CIRCOM);
  }

  /** Options of Filecoin jobs; where parameters lie may be said in any case. */
  private void requireOptionsWanted(List<JobSpec> jobs) throws UsageException {
    if (options.filesFrom() != null) {
      return;
    }
    BatchOptions.ProofFormat format = options.format();
    if (jobs.stream().anyMatch(JobSpec::isFilecoin)) {
      if (jobs.stream().allMatch(JobSpec::isFilecoin)
          && (format == BatchOptions.ProofFormat.SNARKJS
              || format == BatchOptions.ProofFormat.RAPIDSNARK)) {
        throw formatOfOthers("circom proofs; Filecoin: raw, hex, base64");
      }
      return;
    }
    Optional<String> fact =
        options.facts().keySet().stream()
            .filter(name -> !FilecoinFacts.OF_PARAMETERS.contains(name))
            .findAny();
    if (fact.isPresent()) {
      throw new UsageException(
          "--" + fact.get() + ": is a fact of Filecoin jobs, and there is none.");
    }
    if (format.ordinal() >= BatchOptions.ProofFormat.RAW.ordinal()) {
      throw formatOfOthers("Filecoin proofs; circom: snarkjs, rapidsnark");
    }
  }

  private UsageException formatOfOthers(String whose) {
    String name = options.format().name().toLowerCase(Locale.ROOT);
    return new UsageException("--format " + name + ": is for " + whose + ".");
  }

  private void noteOptionFiles() {
    for (Path file :
        Arrays.asList(
            options.key(), options.wasm(), options.verifyingKey(), options.constraints())) {
      if (file != null) {
        files.add(identity(file));
      }
    }
  }

  /** Folders give their direct children, in byte order. */
  private static List<String> expandFolders(List<String> inputs)
      throws UsageException, InputException {
    List<String> expanded = new ArrayList<>();
    for (String input : inputs) {
      Path path = path(input);
      if (input.equals(STANDARD_INPUT) || !Files.isDirectory(path)) {
        expanded.add(input);
        continue;
      }
      List<String> children = children(path);
      if (children.isEmpty()) {
        throw new UsageException(input + ": the folder has no .wtns, .json or .bin file.");
      }
      expanded.addAll(children);
    }
    return expanded;
  }

  private static List<String> children(Path folder) throws InputException {
    List<Path> children = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        if (!name.startsWith(".")
            && FOLDER_ENDINGS.stream().anyMatch(name::endsWith)
            && !Files.isDirectory(entry)) {
          children.add(entry);
        }
      }
    } catch (IOException e) {
      throw Digests.unreadable(folder, e);
    }
    children.sort((a, b) -> Arrays.compareUnsigned(bytes(a.getFileName()), bytes(b.getFileName())));
    return children.stream().map(Path::toString).toList();
  }

  private static byte[] bytes(Path name) {
    return name.toString().getBytes(StandardCharsets.UTF_8);
  }

  static Path path(String text) throws UsageException {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new UsageException(Failures.noFileName(text));
    }
  }

  private Found find(String input) throws UsageException, InputException {
    if (input.equals(STANDARD_INPUT)) {
      Content content = readStandardInput();
      return new Found(content, Path.of(STANDARD_INPUT_JOB), kindOf(content));
    }
    Path path = path(input);
    Content content = Content.of(path);
    FileKind kind = kindOf(content);
    files.add(identity(path));
    return new Found(content, path, kind);
  }

  /** A container goes into a file, since its payloads are read by position, and more than once. */
  private Content readStandardInput() throws InputException {
    try {
      byte[] head = options.standardInput().readNBytes(BinfileType.CONTAINER.magic().length());
      if (BinfileType.CONTAINER.magic().equals(new String(head, StandardCharsets.ISO_8859_1))) {
        spool = PipeSpool.of(options, head);
        return spool.content(STANDARD_INPUT_NAME);
      }
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      all.writeBytes(head);
      options.standardInput().transferTo(all);
      return new Content.InMemory(STANDARD_INPUT_NAME, all.toByteArray());
    } catch (IOException e) {
      throw new InputException(STANDARD_INPUT_NAME, Failures.describe(e), e);
    } catch (OutOfMemoryError e) {
      throw new InputException(
          STANDARD_INPUT_NAME, "is too large to be kept in memory. Give it as a file.", e);
    }
  }

  private FileKind kindOf(Content content) throws InputException {
    if (isFilecoin()) {
      return kindOfFilecoin(content);
    }
    if (options.kind() == null && isVanilla(content)) {
      return FileKind.UNKNOWN;
    }
    FileKind kind;
    try (ByteSource source = content.open()) {
      kind = FileKind.of(source);
    }
    switch (kind) {
      case PROVING_KEY:
        throw new InputException(
            content.name(), "is a proving key, not an input. Give it with --key.");
      case CONSTRAINTS:
        throw new InputException(
            content.name(), "is a constraint system, not an input. Give it with --r1cs.");
      case PROGRAM:
        throw new InputException(
            content.name(), "is a witness program, not an input. Give it with --wasm.");
      case UNKNOWN, POWERS_OF_TAU:
        throw unknown(content);
      case JSON:
        return JobSources.isManifest(content) ? FileKind.CONTAINER : kind;
      default:
        return kind;
    }
  }

  /** By content alone: vanilla proofs have no magic, and may end in .bin as containers do. */
  private static FileKind kindOfFilecoin(Content content) throws InputException {
    byte[] start = new byte[BinfileType.CONTAINER.magic().length()];
    try (ByteSource source = content.open()) {
      if (source.length() >= start.length) {
        source.read(0, ByteBuffer.wrap(start));
      }
      String text = new String(start, StandardCharsets.ISO_8859_1);
      boolean container =
          text.equals(BinfileType.CONTAINER.magic())
              || text.startsWith("{")
                  && FilecoinFormat.of(source).isEmpty()
                  && JobSources.isManifest(content);
      return container ? FileKind.CONTAINER : FileKind.UNKNOWN;
    }
  }

  private static InputException unknown(Content content) {
    return new InputException(
        content.name(),
        "is no input that this tool knows (a .wtns witness, a circom input in JSON, Filecoin's"
            + " vanilla proofs, a container or its manifest).");
  }

  /**
   * A C1 output tells what it is; other vanilla proofs do not tell of which kind they are. Bincode
   * has no magic, and no ending is its own: what has another file's magic is none.
   */
  private static boolean isVanilla(Content content) throws InputException {
    try (ByteSource source = content.open()) {
      byte[] start = new byte[(int) Math.min(FileKind.START_BYTES, source.length())];
      source.read(0, ByteBuffer.wrap(start));
      FileKind kind = FileKind.ofStart(start);
      return (kind == FileKind.UNKNOWN || kind == FileKind.JSON)
          && FilecoinFormat.of(source).isPresent();
    }
  }

  private JobSpec job(Found input, String name) throws UsageException, InputException {
    if (isFilecoin() || input.kind() == FileKind.UNKNOWN) {
      return sources.filecoin(List.of(input.content()), name);
    }
    String source = input.content().name();
    if (options.key() == null) {
      throw new UsageException(
          source
              + ": "
              + (input.kind() == FileKind.WITNESS ? "a witness" : "a circom input")
              + " needs a proving key. Give it with --key.");
    }
    JobSpec.Program maker = null;
    Synthesizer synthesizer;
    if (input.kind() == FileKind.JSON) {
      if (options.wasm() == null) {
        throw new UsageException(
            source + ": a circom input needs a witness program. Give it with --wasm.");
      }
      CircomProgram program = sources.program(FileRange.whole(options.wasm()));
      maker = new JobSpec.Program(FileRange.whole(options.wasm()), program.sha256());
      synthesizer = sources.circom(program, input.content(), key());
    } else {
      synthesizer = sources.witness(input.content(), key());
    }
    return new JobSpec(
        name,
        source,
        JobSpec.CIRCOM,
        options.priority() == null ? JobSpec.priority(JobSpec.CIRCOM) : options.priority(),
        List.of(input.content()),
        null,
        key(),
        maker,
        List.of(synthesizer),
        options.constraints() == null
            ? null
            : sources.system(FileRange.whole(options.constraints()), key()),
        Map.of());
  }

  private KeyTable.Key key() throws UsageException, InputException {
    if (optionKey == null) {
      if (Files.isDirectory(options.key())) {
        throw new UsageException(options.key() + ": is a folder. Give the .zkey file with --key.");
      }
      KeyTable.Key opened = keys.open(FileRange.whole(options.key()));
      if (options.verifyingKey() != null) {
        JobSources.requireCarries(opened, FileRange.whole(options.verifyingKey()));
      }
      optionKey = opened;
    }
    return optionKey;
  }

  /** The jobs of one entry of a list: one, or those of a container. */
  List<JobSpec> readEntry(ListReader.Entry entry) throws UsageException, InputException {
    Path path = path(entry.path());
    if (Files.isDirectory(path)) {
      throw new InputException(entry.path(), "is a folder; a list names files.");
    }
    Content content = Content.of(path);
    FileKind kind = kindOf(content);
    if (kind == FileKind.CONTAINER) {
      if (entry.name() != null) {
        throw new UsageException(
            entry.path() + ": the jobs of a container have their names in its manifest.");
      }
      return sources.container(content, true);
    }
    String name = entry.name() != null ? entry.name() : Names.of(path);
    if (!Names.valid(name)) {
      throw new UsageException(
          options.filesFrom() + ": line " + entry.number() + ": " + Names.problem(name));
    }
    return List.of(job(new Found(content, path, kind), name));
  }

  /** What the listed inputs and the options read, by identity. */
  Set<Path> files() {
    Set<Path> all = new LinkedHashSet<>(files);
    all.addAll(sources.files());
    return all;
  }

  /** What one job reads, by identity. */
  Set<Path> filesOf(JobSpec job) {
    Set<Path> read = new LinkedHashSet<>();
    for (Content input : job.inputs()) {
      input.file().ifPresent(file -> read.add(identity(file)));
    }
    read.add(identity(job.key().provingKey().path()));
    return read;
  }

  /** A file's real path; for one that does not exist yet, below its folder's real path. */
  static Path identity(Path file) {
    try {
      return file.toRealPath();
    } catch (IOException e) {
      Path absolute = file.toAbsolutePath().normalize();
      Path parent = absolute.getParent();
      try {
        return parent == null ? absolute : parent.toRealPath().resolve(absolute.getFileName());
      } catch (IOException again) {
        return absolute;
      }
    }
  }

  @Override
  public void close() {
    sources.close();
    if (spool != null) {
      spool.close();
    }
  }
}
