package dev.cuzk.engine;

import dev.cuzk.device.Backend;
import dev.cuzk.engine.simulation.FakeBackend;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.proof.Proof;
import dev.cuzk.proof.VerifyingKey;
import dev.cuzk.report.Timeline;
import dev.cuzk.synthesis.Synthesizer;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** An engine over fake devices with a sink that checks what the engine promises it. */
final class EngineFixture {
  static final long MIB = 1L << 20;

  final Map<String, ProofSink.JobOutcome> outcomes = new LinkedHashMap<>();
  final List<ProofSink.ProvedPartition> accepted = Collections.synchronizedList(new ArrayList<>());
  final List<ProofSink.Evidence> evidence = Collections.synchronizedList(new ArrayList<>());
  final List<String> notices = Collections.synchronizedList(new ArrayList<>());
  final Map<String, Integer> stages = new ConcurrentHashMap<>();
  final List<String> synthesisOrder = Collections.synchronizedList(new ArrayList<>());
  private final List<String> violations = Collections.synchronizedList(new ArrayList<>());
  private final Scheduler scheduler;

  /**
   * Milliseconds that a partition's synthesis, its verification and the writing of a group take.
   */
  double synthesisMs;

  double verifyMs;
  double writeMs;
  Timeline listener = Timeline.NONE;
  volatile JobFailure refusal;

  EngineFixture() {
    this(Scheduler.SYSTEM);
  }

  EngineFixture(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  private void pass(double milliseconds) {
    try {
      if (milliseconds > 0) {
        scheduler.sleep((long) (milliseconds * 1e6));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  final ProofSink sink =
      new ProofSink() {
        private int inside;

        @Override
        public void accept(List<ProvedPartition> group) throws JobFailure {
          if (++inside != 1) {
            violations.add("two calls of the sink at once");
          }
          if (group.isEmpty() || group.size() > 64) {
            violations.add("a group of " + group.size());
          }
          pass(writeMs);
          if (refusal != null) {
            inside--;
            throw refusal;
          }
          accepted.addAll(group);
          group.stream()
              .filter(one -> outcomes.containsKey(one.job().name()))
              .forEach(one -> violations.add("accepted after its end: " + one.job().name()));
          inside--;
        }

        @Override
        public void faulty(Evidence kept) {
          evidence.add(kept);
        }

        @Override
        public void finished(JobOutcome outcome) {
          if (outcomes.put(outcome.job().name(), outcome) != null) {
            violations.add("ended twice: " + outcome.job().name());
          }
        }
      };

  private final Timeline timeline =
      new Timeline() {
        @Override
        public void event(Event event, String job, int partition, int device, long nanos) {
          stages.merge(event.name(), 1, Integer::sum);
          listener.event(event, job, partition, device, nanos);
        }

        @Override
        public void stage(
            String stage, String job, int partition, int device, long start, long end) {
          stages.merge(stage, 1, Integer::sum);
          listener.stage(stage, job, partition, device, start, end);
          if (end < start) {
            violations.add(stage + " ends before it starts");
          }
        }

        @Override
        public void computing(int device, long start, long end) {
          listener.computing(device, start, end);
        }

        @Override
        public void uploaded(
            String job, int partition, int device, long bytes, long start, long end) {
          listener.uploaded(job, partition, device, bytes, start, end);
        }
      };

  /** What {@link FakeBackend} stands for: A's x is the sum of the public inputs. */
  boolean[] check(VerifyingKey key, List<Proof> proofs, List<List<BigInteger>> publicInputs) {
    pass(verifyMs);
    boolean[] valid = new boolean[proofs.size()];
    for (int i = 0; i < valid.length; i++) {
      BigInteger sum = publicInputs.get(i).stream().reduce(BigInteger.ZERO, BigInteger::add);
      valid[i] = proofs.get(i).a().get(0).equals(sum);
    }
    return valid;
  }

  EngineOptions.Builder options() {
    return EngineOptions.builder(1024 * MIB, 256 * MIB)
        .synthesisThreads(2)
        .verifyThreads(2)
        .scheduler(scheduler)
        .notices(notices::add);
  }

  Engine engine(EngineOptions.Builder options, List<? extends Backend> backends) {
    return engine(options, backends, null);
  }

  Engine engine(
      EngineOptions.Builder options, List<? extends Backend> backends, Backend.Opener repeat) {
    return new Engine(options.build(), backends, repeat, this::check, sink, timeline);
  }

  Synthesizer synthesizer(ProvingKey key, String name, boolean right) {
    return new FakeSynthesizer(
        key,
        1 << 10,
        target -> {
          synthesisOrder.add(name);
          pass(synthesisMs);
          if (target.view(0, 32).getLong(0) != 0) {
            violations.add("a buffer that was not zeroed");
          }
          target.view(0, 32).put(0, (byte) 1);
          target.view(32, 32).put(0, (byte) 3);
          target.view(64, 32).put(0, (byte) 4);
          target.view(target.byteSize() - 32, 32).put(0, (byte) (right ? 7 : 8));
        });
  }

  Job job(long sequence, int priority, ProvingKey key, int partitions) {
    return job(sequence, priority, key, partitions, true);
  }

  Job job(long sequence, int priority, ProvingKey key, int partitions, boolean right) {
    String name = "job" + sequence;
    List<Partition> parts = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      parts.add(new Partition(i, key, synthesizer(key, name + "/" + i, right)));
    }
    return new Job(sequence, name, "circom", priority, null, parts, null);
  }

  static Job with(Job job, Synthesizer synthesizer) {
    Partition first = job.partitions().get(0);
    return new Job(
        job.sequence(),
        job.name(),
        job.kind(),
        job.priority(),
        job.timeout(),
        List.of(new Partition(0, first.key(), synthesizer)),
        null);
  }

  /** What went against the engine's promises; empty if nothing did. */
  List<String> violations(Engine engine) {
    List<String> all = new ArrayList<>(violations);
    Engine.Leaks leaks = engine.leaks();
    if (!leaks.equals(new Engine.Leaks(0, 0, 0, 0))) {
      all.add(leaks.toString());
    }
    long distinct =
        accepted.stream().map(one -> one.job().name() + "/" + one.partition()).distinct().count();
    if (distinct != accepted.size()) {
      all.add("a partition was accepted twice");
    }
    return all;
  }

  FailureClass failureOf(String job) {
    return outcomes.get(job).failure().failureClass();
  }
}
