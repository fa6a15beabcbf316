package dev.cuzk.batch;

import dev.cuzk.circuit.filecoin.SectorShape;
import dev.cuzk.format.ByteSource;
import dev.cuzk.format.InputException;
import dev.cuzk.format.filecoin.C1File;
import dev.cuzk.format.filecoin.C1Output;
import dev.cuzk.format.filecoin.FactText;
import dev.cuzk.format.filecoin.FilecoinFormat;
import dev.cuzk.format.filecoin.PostSectorProof;
import dev.cuzk.format.filecoin.RegisteredProof;
import dev.cuzk.format.filecoin.RegisteredProof.Kind;
import dev.cuzk.format.filecoin.UpdatePartitionProof;
import dev.cuzk.format.filecoin.VanillaProofs;
import dev.cuzk.synthesis.SourceOpener;
import dev.cuzk.synthesis.Synthesizer;
import dev.cuzk.synthesis.filecoin.Hash32;
import dev.cuzk.synthesis.filecoin.PartitionStatement;
import dev.cuzk.synthesis.filecoin.PorepCheck;
import dev.cuzk.synthesis.filecoin.PorepStatement;
import dev.cuzk.synthesis.filecoin.PorepSynthesizer;
import dev.cuzk.synthesis.filecoin.PostCheck;
import dev.cuzk.synthesis.filecoin.PostStatement;
import dev.cuzk.synthesis.filecoin.PostSynthesizer;
import dev.cuzk.synthesis.filecoin.Statement;
import dev.cuzk.synthesis.filecoin.UpdateCheck;
import dev.cuzk.synthesis.filecoin.UpdateStatement;
import dev.cuzk.synthesis.filecoin.UpdateSynthesizer;
import dev.cuzk.synthesis.filecoin.VanillaSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Turns Filecoin's vanilla proofs and the facts that they do not hold into a statement, with every
 * check that needs no hashing of paths. A fact that is missing is a usage error that names its
 * option; one that contradicts the file is one too.
 */
public final class FilecoinInputs {
  /** As the manifest's schema has it; 2^20 partitions of 2,349 sectors are more than there are. */
  private static final int LARGEST_PARTITION = 1 << 20;

  private final Map<String, String> facts;
  private final Consumer<String> warnings;
  private final UnaryOperator<String> labels;

  /**
   * @param facts by option name without dashes
   * @param warnings hears what was taken on trust
   */
  public FilecoinInputs(Map<String, String> facts, Consumer<String> warnings) {
    this(facts, warnings, name -> "--" + name);
  }

  /**
   * @param labels what messages call a fact
   */
  FilecoinInputs(
      Map<String, String> facts, Consumer<String> warnings, UnaryOperator<String> labels) {
    this.facts = facts;
    this.warnings = warnings;
    this.labels = labels;
  }

  /**
   * Reads a job's files.
   *
   * @param kind {@code porep}, {@code snap}, {@code window-post}, {@code winning-post} or an alias;
   *     null = by content, which tells a PoRep alone
   * @throws UsageException if a fact is missing, malformed or contradicts the file
   * @throws InputException if a file is malformed or does not bear out the facts
   */
  public Statement read(List<Path> files, String kind) throws UsageException, InputException {
    return open(files, kind).statement();
  }

  /** As {@link #read}, with what makes the assignments. */
  public FilecoinJob open(List<Path> files, String kind) throws UsageException, InputException {
    return job(files.stream().map(Content::of).toList(), kind);
  }

  /**
   * What a job proves and how its assignments are made.
   *
   * @param partitions a maker for each
   * @param facts those that were given, and those that the files or defaults have
   */
  public record FilecoinJob(
      String kind, Statement statement, List<Synthesizer> partitions, Map<String, String> facts) {}

  private FilecoinJob job(
      String kind, Statement statement, RegisteredProof proof, IntFunction<Synthesizer> maker) {
    Map<String, String> known = new HashMap<>(facts);
    known.put("sector-size", Long.toString(statement.shape().bytes()));
    known.put("registered-proof", proof.name());
    List<Synthesizer> makers =
        statement instanceof PartitionStatement one
            ? List.of(maker.apply(one.partition()))
            : IntStream.range(0, statement.partitions()).mapToObj(maker).toList();
    return new FilecoinJob(kind, statement, makers, known);
  }

  /** The whole, or the one partition of it that was asked for. */
  private Statement partition(Statement whole) throws UsageException {
    OptionalLong index = number("partition-index");
    if (index.isEmpty()) {
      return whole;
    }
    if (index.getAsLong() >= whole.partitions()) {
      throw malformed(
          "partition-index",
          "a number below " + whole.partitions() + ", the partitions of " + whole.circuit());
    }
    return new PartitionStatement(whole, (int) index.getAsLong());
  }

  /** As {@link #open}, of contents that need not be files. */
  FilecoinJob job(List<Content> files, String kind) throws UsageException, InputException {
    String known = kind == null ? kindOf(files) : canonicalKind(kind);
    FilecoinFacts.requireOfKind(known, facts);
    return switch (known) {
      case "porep" -> porep(files);
      case "snap" -> update(files);
      case "window-post" -> post(files, Kind.WINDOW_POST);
      default -> post(files, Kind.WINNING_POST);
    };
  }

  private static List<SourceOpener> openers(List<Content> files) {
    return files.stream().<SourceOpener>map(file -> file::open).toList();
  }

  /** The one name of a kind. */
  public static String canonicalKind(String kind) throws UsageException {
    return switch (kind) {
      case "porep" -> "porep";
      case "snap", "update" -> "snap";
      case "window-post", "wpost" -> "window-post";
      case "winning-post", "winning" -> "winning-post";
      default ->
          throw new UsageException(
              "--kind "
                  + kind
                  + ": is no Filecoin kind (expected porep, snap, window-post or winning-post).");
    };
  }

  private static String kindOf(List<Content> files) throws UsageException, InputException {
    try (ByteSource source = files.get(0).open()) {
      Optional<FilecoinFormat> format = FilecoinFormat.of(source);
      if (format.isEmpty()) {
        throw new InputException(
            source.name(),
            "it holds no vanilla proofs that this tool knows (a C1 output, or bincode or a JSON"
                + " array of base64)");
      }
      if (format.get().isC1()) {
        return "porep";
      }
      if (format.get() == FilecoinFormat.UPDATE_PARTITION) {
        return "snap";
      }
      throw new UsageException(
          source.name()
              + ": does not say what it is of. Say --kind snap, window-post or winning-post.");
    }
  }

  private FilecoinJob porep(List<Content> files) throws UsageException, InputException {
    if (files.size() > 1) {
      throw new UsageException("a PoRep has one C1 output, found " + files.size() + " files.");
    }
    VanillaSource<C1Output> source =
        VanillaSource.read(openers(files), sources -> C1File.read(sources.get(0)));
    C1Output c1 = source.get();
    if (!PorepStatement.supports(c1.proof())) {
      throw new InputException(
          c1.file(),
          "this version does not prove seals of type "
              + c1.proof().name()
              + " (expected version V1 or V1_1)");
    }
    SectorShape shape = SectorShape.ofLabel(c1.proof().sizeLabel()).orElseThrow();
    agree("sector-size", shape.bytes(), sectorSize(), c1.file());
    agree("sector-size", shape.bytes(), c1.sectorSize(), c1.file());
    if (facts.containsKey("registered-proof") && !proof(Kind.SEAL).equals(c1.proof())) {
      throw contradiction("registered-proof", c1.file(), c1.proof().name());
    }
    byte[] bytes = c1.bytes();
    Hash32 replicaId = Hash32.of(bytes, c1.replicaId());
    Hash32 commD = Hash32.of(bytes, c1.commD());
    requireReplicaId(c1, replicaId, commD);
    PorepStatement statement =
        new PorepStatement(
            shape,
            c1.proof(),
            replicaId,
            commD,
            Hash32.of(bytes, c1.commR()),
            Hash32.of(bytes, c1.seed()));
    PorepCheck.requireShape(c1, statement);
    FilecoinJob job =
        job(
            "porep",
            partition(statement),
            c1.proof(),
            i -> new PorepSynthesizer(statement, source, i));
    if (c1.sectorNumber().isPresent()) {
      job.facts().put("sector-number", Long.toString(c1.sectorNumber().getAsLong()));
    }
    return job;
  }

  private void requireReplicaId(C1Output c1, Hash32 replicaId, Hash32 commD)
      throws UsageException, InputException {
    OptionalLong number = number("sector-number");
    if (number.isPresent()
        && c1.sectorNumber().isPresent()
        && number.getAsLong() != c1.sectorNumber().getAsLong()) {
      throw contradiction("sector-number", c1.file(), c1.sectorNumber().getAsLong());
    }
    if (!facts.containsKey("miner-id")) {
      warnings.accept(
          c1.file()
              + ": replica_id came from the file and was not checked. Give the miner with"
              + " --miner-id N.");
      return;
    }
    long miner =
        FactText.minerId(facts.get("miner-id"))
            .orElseThrow(() -> malformed("miner-id", "N, f0N or t0N"));
    long sector =
        (number.isPresent() ? number : c1.sectorNumber())
            .orElseThrow(() -> missing("sector-number", c1.file()));
    Hash32 expected =
        PorepStatement.replicaId(
            c1.proof(), miner, sector, Hash32.of(c1.bytes(), c1.ticket()), commD);
    if (!expected.equals(replicaId)) {
      throw InputException.at(
          c1.file(),
          "replica_id is not that of miner " + miner + " and sector " + sector,
          "replica_id",
          expected,
          replicaId);
    }
  }

  private FilecoinJob update(List<Content> files) throws UsageException, InputException {
    String file = files.get(0).name();
    SectorShape shape = shape(Kind.UPDATE, file);
    UpdateStatement statement =
        new UpdateStatement(
            shape,
            commitment("comm-r-old", file),
            commitment("comm-r-new", file),
            commitment("comm-d-new", file));
    VanillaSource<List<UpdatePartitionProof>> source =
        VanillaSource.read(
            openers(files),
            sources -> {
              List<UpdatePartitionProof> partitions = new ArrayList<>();
              for (ByteSource each : sources) {
                partitions.addAll(VanillaProofs.readPartitions(each));
              }
              return partitions;
            });
    Statement proved = partition(statement);
    if (proved instanceof PartitionStatement one && source.get().size() == 1) {
      UpdateCheck.requireShape(source.get().get(0), statement, one.partition());
    } else {
      UpdateCheck.requireShape(source.get(), statement);
    }
    return job(
        "snap",
        proved,
        new RegisteredProof(Kind.UPDATE, shape.label(), "V1"),
        i -> new UpdateSynthesizer(statement, source, i));
  }

  private FilecoinJob post(List<Content> files, Kind kind) throws UsageException, InputException {
    String file = files.get(0).name();
    boolean window = kind == Kind.WINDOW_POST;
    if (window && !facts.containsKey("registered-proof")) {
      throw missing("registered-proof", file);
    }
    SectorShape shape = shape(kind, file);
    RegisteredProof proof =
        facts.containsKey("registered-proof")
            ? proof(kind)
            : new RegisteredProof(kind, shape.label(), "V1");
    Hash32 randomness = hash("randomness", file, FactText::randomness, "32 bytes, hex or base64");
    VanillaSource<List<PostSectorProof>> source =
        VanillaSource.read(openers(files), FilecoinInputs::sectors);
    List<PostSectorProof> sectors = source.get();
    requireDistinct(sectors);
    if (!window && sectors.size() != 1) {
      throw new InputException(
          file, "a WinningPoSt is of one sector (found " + sectors.size() + ")");
    }
    OptionalLong index = number("partition-index");
    if (index.orElse(0) > LARGEST_PARTITION) {
      throw malformed("partition-index", "a number up to " + LARGEST_PARTITION);
    }
    if (index.isPresent() && sectors.size() > shape.windowSectors()) {
      throw new InputException(
          file,
          "one partition has at most "
              + shape.windowSectors()
              + " sectors (found "
              + sectors.size()
              + ")");
    }
    List<PostStatement.Sector> proved = new ArrayList<>();
    for (PostSectorProof sector : sectors) {
      proved.add(
          new PostStatement.Sector(sector.sectorId(), Hash32.of(sector.bytes(), sector.commR())));
    }
    PostStatement statement =
        new PostStatement(shape, proof, randomness, proved, (int) index.orElse(0));
    if (!statement.randomness().equals(randomness)) {
      warnings.accept("the top two bits of the randomness were cleared, as the network does");
    }
    PostCheck.requireShape(sectors, statement);
    return job(
        window ? "window-post" : "winning-post",
        statement,
        proof,
        i -> new PostSynthesizer(statement, source, i));
  }

  /** In the order in which verifiers have them. */
  private static List<PostSectorProof> sectors(List<ByteSource> sources) throws InputException {
    List<PostSectorProof> sectors = new ArrayList<>();
    for (ByteSource each : sources) {
      sectors.addAll(VanillaProofs.readSectors(each));
    }
    sectors.sort(Comparator.comparingLong(PostSectorProof::sectorId));
    return sectors;
  }

  private static void requireDistinct(List<PostSectorProof> sectors) throws InputException {
    Set<Long> seen = new HashSet<>();
    for (PostSectorProof sector : sectors) {
      if (!seen.add(sector.sectorId())) {
        throw new InputException(
            sector.file(), "sector " + sector.sectorId() + " is there twice. Give each once.");
      }
    }
  }

  // ---- facts

  private RegisteredProof proof(Kind kind) throws UsageException {
    return RegisteredProof.parse(kind, facts.get("registered-proof"))
        .orElseThrow(() -> malformed("registered-proof", RegisteredProof.known(kind) + " or go:N"));
  }

  /** From the sector's size, or from the registered proof's name. */
  private SectorShape shape(Kind kind, String file) throws UsageException {
    OptionalLong size = sectorSize();
    if (facts.containsKey("registered-proof")) {
      SectorShape shape = SectorShape.ofLabel(proof(kind).sizeLabel()).orElseThrow();
      agree("sector-size", shape.bytes(), size, facts.get("registered-proof"));
      return shape;
    }
    return SectorShape.ofBytes(size.orElseThrow(() -> missing("sector-size", file)))
        .orElseThrow(() -> malformed("sector-size", "2KiB, 8MiB, 512MiB, 32GiB or 64GiB"));
  }

  private OptionalLong sectorSize() throws UsageException {
    return number("sector-size");
  }

  private OptionalLong number(String name) throws UsageException {
    String text = facts.get(name);
    if (text == null) {
      return OptionalLong.empty();
    }
    try {
      long number = Long.parseLong(text);
      if (number >= 0) {
        return OptionalLong.of(number);
      }
    } catch (NumberFormatException e) {
      throw malformed(name, "a number below 2^63");
    }
    throw malformed(name, "a number below 2^63");
  }

  private Hash32 commitment(String name, String file) throws UsageException {
    return hash(name, file, FactText::commitment, "64 hex digits in memory order, or a CID");
  }

  private Hash32 hash(
      String name, String file, Function<String, Optional<byte[]>> parser, String expected)
      throws UsageException {
    if (!facts.containsKey(name)) {
      throw missing(name, file);
    }
    return Hash32.of(parser.apply(facts.get(name)).orElseThrow(() -> malformed(name, expected)));
  }

  private void agree(String name, long inFile, OptionalLong given, String file)
      throws UsageException {
    if (given.isPresent() && given.getAsLong() != inFile) {
      throw contradiction(name, file, inFile);
    }
  }

  private UsageException contradiction(String name, String file, Object inFile) {
    return new UsageException(
        labels.apply(name) + ": contradicts " + file + ", which says " + inFile + ".");
  }

  private UsageException missing(String name, String file) {
    return new UsageException(file + ": does not say everything. Give " + labels.apply(name) + ".");
  }

  private UsageException malformed(String name, String expected) {
    return new UsageException(
        labels.apply(name) + ": expected " + expected + ", found \"" + facts.get(name) + "\".");
  }
}
