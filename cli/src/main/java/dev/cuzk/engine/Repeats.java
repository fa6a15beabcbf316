package dev.cuzk.engine;

import dev.cuzk.device.Backend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.engine.PartitionTask.Purpose;
import dev.cuzk.engine.PartitionTask.Suspect;
import dev.cuzk.engine.ProofSink.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What a proof that does not verify means, and what is done about it.
 *
 * <ol>
 *   <li>It is proved once more with the same r and s on another device, or the CPU. A proof is a
 *       function of key, witness, r and s: the same three points mean that the arithmetic is right
 *       and the witness wrong. The job fails, no device is blamed.
 *   <li>Different points mean that a device is faulty. The partition is proved with fresh r and s
 *       where the repetition went well, verified and published; proofs made for diagnosis are not.
 *   <li>Only once a proof of the partition has verified is the witness known to be good, and only
 *       then are the devices blamed whose proofs of it were wrong. At its second fault a device
 *       gets no more work.
 * </ol>
 *
 * <p>Runs on the dispatcher's thread.
 */
final class Repeats {
  private final Dispatcher dispatcher;
  private final Routing routing;
  private final EngineOptions options;
  private final Backend.Opener opener;
  private DeviceState repeatCpu;
  private boolean opening;
  private boolean unavailable;
  private final List<PartitionTask> waiting = new ArrayList<>();

  Repeats(Dispatcher dispatcher, Routing routing, EngineOptions options, Backend.Opener opener) {
    this.dispatcher = dispatcher;
    this.routing = routing;
    this.options = options;
    this.opener = opener;
    this.unavailable = opener == null || !options.cpuRepeat();
  }

  boolean opening() {
    return opening;
  }

  /** A proof that was to be published does not verify. */
  void invalid(PartitionTask task) {
    task.diagnosedDevice = task.device;
    task.diagnosedPoints = task.points;
    task.purpose = Purpose.DIAGNOSE;
    send(task, task.device);
  }

  /** The repetition has come. */
  void diagnosed(PartitionTask task, boolean samePoints, boolean valid) {
    if (samePoints) {
      finish(
          task,
          FailureClass.UNSATISFIED,
          task
              + ": the witness does not satisfy the circuit (two computations with the same"
              + " randomness gave the same invalid proof). Check the input with --r1cs.");
      return;
    }
    task.suspects.add(new Suspect(task.diagnosedDevice, task.diagnosedPoints));
    if (valid) {
      blame(task.suspects, task);
      task.suspects.clear();
    } else {
      task.suspects.add(new Suspect(task.device, task.points));
    }
    if (task.repairs > 0) {
      finish(
          task,
          FailureClass.WRONG_PROOF,
          task
              + ": devices gave different wrong proofs again and again. Suspect hardware: test the"
              + " memory, lower the clocks, or run elsewhere.");
      return;
    }
    task.repairs++;
    task.purpose = Purpose.REPAIR;
    dispatcher.synthesis().drawBlinding(task);
    if (valid) {
      int good = task.device;
      routing.waitFor(task, device -> device.usable() && device.index == good);
    } else {
      send(task, task.diagnosedDevice);
    }
  }

  private void finish(PartitionTask task, FailureClass failureClass, String message) {
    dispatcher.fail(task.job, new JobFailure(failureClass, message));
    dispatcher.retire(task);
  }

  /** To another device than this one; to the CPU; and if there is neither, to the same again. */
  private void send(PartitionTask task, int notThis) {
    Predicate<DeviceState> another =
        device -> device.usable() && device.index != notThis && mayRun(task, device);
    if (dispatcher.devices().stream().anyMatch(another)) {
      routing.waitFor(task, another);
    } else if (canOpen(notThis)) {
      waiting.add(task);
      open();
    } else {
      routing.reroute(task, null);
    }
  }

  private boolean mayRun(PartitionTask task, DeviceState device) {
    try {
      return !task.excluded.contains(device.index) && routing.fits(task, device);
    } catch (DeviceException failure) {
      return false;
    }
  }

  /** A CPU run has no use for a second CPU: the one it has repeats. */
  private boolean canOpen(int notThis) {
    return !unavailable && repeatCpu == null && !dispatcher.devices().get(notThis).cpu;
  }

  private void open() {
    if (opening) {
      return;
    }
    opening = true;
    options.notices().accept("a proof does not verify: the CPU proves it once more");
    dispatcher
        .synthesis()
        .execute(
            () -> {
              try {
                Backend backend = opener.open();
                dispatcher.post(() -> opened(backend, null));
              } catch (DeviceException | RuntimeException | LinkageError failure) {
                dispatcher.post(() -> opened(null, failure));
              }
            });
  }

  private void opened(Backend backend, Throwable failure) {
    opening = false;
    if (backend == null) {
      unavailable = true;
      options.notices().accept("the CPU cannot repeat proofs: " + failure.getMessage());
    } else {
      repeatCpu = dispatcher.addRepeatDevice(backend);
    }
    List<PartitionTask> tasks = List.copyOf(waiting);
    waiting.clear();
    tasks.forEach(task -> send(task, task.diagnosedDevice));
  }

  /** The witness is good: these devices proved it wrongly. */
  void blame(List<Suspect> suspects, PartitionTask task) {
    for (Suspect suspect : suspects) {
      DeviceState device = dispatcher.devices().get(suspect.device());
      device.faults++;
      dispatcher.keep(evidence(suspect, device, task));
      options
          .notices()
          .accept(
              device.label()
                  + " gave a wrong proof of "
                  + task
                  + " (fault "
                  + device.faults
                  + "); it is proved again. Suspect hardware.");
      if (device.faults >= DeviceState.MAX_FAULTS && device.usable()) {
        device.health = DeviceState.Health.QUARANTINED;
        options.notices().accept(device.label() + " gets no more work in this run");
        routing.withdraw(
            device,
            new JobFailure(
                FailureClass.DEVICE,
                device.label() + " gave " + device.faults + " wrong proofs and is not used"),
            List.of());
      }
    }
  }

  private static Evidence evidence(Suspect suspect, DeviceState device, PartitionTask task) {
    Backend.DeviceDescription description = device.executor.backend().description();
    return new Evidence(
        task.job.job,
        task.partition.index(),
        device.index,
        description.name(),
        description.uuid(),
        device.faults,
        suspect.points(),
        task.publicInputs);
  }

  /** Why a partition that waits will never run. */
  JobFailure hopeless(PartitionTask task) {
    if (task.excludedBecause != null) {
      FailureClass cause = FailureClass.of(task.excludedBecause);
      return new JobFailure(
          cause,
          task + ": " + task.excludedBecause.getMessage() + "; no other device is left",
          task.excludedBecause);
    }
    if (task.repairs > 0) {
      return new JobFailure(
          FailureClass.WRONG_PROOF,
          task + ": devices gave wrong proofs and no other is left to repair it");
    }
    if (task.memory == null || task.needs().isEmpty()) {
      return new JobFailure(FailureClass.DEVICE, task + ": no usable device is left");
    }
    return new JobFailure(
        FailureClass.MEMORY,
        task
            + ": not enough memory to prove it once more, and nothing else runs that could free"
            + " any");
  }
}
