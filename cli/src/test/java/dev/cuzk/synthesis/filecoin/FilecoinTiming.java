package dev.cuzk.synthesis.filecoin;

import dev.cuzk.device.Backend;
import dev.cuzk.device.BackendOptions;
import dev.cuzk.device.CpuBackend;
import dev.cuzk.format.filecoin.PostSectorProof;
import dev.cuzk.memory.Buffer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;

/**
 * Times the witness makers on the reference's vectors: {@code FilecoinTiming PART THREADS RUNS}
 * takes the vectors whose folder has PART in its path. Prints wall seconds, processor seconds and
 * whether the digests are the reference's. {@code full} behind that fills a WindowPoSt's partition
 * with the vector's sectors in turn, all of which are then made, where the reference repeats the
 * last.
 */
public final class FilecoinTiming {
  private FilecoinTiming() {}

  public static void main(String[] arguments) throws Exception {
    ForkJoinPool pool = new ForkJoinPool(Integer.parseInt(arguments[1]));
    try (Backend backend = CpuBackend.open(BackendOptions.cpu(pool.getParallelism()))) {
      for (FilecoinCase vector : FilecoinCase.all(arguments[0]).toList()) {
        boolean full = arguments.length > 3 && arguments[3].equals("full");
        VanillaSynthesizer<?> synthesizer =
            full ? fullWindow(vector) : VanillaSynthesizerTest.synthesizer(vector, 0);
        try (Buffer target = backend.allocatePinned(synthesizer.variables() * 32)) {
          for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
            time(vector, synthesizer, target, pool);
          }
          if (full) {
            continue;
          }
          List<String> digests = VanillaSynthesizerTest.digests(target);
          System.out.println(
              vector + ": equal " + digests.equals(VanillaSynthesizerTest.expected(vector, 0)));
        }
      }
    }
  }

  private static PostSynthesizer fullWindow(FilecoinCase vector) throws Exception {
    PostStatement some = vector.post();
    List<PostSectorProof> proofs = vector.sectors();
    List<PostStatement.Sector> sectors = new ArrayList<>();
    List<PostSectorProof> all = new ArrayList<>();
    for (int i = 0; i < some.sectorsPerPartition(); i++) {
      sectors.add(some.sectors().get(i % proofs.size()));
      all.add(proofs.get(i % proofs.size()));
    }
    PostStatement statement =
        new PostStatement(some.shape(), some.proof(), some.randomness(), sectors, 0);
    return new PostSynthesizer(statement, VanillaSynthesizerTest.source(all), 0);
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
