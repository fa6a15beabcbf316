package dev.cuzk.format;

import com.fasterxml.jackson.core.JsonToken;
import dev.cuzk.format.Manifest.ConstraintSystem;
import dev.cuzk.format.Manifest.Job;
import dev.cuzk.format.Manifest.Key;
import dev.cuzk.format.Manifest.Program;
import dev.cuzk.format.Manifest.Ref;
import dev.cuzk.math.CurveId;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Reads manifests, one job at a time, so that hundreds of thousands of jobs take the memory of
 * their records alone.
 */
final class ManifestReader {
  /** Up to this size a file that a manifest refers to must come with its digest. */
  public static final long DIGEST_REQUIRED_BYTES = 1L << 30;

  private static final Set<String> KEYS = Set.of("version", "keys", "programs", "systems", "jobs");
  private static final long LARGEST_SECTION = (1L << 32) - 1;

  /**
   * What a manifest may do.
   *
   * @param allowOutside paths may be absolute or contain {@code ..}
   * @param digestsRequired files up to {@link #DIGEST_REQUIRED_BYTES} must come with their size and
   *     digest; packing computes them instead
   * @param sectionsAllowed there is a container that sections can be in
   */
  public record Options(boolean allowOutside, boolean digestsRequired, boolean sectionsAllowed) {}

  private final StrictJson json;
  private final RefReader refs;
  private final List<Key> keys = new ArrayList<>();
  private final List<Program> programs = new ArrayList<>();
  private final List<ConstraintSystem> systems = new ArrayList<>();
  private final List<Job> jobs = new ArrayList<>();
  private final Map<String, Set<String>> ids = new HashMap<>();
  private final List<Use> uses = new ArrayList<>();

  /** A job's mention of an id, to be looked up when the whole manifest is read. */
  private record Use(String list, JsonValue id) {}

  private ManifestReader(StrictJson json, Options options) {
    this.json = json;
    this.refs = new RefReader(options);
  }

  /**
   * Reads a whole manifest.
   *
   * @param file what messages call it
   * @throws InputException with JSON pointer, line and column of what is wrong
   */
  public static Manifest read(String file, InputStream input, Options options)
      throws InputException {
    try (StrictJson json = new StrictJson(file, input)) {
      return new ManifestReader(json, options).readDocument();
    }
  }

  private Manifest readDocument() throws InputException {
    if (json.next() != JsonToken.START_OBJECT) {
      throw json.here("").problem("it is not a manifest", "an object", "something else");
    }
    JsonValue start = json.here("");
    Set<String> seen = new HashSet<>();
    while (json.next() == JsonToken.FIELD_NAME) {
      String name = json.fieldName();
      seen.add(name);
      json.next();
      readSection(name);
    }
    json.requireEnd();
    for (String required : List.of("version", "jobs")) {
      if (!seen.contains(required)) {
        throw start.problem(
            "a key is missing", "\"" + required + "\"", seen.stream().sorted().toList());
      }
    }
    if (jobs.isEmpty()) {
      throw start.problem("the manifest has no jobs", "at least 1", 0);
    }
    for (Use use : uses) {
      Set<String> known = ids.getOrDefault(use.list(), Set.of());
      if (!known.contains(use.id().string())) {
        throw use.id()
            .problem(
                "there is no such id in /" + use.list(),
                known.isEmpty() ? "an id" : "one of its " + known.size() + " ids",
                use.id().describe());
      }
    }
    return new Manifest(keys, programs, systems, jobs);
  }

  private void readSection(String name) throws InputException {
    switch (name) {
      case "version" -> json.value("/version").integer(Manifest.VERSION, Manifest.VERSION);
      case "keys" -> readList(name, element -> keys.add(readKey(element)));
      case "programs" ->
          readList(
              name,
              element ->
                  programs.add(
                      new Program(readId(name, element, "circom-wasm"), refs.inline(element))));
      case "systems" ->
          readList(
              name,
              element ->
                  systems.add(
                      new ConstraintSystem(readId(name, element, "r1cs"), refs.inline(element))));
      case "jobs" -> readList(name, element -> jobs.add(readJob(element)));
      default -> {
        JsonValue value = json.value(StrictJson.child("", name));
        if (!name.startsWith("x-")) {
          throw value.problem(
              "unknown key",
              "one of " + KEYS.stream().sorted().toList() + " or x-…",
              JsonValue.quote(name));
        }
      }
    }
  }

  private interface ElementReader {
    void read(JsonValue element) throws InputException;
  }

  private void readList(String name, ElementReader reader) throws InputException {
    JsonValue start = json.here("/" + name);
    if (!json.isAtArray()) {
      throw start.problem("a value has the wrong type", "an array", "something else");
    }
    for (int i = 0; json.next() != JsonToken.END_ARRAY; i++) {
      reader.read(json.value("/" + name + "/" + i));
    }
  }

  private String readId(String list, JsonValue element, String format) throws InputException {
    element.object(refs.with("id"));
    element.require("format").oneOf(Set.of(format));
    return declare(list, element);
  }

  private String declare(String list, JsonValue element) throws InputException {
    JsonValue id = element.require("id");
    String text = id.string(Manifest.NAME, "an id like " + Manifest.NAME);
    if (!ids.computeIfAbsent(list, unused -> new HashSet<>()).add(text)) {
      throw id.problem("an id is there twice", "distinct ids", "\"" + text + "\"");
    }
    return text;
  }

  private Key readKey(JsonValue element) throws InputException {
    element.object(refs.with("id", "curve", "vk"));
    element.require("format").oneOf(Set.of("zkey", "params"));
    JsonValue curve = element.require("curve");
    Optional<CurveId> known =
        curve.string().equals("bn254") || curve.string().equals("bls12-381")
            ? CurveId.byName(curve.string())
            : Optional.empty();
    if (known.isEmpty()) {
      throw curve.problem("unknown curve", "\"bn254\" or \"bls12-381\"", curve.describe());
    }
    Optional<JsonValue> vk = element.find("vk");
    return new Key(
        declare("keys", element),
        known.get(),
        refs.inline(element),
        vk.isEmpty()
            ? Optional.empty()
            : Optional.of(refs.read(vk.get(), Set.of("vk-json", "vk-bellman"))));
  }

  private Job readJob(JsonValue element) throws InputException {
    JsonValue name = element.require("name");
    String text = name.string(Manifest.NAME, "a name like " + Manifest.NAME);
    if (!ids.computeIfAbsent("job names", unused -> new HashSet<>()).add(text)) {
      throw name.problem("two jobs have the same name", "distinct names", "\"" + text + "\"");
    }
    Optional<JsonValue> priority = element.find("priority");
    Optional<JsonValue> key = element.find("key");
    Manifest.Work work = new WorkReader(refs).read(element);
    if (key.isPresent()) {
      uses.add(new Use("keys", key.get()));
    } else if (work instanceof Manifest.Circom) {
      element.require("key");
    }
    if (work instanceof Manifest.Circom circom) {
      if (circom.program().isPresent()) {
        uses.add(new Use("programs", element.require("program")));
      }
      if (circom.system().isPresent()) {
        uses.add(new Use("systems", element.require("system")));
      }
    }
    return new Job(
        text,
        priority.isEmpty()
            ? OptionalInt.empty()
            : OptionalInt.of((int) priority.get().integer(0, 99)),
        key.isEmpty() ? Optional.empty() : Optional.of(key.get().string()),
        work,
        element.pointer());
  }

  /** Reads references, alone or among the other keys of an object. */
  static final class RefReader {
    private static final Set<String> OWN = Set.of("section", "path", "format", "bytes", "sha256");

    private final Options options;

    RefReader(Options options) {
      this.options = options;
    }

    /** The keys of an object that holds a reference and these. */
    Set<String> with(String... more) {
      Set<String> all = new HashSet<>(OWN);
      all.addAll(List.of(more));
      return all;
    }

    /** A reference that is an object of its own. */
    Ref read(JsonValue value, Set<String> formats) throws InputException {
      value.object(OWN);
      value.require("format").oneOf(formats);
      return inline(value);
    }

    /** A reference among other keys, which the caller has checked. */
    Ref inline(JsonValue value) throws InputException {
      Optional<JsonValue> section = value.find("section");
      Optional<JsonValue> path = value.find("path");
      if (section.isPresent() == path.isPresent()) {
        throw value.problem(
            "a reference needs either a section or a path",
            "\"section\" or \"path\"",
            section.isPresent() ? "both" : "neither");
      }
      Optional<JsonValue> bytes = value.find("bytes");
      Optional<JsonValue> digest = value.find("sha256");
      OptionalLong count =
          bytes.isEmpty()
              ? OptionalLong.empty()
              : OptionalLong.of(bytes.get().integer(0, Long.MAX_VALUE));
      Optional<String> sha256 =
          digest.isEmpty() ? Optional.empty() : Optional.of(ManifestValues.sha256(digest.get()));
      boolean small = count.isEmpty() || count.getAsLong() <= DIGEST_REQUIRED_BYTES;
      if (section.isPresent() || (options.digestsRequired() && small && bytes.isPresent())) {
        value.require("bytes");
        value.require("sha256");
      }
      return new Ref(
          section.isEmpty() ? OptionalLong.empty() : OptionalLong.of(section(section.get())),
          path.isEmpty() ? Optional.empty() : Optional.of(path(path.get())),
          value.require("format").string(),
          count,
          sha256,
          value.pointer());
    }

    private long section(JsonValue section) throws InputException {
      if (!options.sectionsAllowed()) {
        throw section.problem(
            "a manifest outside a container has no sections", "\"path\"", "\"section\"");
      }
      return section.integer(InputContainer.FIRST_PAYLOAD, LARGEST_SECTION);
    }

    private String path(JsonValue path) throws InputException {
      return ManifestValues.path(path, options.allowOutside());
    }
  }
}
