package dev.cuzk.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.format.Manifest.Ref;
import dev.cuzk.format.RawBinfile.RawSection;
import dev.cuzk.math.CurveId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputContainerTest {
  private static final Path KEY = TestFiles.testdata("quickstart/circuit.zkey");
  private static final Path WITNESS = TestFiles.testdata("quickstart/witness.wtns");

  @TempDir Path folder;

  private Path container;
  private Manifest manifest;

  @BeforeEach
  void write() throws IOException, InputException {
    container = folder.resolve("input.bin");
    Ref key = toSection(16, "zkey", KEY);
    Ref witness = toSection(17, "wtns", WITNESS);
    Manifest.Work work =
        new Manifest.Circom(
            Optional.of(witness), Optional.empty(), Optional.empty(), Optional.empty());
    manifest =
        new Manifest(
            List.of(new Manifest.Key("unirep", CurveId.BN254, key, Optional.empty())),
            List.of(),
            List.of(),
            List.of(
                new Manifest.Job("signup", OptionalInt.of(7), Optional.of("unirep"), work, "")));
    TreeMap<Long, FileRange> payloads = new TreeMap<>();
    payloads.put(16L, FileRange.whole(KEY));
    payloads.put(17L, FileRange.whole(WITNESS));
    InputContainerWriter.write(container, manifest, payloads, Progress.NONE);
  }

  private static Ref toSection(long section, String format, Path file) throws InputException {
    FileRange range = FileRange.whole(file);
    return Ref.toSection(section, format, range.identity().size(), Sha256.of(range, Progress.NONE));
  }

  private static Manifest withoutPointers(Manifest manifest) {
    Manifest plain =
        manifest.mapRefs(
            ref -> new Ref(ref.section(), ref.path(), ref.format(), ref.bytes(), ref.sha256(), ""));
    return new Manifest(
        plain.keys(),
        plain.programs(),
        plain.systems(),
        plain.jobs().stream()
            .map(job -> new Manifest.Job(job.name(), job.priority(), job.key(), job.work(), ""))
            .toList());
  }

  @Test
  void shouldReadWhatItWrote() throws InputException {
    InputContainer opened = InputContainer.open(container, false, true);
    assertEquals(manifest, withoutPointers(opened.manifest()));
    assertEquals("/jobs/0", opened.manifest().jobs().get(0).pointer());
  }

  @Test
  void shouldReadPayloadsInPlace() throws InputException {
    InputContainer opened = InputContainer.open(container, false, true);
    FileRange key = opened.resolve(opened.manifest().keys().get(0).file());
    assertEquals(container + "#16", key.name());
    assertEquals(0, key.offset() % 4096);
    try (ZkeyFile inside = ZkeyFile.open(key);
        ZkeyFile alone = ZkeyFile.open(FileRange.whole(KEY))) {
      assertEquals(alone.header(), inside.header());
      assertEquals(
          alone.checkEntries(Progress.NONE).constraints(),
          inside.checkEntries(Progress.NONE).constraints());
    }
    Ref witness = opened.manifest().jobs().get(0).work().refs().get(0);
    try (WtnsFile inside = WtnsFile.open(opened.resolve(witness))) {
      assertEquals(936, inside.variables());
    }
    assertEquals(witness.sha256().get(), opened.requireDigest(witness, Progress.NONE));
  }

  @Test
  void shouldNoticeAChangedPayload() throws InputException, IOException {
    byte[] bytes = Files.readAllBytes(container);
    bytes[bytes.length - 5] ^= 1;
    Files.write(container, bytes);
    InputContainer opened = InputContainer.open(container, false, true);
    Ref witness = opened.manifest().jobs().get(0).work().refs().get(0);
    String message =
        assertThrows(InputException.class, () -> opened.requireDigest(witness, Progress.NONE))
            .getMessage();
    assertTrue(message.contains("another SHA-256"), message);
  }

  @Test
  void shouldRefuseBrokenContainers() throws IOException {
    assertTrue(refusal(raw -> raw.without(1)).contains("missing: the manifest"));
    assertTrue(refusal(raw -> raw.without(17)).contains("does not exist"));
    assertTrue(refusal(raw -> raw.without(2)).contains("does not start where it should"));
    assertTrue(refusal(raw -> appendAligned(raw, 17)).contains("there twice"));
    assertTrue(refusal(raw -> appendAligned(raw, 99)).contains("not used"));
    assertTrue(
        refusal(raw -> raw.map(list -> list.add(0, new RawSection(2, new byte[4]))))
            .contains("padding before"));
    assertTrue(refusal(raw -> raw.with(17, new byte[30000])).contains("not as long"));
  }

  private static RawBinfile appendAligned(RawBinfile raw, int id) {
    int end = raw.bytes().length;
    return raw.map(
        list -> {
          list.add(new RawSection(2, new byte[4096 - (end + 24) % 4096]));
          list.add(new RawSection(id, new byte[1]));
        });
  }

  private String refusal(UnaryOperator<RawBinfile> change) throws IOException {
    Path broken = folder.resolve("broken.bin");
    Files.write(broken, change.apply(RawBinfile.parse(Files.readAllBytes(container))).bytes());
    return assertThrows(InputException.class, () -> InputContainer.open(broken, false, true))
        .getMessage();
  }

  @Test
  void shouldSkipUnknownSections() throws IOException, InputException {
    RawBinfile raw = RawBinfile.parse(Files.readAllBytes(container));
    Path more = folder.resolve("more.bin");
    Files.write(more, raw.map(list -> list.add(new RawSection(9, new byte[3]))).bytes());
    InputContainer.open(more, false, true);
  }

  @Test
  void shouldReadAManifestWithPaths() throws IOException, InputException {
    Files.copy(KEY, folder.resolve("k.zkey"));
    Files.createDirectory(folder.resolve("w"));
    Files.copy(WITNESS, folder.resolve("w/a.wtns"));
    Manifest paths =
        manifest.mapRefs(
            ref ->
                new Ref(
                    OptionalLong.empty(),
                    Optional.of(ref.format().equals("zkey") ? "k.zkey" : "w/a.wtns"),
                    ref.format(),
                    ref.bytes(),
                    ref.sha256(),
                    ""));
    Path json = folder.resolve("jobs.json");
    Files.write(json, ManifestWriter.toJson(paths));
    InputContainer opened = InputContainer.open(json, false, true);
    Ref witness = opened.manifest().jobs().get(0).work().refs().get(0);
    assertEquals(folder.resolve("w/a.wtns"), opened.resolve(witness).path());
    opened.requireDigest(witness, Progress.NONE);

    Files.write(folder.resolve("w/a.wtns"), new byte[10]);
    String message = assertThrows(InputException.class, () -> opened.resolve(witness)).getMessage();
    assertTrue(message.contains("not as long as the manifest says"), message);
    Files.delete(folder.resolve("w/a.wtns"));
    assertThrows(InputException.class, () -> opened.resolve(witness));
  }

  @Test
  void shouldRequireLengthAndDigestOfSmallFiles() throws IOException, InputException {
    Files.copy(KEY, folder.resolve("k.zkey"));
    InputContainer opened = InputContainer.open(container, false, true);
    Optional<String> path = Optional.of("k.zkey");
    Optional<String> digest = Optional.of(Sha256.of(FileRange.whole(KEY), Progress.NONE));
    OptionalLong length = OptionalLong.of(Files.size(KEY));
    OptionalLong none = OptionalLong.empty();
    for (Ref ref :
        List.of(
            new Ref(none, path, "zkey", none, Optional.empty(), "/keys/0"),
            new Ref(none, path, "zkey", none, digest, "/keys/0"),
            new Ref(none, path, "zkey", length, Optional.empty(), "/keys/0"))) {
      String message = assertThrows(InputException.class, () -> opened.resolve(ref)).getMessage();
      assertTrue(message.contains("must come with its size and digest"), message);
    }
    assertEquals(
        folder.resolve("k.zkey"),
        opened.resolve(new Ref(none, path, "zkey", length, digest, "/keys/0")).path());
  }

  @Test
  void shouldRefuseContainersThatCameThroughAPipe() throws IOException {
    byte[] bytes = Files.readAllBytes(container);
    String message =
        assertThrows(
                InputException.class,
                () ->
                    InputContainer.openManifest(
                        ByteSource.of("standard input", bytes), folder, false, true))
            .getMessage();
    assertTrue(message.contains("pipe"), message);
  }

  @Test
  void shouldLeaveNothingWhenAPayloadIsNotWhatTheManifestSays() throws IOException {
    TreeMap<Long, FileRange> payloads = new TreeMap<>();
    payloads.put(16L, FileRange.whole(KEY));
    payloads.put(17L, FileRange.whole(KEY));
    Path target = folder.resolve("none.bin");
    assertThrows(
        InputException.class,
        () -> InputContainerWriter.write(target, manifest, payloads, Progress.NONE));
    try (var files = Files.list(folder)) {
      assertEquals(List.of(container), files.toList());
    }
  }

  @Test
  void shouldWriteTheSameBytesEachTime() throws IOException, InputException {
    TreeMap<Long, FileRange> payloads = new TreeMap<>();
    payloads.put(16L, FileRange.whole(KEY));
    payloads.put(17L, FileRange.whole(WITNESS));
    Path again = folder.resolve("again.bin");
    InputContainerWriter.write(again, manifest, payloads, Progress.NONE);
    assertArrayEquals(Files.readAllBytes(container), Files.readAllBytes(again));
    String start = new String(Files.readAllBytes(again), 0, 4, StandardCharsets.US_ASCII);
    assertEquals("cuzk", start);
  }
}
