package dev.cuzk.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.format.InputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MergeTest {
  private static final int SHARDS = 3;
  private static final int JOBS = 7;

  @TempDir Path folder;
  private Path out;
  private List<String> inputs;

  @BeforeEach
  void proveShards() throws IOException {
    out = folder.resolve("out");
    inputs = BatchTesting.witnesses(folder.resolve("in"), JOBS);
    for (int i = 1; i <= SHARDS; i++) {
      prove(out, new Shard(i, SHARDS));
    }
  }

  private void prove(Path to, Shard shard) {
    BatchOptions options = BatchTesting.options(to, inputs).shard(shard).build();
    assertEquals(0, new BatchRunner(options, new FakeEngine(), new BatchTesting.Heard()).run());
  }

  private Path shard(int index) {
    return new Shard(index, SHARDS).folder(out);
  }

  private void refused(String part, Path... folders) {
    InputException refused =
        assertThrows(InputException.class, () -> new Merge(List.of(folders)).run("1"));
    assertTrue(refused.getMessage().contains(part), refused.getMessage());
    assertFalse(Files.exists(out.resolve("proofs")));
  }

  @Test
  void shouldJoinAllShards() throws Exception {
    Merge.Result result = new Merge(List.of(out)).run("1");
    assertEquals(JOBS, result.proofs());
    try (Stream<Path> files = Files.list(out.resolve("proofs"))) {
      assertEquals(2 * JOBS, files.count());
    }
    FakeEngine engine = new FakeEngine();
    BatchTesting.Heard heard = new BatchTesting.Heard();
    assertEquals(
        0, new BatchRunner(BatchTesting.options(out, inputs).build(), engine, heard).run());
    assertEquals(List.of(), engine.proved);
    assertEquals(JOBS, heard.summary.resumed());
    new Merge(List.of(out)).run("1");
  }

  @Test
  void shouldJoinShardsFromSeveralFolders() throws Exception {
    Path other = folder.resolve("other/2-of-3");
    Files.createDirectories(other.getParent());
    Files.move(shard(2), other);
    assertEquals(JOBS, new Merge(List.of(out, other)).run("1").proofs());
  }

  @Test
  void shouldRefuseAMissingShard() throws IOException {
    Files.move(shard(2), folder.resolve("gone"));
    refused("2 of 3 is missing", out);
  }

  @Test
  void shouldRefuseShardsOfAnotherCount() {
    prove(out, new Shard(1, 2));
    refused("contradicts", out);
  }

  @Test
  void shouldRefuseAShardGivenTwice() {
    Path other = folder.resolve("other");
    prove(other, new Shard(2, SHARDS));
    refused("given twice", out, other);
  }

  @Test
  void shouldRefuseAnUnfinishedShard() throws IOException {
    Path journal = shard(1).resolve(Journal.FILE);
    String text = Files.readString(journal);
    Files.writeString(journal, text.substring(0, text.length() - 5));
    refused("did not come to its end", out);
  }

  @Test
  void shouldRefuseAShardWithoutItsFiles() throws IOException {
    Path file;
    try (Stream<Path> files = Files.list(shard(1).resolve("proofs"))) {
      file = files.findFirst().orElseThrow();
    }
    Files.delete(file);
    refused("is missing", out);
  }

  @Test
  void shouldRefuseJobsOfAnotherShard() throws IOException {
    Path first = folder.resolve("first");
    Files.move(shard(1), first);
    Files.move(shard(2), shard(1));
    Files.move(first, shard(2));
    refused("belongs to another shard", out);
  }

  @Test
  void shouldRefuseWhatContradictsTheFolder() throws Exception {
    new Merge(List.of(out)).run("1");
    for (int i = 0; i < JOBS; i++) {
      BatchTesting.witness(Path.of(inputs.get(i)), 100 + i);
    }
    for (int i = 1; i <= SHARDS; i++) {
      BatchOptions options =
          BatchTesting.options(out, inputs).shard(new Shard(i, SHARDS)).overwrite(true).build();
      assertEquals(0, new BatchRunner(options, new FakeEngine(), new BatchTesting.Heard()).run());
    }
    byte[] before = Files.readAllBytes(out.resolve(Journal.FILE));
    assertThrows(InputException.class, () -> new Merge(List.of(out)).run("1"));
    assertEquals(before.length, Files.size(out.resolve(Journal.FILE)));
  }

  @Test
  void shouldRefuseAFolderWithoutShards() {
    assertThrows(InputException.class, () -> new Merge(List.of(folder.resolve("in"))));
    assertThrows(UsageException.class, () -> new Merge(List.of()));
  }
}
