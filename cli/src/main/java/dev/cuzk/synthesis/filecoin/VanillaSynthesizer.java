package dev.cuzk.synthesis.filecoin;

import dev.cuzk.circuit.ParallelRanges;
import dev.cuzk.circuit.filecoin.FilecoinCircuit;
import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.math.Field;
import dev.cuzk.memory.Buffer;
import dev.cuzk.memory.PackedScalars;
import dev.cuzk.memory.ScalarTarget;
import dev.cuzk.synthesis.Synthesizer;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;

/**
 * Makes a partition's assignment from vanilla proofs, straight: no constraints are looked at. What
 * all challenges (in a PoSt: sectors) share, and each of them, is written by a task of its own: all
 * have as many values, and the numbers that they need of each other are in the vanilla proof.
 *
 * <p>Paths are hashed on the way, as the circuit does, and one that does not lead to its root is
 * refused with its place.
 */
abstract class VanillaSynthesizer<P> implements Synthesizer {
  private static final int PIECES_PER_THREAD = 8;

  private final FilecoinCircuit circuit;
  private final Statement statement;
  private final VanillaSource<P> source;
  private final int partition;

  VanillaSynthesizer(
      FilecoinCircuit circuit, Statement statement, VanillaSource<P> source, int partition) {
    this.circuit = circuit;
    this.statement = statement;
    this.source = source;
    this.partition = partition;
  }

  /** Writes the values of one partition. */
  interface Maker {
    /** What stands before the first stretch. */
    void common(GadgetTrace trace) throws InputException;

    /** Number of stretches that are alike. */
    int stretches();

    /** How many of them are made; the others repeat the last of these. */
    default int made() {
      return stretches();
    }

    /** Private variables of each. */
    int auxiliariesPerStretch();

    /** One stretch. */
    void stretch(GadgetTrace trace, int index) throws InputException;
  }

  /** A maker for the proofs, which fit the statement. */
  abstract Maker maker(P proofs, int partition) throws InputException;

  @Override
  public CurveId curve() {
    return FilecoinCircuit.CURVE;
  }

  @Override
  public long variables() {
    return 1 + circuit.publicInputs() + circuit.auxiliaries();
  }

  /**
   * Of a seal or an update of 32 GiB one value in 77 or 84 is neither 0 nor 1, of one of 2 KiB one
   * in 61 or 66.
   */
  static long packedBytes(long variables) {
    return PackedScalars.byteSize(variables, variables / 32);
  }

  /** The proofs, a writer for each thread, and what is packed while it is collected. */
  @Override
  public long hostBytes() {
    return source.bytes()
        + packedBytes()
        + Runtime.getRuntime().availableProcessors() * ValueWriter.bytes();
  }

  @Override
  public boolean forks() {
    return true;
  }

  @Override
  public void synthesize(Buffer target) throws InputException {
    synthesize(ScalarTarget.of(target));
  }

  @Override
  public void synthesize(ScalarTarget target) throws InputException {
    Maker maker = maker(source.get(), partition);
    long inputs = writeInputs(target);
    long each = maker.auxiliariesPerStretch();
    long common = circuit.auxiliaries() - maker.stretches() * each;
    long first = inputs + common;
    ForkJoinPool pool = ForkJoinTask.getPool();
    List<Callable<Void>> tasks = new ArrayList<>();
    tasks.add(() -> write(target, inputs, common, maker::common));
    addTasks(
        tasks,
        pool,
        0,
        maker.made(),
        (from, end) ->
            write(
                target,
                first + from * each,
                (end - from) * each,
                trace -> {
                  for (int i = from; i < end; i++) {
                    maker.stretch(trace, i);
                  }
                }));
    int last = maker.made() - 1;
    addTasks(
        tasks,
        pool,
        maker.made(),
        maker.stretches(),
        (from, end) ->
            write(
                repeated(target, each, end - from),
                first + from * each,
                each,
                trace -> maker.stretch(trace, last)));
    if (pool == null) {
      for (Callable<Void> task : tasks) {
        call(task);
      }
    } else {
      ParallelRanges.await(pool, tasks);
    }
  }

  private interface Stretches {
    Void run(int from, int end) throws InputException;
  }

  /** Tasks for stretches first … end − 1. */
  private static void addTasks(
      List<Callable<Void>> tasks, ForkJoinPool pool, int first, int end, Stretches work) {
    int threads = pool == null ? 1 : pool.getParallelism();
    int perTask = Math.max(1, (end - first) / (threads * PIECES_PER_THREAD));
    for (int start = first; start < end; start += perTask) {
      int from = start;
      int to = Math.min(start + perTask, end);
      tasks.add(() -> work.run(from, to));
    }
  }

  /** Puts what is put into a stretch into some that follow, too. */
  private static ScalarTarget repeated(ScalarTarget target, long each, int times) {
    return (first, words, count) -> {
      for (int i = 0; i < times; i++) {
        target.put(first + i * each, words, count);
      }
    };
  }

  private interface Part {
    void write(GadgetTrace trace) throws InputException;
  }

  private static Void write(ScalarTarget target, long first, long count, Part part)
      throws InputException {
    ValueWriter writer = new ValueWriter(target, first, count);
    part.write(new GadgetTrace(writer));
    writer.finish();
    return null;
  }

  private static void call(Callable<Void> task) throws InputException {
    try {
      task.call();
    } catch (InputException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes ONE and the public inputs; gives their number. */
  private long writeInputs(ScalarTarget target) {
    List<BigInteger> inputs = statement.publicInputs(partition);
    ValueWriter writer = new ValueWriter(target, 0, inputs.size() + 1L);
    Field field = Field.scalar(FilecoinCircuit.CURVE);
    long[] words = new long[ValueWriter.WORDS];
    writer.number(1);
    for (BigInteger input : inputs) {
      field.set(words, 0, input);
      field.fromMontgomery(words, 0, words, 0);
      writer.number(words, 0);
    }
    writer.finish();
    return inputs.size() + 1L;
  }
}
