package dev.cuzk.synthesis.filecoin;

import dev.cuzk.device.Backend;
import dev.cuzk.device.BackendOptions;
import dev.cuzk.device.CpuBackend;
import dev.cuzk.memory.Buffer;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.ForkJoinPool;

/**
 * Times the witness makers on the reference's vectors: {@code FilecoinTiming PART THREADS RUNS}
 * takes the vectors whose folder has PART in its path. Prints wall seconds, processor seconds and
 * whether the digests are the reference's.
 */
public final class FilecoinTiming {
  private FilecoinTiming() {}

  public static void main(String[] arguments) throws Exception {
    ForkJoinPool pool = new ForkJoinPool(Integer.parseInt(arguments[1]));
    try (Backend backend = CpuBackend.open(BackendOptions.cpu(pool.getParallelism()))) {
      for (FilecoinCase vector : FilecoinCase.all(arguments[0]).toList()) {
        VanillaSynthesizer<?> synthesizer = VanillaSynthesizerTest.synthesizer(vector, 0);
        try (Buffer target = backend.allocatePinned(synthesizer.variables() * 32)) {
          for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
            time(vector, synthesizer, target, pool);
          }
          List<String> digests = VanillaSynthesizerTest.digests(target);
          System.out.println(
              vector + ": equal " + digests.equals(VanillaSynthesizerTest.expected(vector, 0)));
        }
      }
    }
  }

  private static void time(
      FilecoinCase vector, VanillaSynthesizer<?> synthesizer, Buffer target, ForkJoinPool pool)
      throws Exception {
    long wall = System.nanoTime();
    long cpu = cpu();
    pool.submit(
            () -> {
              synthesizer.synthesize(target);
              return null;
            })
        .get();
    System.out.printf(
        "%s: wall %.2f s, processor %.2f s, heap %d MiB%n",
        vector,
        (System.nanoTime() - wall) / 1e9,
        (cpu() - cpu) / 1e9,
        Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory() >> 20);
  }

  /** Of the whole process, in nanoseconds. */
  private static long cpu() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
