package dev.cuzk.engine;

import dev.cuzk.engine.Admission.Grant;
import dev.cuzk.engine.Admission.Need;
import dev.cuzk.engine.ProofSink.PartitionTimes;
import dev.cuzk.memory.Buffer;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A partition on its way through the engine. At any time one stage holds it and alone reads and
 * writes its fields; handing it on is what publishes them.
 */
final class PartitionTask implements Admission.Request {
  /** Why it is being proved. */
  enum Purpose {
    /** To be published. */
    PROVE,
    /** Once more with the same r and s, to tell a wrong witness from a faulty device. */
    DIAGNOSE,
    /** With fresh r and s, after a device proved it wrongly; to be published. */
    REPAIR
  }

  final JobState job;
  final Partition partition;
  private final Order order;
  private List<Need> needs;

  /** What it holds of host and page-locked memory; the dispatcher's. */
  Grant memory;

  /** What it holds of a device; the dispatcher's. */
  Grant processing;

  Buffer witness;

  /** Whether {@link #witness} holds the packed form. */
  boolean packed;

  WitnessPool witnessOwner;
  List<BigInteger> publicInputs;
  byte[] r;
  byte[] s;
  byte[] points;
  boolean verified;

  Purpose purpose = Purpose.PROVE;
  int attempts;
  int repairs;

  /** Device of the last attempt; −1 before the first. */
  int device = -1;

  /** Device whose wrong proof is being diagnosed, and that proof. */
  int diagnosedDevice;

  byte[] diagnosedPoints;

  /** A device that gave a wrong proof, and that proof. */
  record Suspect(int device, byte[] points) {}

  /** One entry a wrong proof, until it is known who is to blame. */
  final List<Suspect> suspects = new ArrayList<>();

  /** Devices on which it cannot run, because they ran out of memory or are lost … */
  final Set<Integer> excluded = new LinkedHashSet<>();

  /** … and the last reason; null if there is none. */
  Throwable excludedBecause;

  long shortSinceNanos;
  EngineStage shortOf;
  long admittedNanos;
  long readyNanos;
  long provedNanos;

  /** How long the device that proved it was held up on handing it over. */
  long lockWaitNanos;

  double queuedSeconds;
  double synthesisSeconds;
  double proveSeconds;
  double verifySeconds;

  /** Whether it counts among those that may still reach the finalizer. */
  final AtomicBoolean upstream = new AtomicBoolean();

  PartitionTask(JobState job, Partition partition, Order order, List<Need> needs) {
    this.job = job;
    this.partition = partition;
    this.order = order;
    this.needs = needs;
  }

  @Override
  public Order order() {
    return order;
  }

  @Override
  public List<Need> needs() {
    return needs;
  }

  void needs(List<Need> changed) {
    needs = changed;
  }

  @Override
  public boolean holdsMemory() {
    return memory != null;
  }

  /** Its key as the device has it that it was admitted to. */
  PlannedKey plannedKey() {
    return processing.need().key();
  }

  String jobName() {
    return job.job.name();
  }

  PartitionTimes times() {
    return new PartitionTimes(
        device, attempts, queuedSeconds, synthesisSeconds, proveSeconds, verifySeconds);
  }

  /** The failure of its job that this means. */
  JobFailure failure(Throwable cause) {
    if (cause instanceof JobFailure known) {
      return known;
    }
    FailureClass failureClass = FailureClass.of(cause);
    String message = cause.getMessage();
    if (message == null || failureClass == FailureClass.INTERNAL) {
      message = this + ": " + cause;
    }
    return new JobFailure(failureClass, message, cause);
  }

  /** Gives back the assignment's memory and forgets the blinding scalars. */
  void giveBuffer() {
    witnessOwner.give(witness);
    witness = null;
    r = null;
    s = null;
  }

  @Override
  public String toString() {
    return "job " + jobName() + ", partition " + partition.index();
  }
}
