package dev.cuzk.synthesis.circom;

import dev.cuzk.format.FileRange;
import dev.cuzk.memory.PlainBuffer;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/**
 * Times a circom program: {@code CircomTiming PROGRAM INPUT CACHE WITNESSES}. Prints wall and
 * thread seconds of loading and of each witness.
 */
public final class CircomTiming {
  private CircomTiming() {}

  public static void main(String[] arguments) throws Exception {
    long wall = System.nanoTime();
    long cpu = cpu();
    CircomProgram program =
        CircomProgram.open(
            FileRange.whole(Path.of(arguments[0])),
            ProgramCache.in(Path.of(arguments[2]), System.out::println));
    print("load", wall, cpu);
    CircomSynthesizer synthesizer =
        new CircomSynthesizer(program, FileRange.whole(Path.of(arguments[1]))::open);
    try (PlainBuffer target = PlainBuffer.allocate(32L * program.witnessSize())) {
      for (int i = 0; i < Integer.parseInt(arguments[3]); i++) {
        wall = System.nanoTime();
        cpu = cpu();
        synthesizer.synthesize(target);
        print("witness " + i, wall, cpu);
      }
    }
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static void print(String what, long wall, long cpu) {
    System.out.printf(
        "%-12s wall %.3f thread %.3f%n",
        what, (System.nanoTime() - wall) / 1e9, (cpu() - cpu) / 1e9);
  }
}
