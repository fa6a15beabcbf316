package dev.cuzk.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ShardTest {
  @Property(tries = 300)
  void shouldPutEveryNameIntoExactlyOneShard(
      @ForAll String name, @ForAll @IntRange(min = 1, max = 50) int count) {
    assertEquals(
        1, IntStream.rangeClosed(1, count).filter(i -> new Shard(i, count).contains(name)).count());
  }

  @Test
  void shouldReadTheDigestAsABigEndianNumber() {
    // SHA-256("abc") = ba7816bf … f20015ad; its last bytes decide for powers of two.
    assertEquals((0xad & 15) + 1, Shard.shardOf("abc", 16));
    assertEquals((0x15ad & 1023) + 1, Shard.shardOf("abc", 1024));
  }

  @Test
  void shouldParseItsForms() throws UsageException {
    assertEquals(new Shard(2, 5), Shard.parse("2/5", Map.of()));
    assertEquals(new Shard(3, 4), Shard.parse("auto/4", Map.of("JOB_COMPLETION_INDEX", "2")));
    assertEquals(
        new Shard(2, 3),
        Shard.parse(
            "auto",
            Map.of(
                "SLURM_ARRAY_TASK_ID", "6",
                "SLURM_ARRAY_TASK_COUNT", "3",
                "SLURM_ARRAY_TASK_MIN", "4",
                "SLURM_ARRAY_TASK_MAX", "8",
                "SLURM_ARRAY_TASK_STEP", "2")));
    assertEquals(Path.of("o/shards/2-of-5"), new Shard(2, 5).folder(Path.of("o")));
  }

  @Test
  void shouldRefuseWhatIsNoShard() {
    for (String text : List.of("", "0/3", "4/3", "1/0", "1", "a/b", "1/2/3", "auto/x", "auto/0")) {
      assertThrows(
          UsageException.class, () -> Shard.parse(text, Map.of("JOB_COMPLETION_INDEX", "0")), text);
    }
  }

  @Test
  void shouldRefuseAutoWithoutItsVariables() {
    assertThrows(UsageException.class, () -> Shard.parse("auto", Map.of()));
    assertThrows(UsageException.class, () -> Shard.parse("auto/3", Map.of()));
    UsageException kubernetes =
        assertThrows(
            UsageException.class, () -> Shard.parse("auto", Map.of("JOB_COMPLETION_INDEX", "1")));
    assertTrue(kubernetes.getMessage().contains("auto/N"));
  }

  @Test
  void shouldRefuseASlurmArrayWithHoles() {
    // --array=1,2,7: three tasks from 1 to 7.
    assertThrows(
        UsageException.class,
        () ->
            Shard.parse(
                "auto",
                Map.of(
                    "SLURM_ARRAY_TASK_ID", "2",
                    "SLURM_ARRAY_TASK_COUNT", "3",
                    "SLURM_ARRAY_TASK_MIN", "1",
                    "SLURM_ARRAY_TASK_MAX", "7")));
  }
}
