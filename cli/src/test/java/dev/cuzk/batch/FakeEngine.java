package dev.cuzk.batch;

import dev.cuzk.engine.EngineSnapshot;
import dev.cuzk.engine.EngineSummary;
import dev.cuzk.engine.FailureClass;
import dev.cuzk.engine.Job;
import dev.cuzk.engine.JobFailure;
import dev.cuzk.engine.Partition;
import dev.cuzk.engine.ProofSink;
import dev.cuzk.format.Sha256;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.memory.PlainBuffer;
import dev.cuzk.proof.Proof;
import dev.cuzk.report.DeviceFacts;
import dev.cuzk.report.EngineFigures.DeviceLoad;
import dev.cuzk.report.JobReport;
import dev.cuzk.report.StageNames;
import dev.cuzk.report.Timeline;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * An engine that proves on the submitting thread: its proofs are not valid, but depend on witness
 * and key alone, so that files can be compared. Accepts in groups of a chosen size.
 */
final class FakeEngine implements BatchRunner.Starter, RunningEngine {
  private static final int MAXIMUM_GROUP = 64;

  final List<String> proved = new ArrayList<>();
  private final int groupSize;
  private final List<ProofSink.ProvedPartition> group = new ArrayList<>();
  private ProofSink sink;
  private Timeline timeline;
  private boolean stopped;
  int starts;
  boolean verified = true;
  Consumer<Job> onSubmit = job -> {};
  int largestDomainLog2 = Integer.MAX_VALUE;
  final List<Integer> expectedDomains = new ArrayList<>();
  long expectedProofs;

  FakeEngine() {
    this(1);
  }

  FakeEngine(int groupSize) {
    this.groupSize = Math.min(groupSize, MAXIMUM_GROUP);
  }

  @Override
  public RunningEngine start(ProofSink newSink, Timeline newTimeline) {
    starts++;
    sink = newSink;
    timeline = newTimeline;
    return this;
  }

  @Override
  public void expect(ProvingKey key, long proofs) {
    expectedProofs += proofs;
    expectedDomains.add(key.domainLog2());
  }

  @Override
  public void requireProvable(ProvingKey key) throws JobFailure {
    if (key.domainLog2() > largestDomainLog2) {
      throw new JobFailure(FailureClass.DEVICE, "too large");
    }
  }

  @Override
  public List<DeviceLoad> loads() {
    return List.of(new DeviceLoad(7, 0.5));
  }

  @Override
  public List<DeviceFacts> devices() {
    return List.of(new DeviceFacts(0, "", "fake", "", 1 << 30));
  }

  @Override
  public void submit(Job job) {
    onSubmit.accept(job);
    if (stopped) {
      sink.finished(
          new ProofSink.JobOutcome(job, ProofSink.Status.DROPPED, null, JobReport.Times.ZERO));
      return;
    }
    try {
      for (Partition partition : job.partitions()) {
        group.add(prove(job, partition));
      }
      if (group.size() >= groupSize) {
        flush();
      }
    } catch (Exception e) {
      fail(
          job,
          e instanceof JobFailure failure
              ? failure
              : new JobFailure(FailureClass.of(e), e.getMessage(), e));
    }
  }

  private ProofSink.ProvedPartition prove(Job job, Partition partition) throws Exception {
    long start = System.nanoTime();
    byte[] witness;
    try (PlainBuffer buffer = PlainBuffer.allocate(partition.key().variables() * 32)) {
      partition.synthesizer().synthesize(buffer);
      witness = new byte[(int) buffer.byteSize()];
      buffer.view(0, witness.length).get(witness);
    }
    long middle = System.nanoTime();
    timeline.stage(StageNames.SYNTHESIS, job.name(), partition.index(), 0, start, middle);
    timeline.event(Timeline.Event.GPU_START, job.name(), partition.index(), 0, middle);
    MessageDigest digest = Sha256.create();
    digest.update(witness);
    BigInteger seed = new BigInteger(1, digest.digest());
    List<BigInteger> coordinates = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      coordinates.add(seed.add(BigInteger.valueOf(i)).mod(partition.key().curve().baseModulus()));
    }
    List<BigInteger> publicInputs = new ArrayList<>();
    ByteBuffer values = ByteBuffer.wrap(witness);
    for (int i = 1; i <= partition.key().publicInputs(); i++) {
      byte[] bigEndian = new byte[32];
      for (int j = 0; j < 32; j++) {
        bigEndian[31 - j] = values.get(32 * i + j);
      }
      publicInputs.add(new BigInteger(1, bigEndian));
    }
    long end = System.nanoTime();
    timeline.event(Timeline.Event.GPU_END, job.name(), partition.index(), 0, end);
    timeline.stage(StageNames.PROVE, job.name(), partition.index(), 0, middle, end);
    proved.add(job.name());
    return new ProofSink.ProvedPartition(
        job,
        partition.index(),
        new Proof(
            partition.key().curve(),
            coordinates.subList(0, 2),
            coordinates.subList(2, 6),
            coordinates.subList(6, 8)),
        publicInputs,
        verified,
        new ProofSink.PartitionTimes(0, 1, 0, (middle - start) / 1e9, (end - middle) / 1e9, 0));
  }

  private void flush() {
    if (group.isEmpty()) {
      return;
    }
    List<ProofSink.ProvedPartition> accepted = List.copyOf(group);
    group.clear();
    try {
      sink.accept(accepted);
    } catch (JobFailure e) {
      accepted.forEach(partition -> fail(partition.job(), e));
      return;
    }
    for (ProofSink.ProvedPartition partition : accepted) {
      sink.finished(
          new ProofSink.JobOutcome(
              partition.job(),
              ProofSink.Status.PROVED,
              null,
              new JobReport.Times(0, 0.001, 0.002, 0.003, 0.004, 0.01)));
    }
  }

  private void fail(Job job, JobFailure failure) {
    sink.finished(
        new ProofSink.JobOutcome(job, ProofSink.Status.FAILED, failure, JobReport.Times.ZERO));
  }

  @Override
  public EngineSnapshot.Reserved reserved() {
    return new EngineSnapshot.Reserved(3, 2, List.of(1L));
  }

  @Override
  public EngineSnapshot snapshot() {
    return new EngineSnapshot(0, 0, 0, 0, 0, 0, 0, stopped, List.of());
  }

  @Override
  public void stop(Duration grace, String reason) {
    stopped = true;
  }

  @Override
  public EngineSummary finishAndClose() {
    flush();
    return new EngineSummary(0, 0, 0, 0, "", false, 0, List.of(), List.of(), List.of());
  }
}
