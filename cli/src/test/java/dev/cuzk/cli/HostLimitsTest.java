package dev.cuzk.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostLimitsTest {
  private static final long GIB = 1L << 30;

  @TempDir Path root;

  private void file(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void shouldTakeTheMachineWithoutACgroup() throws IOException {
    file("proc/meminfo", "MemTotal:       67108864 kB\nMemFree: 1 kB\n");
    HostLimits limits = HostLimits.read(root, 8);
    assertEquals(new HostLimits(64 * GIB, "machine", 8), limits);
    assertEquals(60 * GIB, limits.hostBudget());
  }

  @Test
  void shouldTakeTheTightestGroupOfVersion2() throws IOException {
    file("proc/meminfo", "MemTotal:       67108864 kB\n");
    file("proc/self/cgroup", "0::/slurm/job_7/step_0\n");
    file("sys/fs/cgroup/slurm/memory.max", "max\n");
    file("sys/fs/cgroup/slurm/job_7/memory.max", "8589934592\n");
    file("sys/fs/cgroup/slurm/job_7/step_0/memory.max", "17179869184\n");
    HostLimits limits = HostLimits.read(root, 2);
    assertEquals(8 * GIB, limits.memoryLimit());
    assertEquals("/sys/fs/cgroup/slurm/job_7/memory.max", limits.memorySource());
  }

  @Test
  void shouldSeeItsOwnGroupAtTheRootOfANamespace() throws IOException {
    file("proc/self/cgroup", "0::/\n");
    file("sys/fs/cgroup/memory.max", "2147483648\n");
    assertEquals(2 * GIB, HostLimits.read(root, 2).memoryLimit());
  }

  @Test
  void shouldReadVersion1() throws IOException {
    file("proc/meminfo", "MemTotal:       67108864 kB\n");
    file("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/docker/x\n");
    file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    file("sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", "4294967296\n");
    assertEquals(4 * GIB, HostLimits.read(root, 2).memoryLimit());
  }

  @Test
  void shouldKeepAMarginInSmallGroups() {
    assertEquals(256L << 20, new HostLimits(512L << 20, "", 1).hostBudget());
    assertEquals((2048L - 256) << 20, new HostLimits(2 * GIB, "", 1).hostBudget());
  }

  @Property
  void shouldNeverBudgetMoreThanTheLimitNorLessThanHalf(
      @ForAll @LongRange(min = 2, max = 1L << 45) long limit) {
    long budget = new HostLimits(limit, "", 1).hostBudget();
    assertTrue(budget > 0 && budget < limit && budget >= limit / 2, limit + " " + budget);
  }
}
