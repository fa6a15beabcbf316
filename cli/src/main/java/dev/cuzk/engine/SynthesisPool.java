package dev.cuzk.engine;

import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.memory.PackedScalars;
import dev.cuzk.report.Timeline;
import dev.cuzk.synthesis.Synthesizer;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;

/**
 * Makes assignments on a ForkJoinPool of its own, with explicit parallelism. Partitions come here
 * after admission, so that nothing in the pool waits for memory; the best by {@link Order} goes
 * first. Each takes a permit of {@link Processors}; one that forks gets those that are free then,
 * too, and a pool of so many threads.
 */
final class SynthesisPool {
  /** Hears how a synthesis ended; called on the pool's threads. */
  interface Listener {
    void ready(PartitionTask task);

    void failed(PartitionTask task, Throwable failure);
  }

  private final Scheduler scheduler;
  private final Scheduler.Pool pool;
  private final int threads;
  private final Processors processors;
  private final PriorityBlockingQueue<PartitionTask> queue =
      new PriorityBlockingQueue<>(64, Comparator.comparing(PartitionTask::order));
  private final Blinding blinding;
  private final Timeline timeline;
  private final Listener listener;

  SynthesisPool(
      int threads,
      Processors processors,
      Blinding blinding,
      Scheduler scheduler,
      Timeline timeline,
      Listener listener) {
    this.threads = threads;
    this.processors = processors;
    this.scheduler = scheduler;
    this.blinding = blinding;
    this.timeline = timeline;
    this.listener = listener;
    this.pool = scheduler.pool("cuzk-synthesis", threads);
  }

  /** Makes the assignment of an admitted partition. */
  void submit(PartitionTask task) {
    queue.add(task);
    processors.requestSynthesis(this::start);
  }

  /** A permit that comes after the pool's end, in a run that was given up, goes to the next. */
  private void start() {
    try {
      pool.execute(this::runBest);
    } catch (RejectedExecutionException afterTheEnd) {
      queue.poll();
      processors.endSynthesis(1);
    }
  }

  /**
   * Runs something that hardly computes, such as opening a library, without holding up the caller.
   */
  void execute(Runnable action) {
    pool.execute(action);
  }

  /** Has a buffer overwritten on the pool's threads, without holding up the caller. */
  void overwrite(Runnable action) {
    Runnable counted =
        () -> {
          try {
            action.run();
          } finally {
            processors.endOverwrite();
          }
        };
    processors.requestOverwrite(
        () -> {
          try {
            pool.execute(counted);
          } catch (RejectedExecutionException afterTheEnd) {
            counted.run();
          }
        });
  }

  private void runBest() {
    PartitionTask task = queue.remove();
    Throwable failure = null;
    int permits = 1;
    try {
      if (!task.job.ended()) {
        if (task.partition.synthesizer().forks()) {
          permits += processors.takeIdle(threads - 1);
          synthesize(task, permits);
        } else {
          synthesize(task);
        }
      }
    } catch (Throwable thrown) {
      failure = thrown;
    }
    processors.endSynthesis(permits);
    if (failure != null) {
      listener.failed(task, failure);
    } else {
      listener.ready(task);
    }
  }

  private void synthesize(PartitionTask task, int threads) throws Throwable {
    ForkJoinPool forking = new ForkJoinPool(threads);
    try {
      // Handed over as a value: a pool wraps what its tasks throw, and the engine tells faults by
      // type.
      Throwable failure = forking.submit(() -> failureOf(task)).get();
      if (failure != null) {
        throw failure;
      }
    } finally {
      forking.shutdown();
    }
  }

  private Throwable failureOf(PartitionTask task) {
    try {
      synthesize(task);
      return null;
    } catch (Throwable thrown) {
      return thrown;
    }
  }

  private void synthesize(PartitionTask task) throws Exception {
    String job = task.jobName();
    int index = task.partition.index();
    int device = task.processing.need().device();
    MeteredLock.slow("synthesis");
    long start = scheduler.nanoTime();
    timeline.stage(
        EngineStage.SYNTHESIS_WAIT.stableName(), job, index, device, task.admittedNanos, start);
    timeline.event(Timeline.Event.SYNTH_START, job, index, device, start);
    if (task.witnessOwner.uploads() && task.partition.synthesizer().packedBytes() > 0) {
      synthesizePacked(task);
    } else {
      long bytes = task.partition.key().variables() * CurveId.SCALAR_BYTES;
      task.packed = false;
      task.witness = task.witnessOwner.take(bytes);
      task.partition.synthesizer().synthesize(task.witness);
      task.publicInputs = publicInputs(task.witness, task.partition.key().publicInputs());
    }
    drawBlinding(task);
    long end = scheduler.nanoTime();
    task.queuedSeconds += (start - task.admittedNanos) / 1e9;
    task.synthesisSeconds += (end - start) / 1e9;
    timeline.event(Timeline.Event.SYNTH_END, job, index, device, end);
    timeline.stage(EngineStage.SYNTHESIS.stableName(), job, index, device, start, end);
  }

  /** Without the plain form: what is uploaded is what is held. */
  private static void synthesizePacked(PartitionTask task) throws Exception {
    Synthesizer synthesizer = task.partition.synthesizer();
    try (PackedScalars scalars = new PackedScalars(task.partition.key().variables())) {
      synthesizer.synthesize(scalars);
      task.packed = true;
      // One length for all of a circuit, so that buffers are used again.
      task.witness =
          task.witnessOwner.take(Math.max(synthesizer.packedBytes(), scalars.byteSize()));
      scalars.write(task.witness);
      List<BigInteger> values = new ArrayList<>();
      for (int i = 1; i <= task.partition.key().publicInputs(); i++) {
        values.add(scalars.scalar(i));
      }
      task.publicInputs = values;
    }
  }

  /** Gives a task blinding scalars that no attempt before had. */
  void drawBlinding(PartitionTask task) {
    CurveId curve = task.partition.key().curve();
    int index = task.partition.index();
    task.r = blinding.scalar(curve, task.jobName(), index, task.attempts, 0);
    task.s = blinding.scalar(curve, task.jobName(), index, task.attempts, 1);
  }

  private static List<BigInteger> publicInputs(Buffer witness, int count) {
    List<BigInteger> values = new ArrayList<>(count);
    byte[] scalar = new byte[CurveId.SCALAR_BYTES];
    for (int i = 1; i <= count; i++) {
      ByteBuffer view = witness.view((long) i * CurveId.SCALAR_BYTES, CurveId.SCALAR_BYTES);
      view.get(scalar);
      values.add(Blinding.littleEndian(scalar));
    }
    return values;
  }

  /** Ends the pool's threads; waits so long at most. Returns whether all came to an end. */
  boolean close(long seconds) throws InterruptedException {
    return pool.close(seconds);
  }
}
