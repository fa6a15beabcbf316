package dev.cuzk.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cuzk.format.InputException;
import dev.cuzk.format.TestFiles;
import dev.cuzk.synthesis.filecoin.Statement;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One partition of jobs that have several, with the reference's 32 GiB inputs. */
class FilecoinInputsTest {
  private static final Path VECTORS = TestFiles.shared("filecoin/vectors-32g");
  private static final Map<String, String> UPDATE =
      Map.of(
          "sector-size",
          Long.toString(32L << 30),
          "comm-r-old",
          "1edf2e634446279b3c15ce13fc513eb775db4c906519bd213e12f944827c7307",
          "comm-r-new",
          "725831d4e2cd0759f616bec860f4b001cfd0bb2cfae9349b9d453ac36a2bde13",
          "comm-d-new",
          "292186cb80c7f4c6b6a026d1c77298388f1fefd3ec908ac35f723fbc2782c508");

  @TempDir Path folder;

  private Path unpacked(String name) throws IOException {
    assumeTrue(Files.isDirectory(VECTORS), "the reference's vectors are not here");
    Path file = folder.resolve(Path.of(name).getFileName());
    try (InputStream in =
        new GZIPInputStream(Files.newInputStream(VECTORS.resolve(name + ".gz")))) {
      Files.copy(in, file);
    }
    return file;
  }

  private List<Path> partitions(int from, int to) throws IOException {
    List<Path> files = new ArrayList<>();
    for (int i = from; i < to; i++) {
      files.add(unpacked(String.format("snap/partition-%02d.vanilla.bin", i)));
    }
    return files;
  }

  private static Statement read(List<Path> files, String kind, Map<String, String> facts, int index)
      throws Exception {
    Map<String, String> all = new LinkedHashMap<>(facts);
    all.put("partition-index", Integer.toString(index));
    return new FilecoinInputs(all, warning -> {}).read(files, kind);
  }

  @Test
  void shouldTakeOnePartitionOfAnUpdateFromAllOfThem() throws Exception {
    List<Path> files = partitions(0, 16);
    Statement whole = new FilecoinInputs(UPDATE, warning -> {}).read(files, "snap");
    Statement one = read(files, "snap", UPDATE, 11);
    assertEquals(16, whole.partitions());
    assertEquals(1, one.partitions());
    assertEquals(whole.publicInputs(11), one.publicInputs(0));
    assertEquals(BigInteger.valueOf(128 + 11), one.publicInputs(0).get(0));
  }

  @Test
  void shouldTakeAnUpdatesPartitionThatCameAlone() throws Exception {
    List<Path> file = partitions(11, 12);
    assertEquals(
        BigInteger.valueOf(128 + 11), read(file, "snap", UPDATE, 11).publicInputs(0).get(0));
    // Its challenges are not those of another partition.
    String message =
        assertThrows(InputException.class, () -> read(file, "snap", UPDATE, 12)).getMessage();
    assertTrue(message.contains("partition 12, challenge 0"), message);
    message =
        assertThrows(
                InputException.class,
                () -> new FilecoinInputs(UPDATE, warning -> {}).read(file, "snap"))
            .getMessage();
    assertTrue(
        message.contains(
            "the number of partitions is another one (the whole, expected 16, found 1)"),
        message);
    message = assertThrows(UsageException.class, () -> read(file, "snap", UPDATE, 16)).getMessage();
    assertTrue(message.contains("--partition-index: expected a number below 16"), message);
  }

  @Test
  void shouldTakeOnePartitionOfASeal() throws Exception {
    List<Path> file = List.of(unpacked("porep/c1.bincode"));
    Statement whole = new FilecoinInputs(Map.of(), warning -> {}).read(file, null);
    Statement one = read(file, null, Map.of(), 9);
    assertEquals(10, whole.partitions());
    assertEquals(1, one.partitions());
    assertEquals(whole.publicInputs(9), one.publicInputs(0));
    assertNotEquals(whole.publicInputs(0), one.publicInputs(0));
  }

  @Test
  void shouldTellPartitionsOfOneInputApart() throws Exception {
    Content content = Content.of(TestFiles.testdata("filecoin/porep-2KiB.c1.json"));
    String whole = digest(content, OptionalInt.empty());
    assertEquals(content.sha256(), whole);
    assertNotEquals(whole, digest(content, OptionalInt.of(0)));
    assertNotEquals(digest(content, OptionalInt.of(1)), digest(content, OptionalInt.of(0)));
    assertEquals(digest(content, OptionalInt.of(1)), digest(content, OptionalInt.of(1)));
  }

  private static String digest(Content content, OptionalInt index) throws InputException {
    Map<String, String> facts =
        index.isPresent()
            ? Map.of("partition-index", Integer.toString(index.getAsInt()))
            : Map.of();
    JobSpec spec =
        new JobSpec(
            "a", "a", "porep", 10, List.of(content), null, null, null, List.of(), null, facts);
    return new InputDigest(spec).get();
  }
}
