package dev.cuzk.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.format.TestFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commands compute on no more threads at a time than {@code -t} says, those of native code among
 * them: the processor time of all threads but the JVM's own stays below the time that has passed. A
 * busy machine can hide a thread too many, but cannot show one that is not there.
 */
class ThreadOptionTest {
  /** What waits for the processor's clock, and threads that hand over to each other. */
  private static final double TOLERANCE = 1.08;

  private static final Path TASKS = Path.of("/proc/self/task");

  private static final Pattern OF_THE_JVM =
      Pattern.compile(
          "(C1|C2) Compiler.*|GC Thread.*|G1 .*|VM .*|Sweeper.*|Monitor Defl.*|Service Thread|"
              + "Signal Dispat.*|Common-Cleaner|Notification.*|Reference Hand.*|Finalizer");

  @TempDir static Path folder;

  /** Reads what each thread has used, again and again: a thread that ended tells nothing more. */
  private static final class Meter {
    private final Map<String, Long> first = new HashMap<>();
    private final Map<String, Long> last = new HashMap<>();
    private volatile boolean running = true;
    private final Thread thread = new Thread(this::run, "meter");

    private void run() {
      while (running) {
        read();
        try {
          Thread.sleep(2);
        } catch (InterruptedException e) {
          return;
        }
      }
      read();
    }

    private void read() {
      try (Stream<Path> tasks = Files.list(TASKS)) {
        for (Path task : tasks.toList()) {
          read(task);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void read(Path task) throws IOException {
      try {
        String name = Files.readString(task.resolve("comm")).strip();
        if (!OF_THE_JVM.matcher(name).matches() && !name.equals("meter")) {
          long nanos = Long.parseLong(Files.readString(task.resolve("schedstat")).split(" ")[0]);
          String id = task.getFileName() + " " + name;
          first.putIfAbsent(id, nanos);
          last.put(id, nanos);
        }
      } catch (NoSuchFileException endedMeanwhile) {
        return;
      } catch (IOException endedWhileRead) {
        if (Files.exists(task)) {
          throw endedWhileRead;
        }
      }
    }

    long processorNanos() {
      return last.keySet().stream().mapToLong(id -> last.get(id) - first.get(id)).sum();
    }
  }

  private static void check(int threads, String... arguments) throws InterruptedException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("-t", Integer.toString(threads)));
    Meter meter = new Meter();
    meter.read();
    meter.thread.start();
    long start = System.nanoTime();
    CommandRun run = CommandRun.of(all.toArray(String[]::new));
    final long wall = System.nanoTime() - start;
    meter.running = false;
    meter.thread.join();
    assertEquals(0, run.exitCode(), run.err());
    long used = meter.processorNanos();
    assertTrue(used > 20_000_000, "only " + used + " ns of computing say nothing");
    assertTrue(
        used <= TOLERANCE * threads * wall,
        () -> String.join(" ", all) + ": " + used / 1e9 + " s in " + wall / 1e9 + " s");
  }

  private static String key;

  @BeforeAll
  static void makeRun() throws IOException {
    TestFiles.requireCpuLibrary();
    key = TestFiles.testdata("quickstart/circuit.zkey").toString();
    Path inputs = Files.createDirectory(folder.resolve("in"));
    for (int i = 0; i < 12; i++) {
      Files.copy(TestFiles.testdata("quickstart/witness.wtns"), inputs.resolve("w" + i + ".wtns"));
    }
    String out = folder.resolve("run").toString();
    CommandRun run =
        CommandRun.of("prove", "--gpus", "none", "--key", key, inputs.toString(), "--out", out);
    assertEquals(0, run.exitCode(), run.err());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "check --circuit chain-17",
        "setup --insecure-test-only --gpus none --circuit chain-13 -o test.zkey",
        "circuit digest chain-18",
        "verify run",
        "bench prove --gpus none --circuit chain-13 -w 1 -r 4",
        "bench msm --gpus none --size 2^15 -w 1 -r 4",
        "bench ntt --gpus none --size 2^17 -w 1 -r 8",
        "bench synth --gpus none --circuit chain-17 -w 1 -r 4",
        "bench engine --gpus none -w 0 -r 1",
      })
  void shouldComputeOnOneThread(String line) throws InterruptedException {
    String[] arguments = line.split(" ");
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i].equals("run") || arguments[i].equals("test.zkey")) {
        arguments[i] = folder.resolve(arguments[i]).toString();
      }
    }
    check(1, arguments);
  }

  @Test
  void shouldProveAndVerifyOnOneThread() throws InterruptedException {
    check(
        1,
        "prove",
        "--gpus",
        "none",
        "--key",
        key,
        folder.resolve("in").toString(),
        "--out",
        folder.resolve("one").toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "4097", "99999999999"})
  void shouldRefuseWhatNoMachineHas(String number) {
    for (String command :
        List.of("check --circuit chain-4", "verify x", "circuit digest chain-4")) {
      CommandRun run = CommandRun.of((command + " -t " + number).split(" "));
      assertEquals(2, run.exitCode(), run.err());
      assertTrue(run.lastError().contains("--threads"), run.err());
    }
  }
}
