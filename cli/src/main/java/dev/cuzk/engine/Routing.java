package dev.cuzk.engine;

import dev.cuzk.device.DeviceException;
import dev.cuzk.engine.Admission.Need;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Moves partitions from devices on which they cannot run to others. Runs on the dispatcher's
 * thread.
 */
final class Routing {
  private final Dispatcher dispatcher;
  private final Admission admission;

  Routing(Dispatcher dispatcher, Admission admission) {
    this.dispatcher = dispatcher;
    this.admission = admission;
  }

  /**
   * A lost device gives no memory for an assignment: another one does, and the partition moves on
   * when it finds its own device closed.
   */
  void borrowBuffer(PartitionTask task, Throwable failure) {
    task.excluded.add(task.processing.need().device());
    for (DeviceState device : dispatcher.devices()) {
      if (!task.job.ended() && mayTake(device, task)) {
        task.witnessOwner = device.executor.pool();
        dispatcher.synthesis().submit(task);
        return;
      }
    }
    dispatcher.fail(task.job, task.failure(failure));
    dispatcher.retire(task);
  }

  /** Sends a partition, which keeps its assignment, to one of the devices left to it. */
  void reroute(PartitionTask task, Throwable cause) {
    if (cause != null) {
      task.excludedBecause = cause;
    }
    waitFor(task, device -> mayTake(device, task));
  }

  /** Lets a partition, which keeps its assignment, wait for one of these devices. */
  void waitFor(PartitionTask task, Predicate<DeviceState> allowed) {
    admission.releaseDevice(task.processing);
    if (task.job.ended()) {
      dispatcher.retire(task);
      return;
    }
    List<Need> needs = new ArrayList<>();
    try {
      for (DeviceState device : dispatcher.devices()) {
        if (allowed.test(device)) {
          needs.add(device.need(task.partition));
        }
      }
    } catch (DeviceException failure) {
      dispatcher.failed(task, failure);
      return;
    }
    task.needs(needs);
    admission.offer(task);
  }

  /** A device gets no more work; what it had goes elsewhere. */
  void withdraw(DeviceState device, Throwable cause, List<PartitionTask> inHand) {
    admission.disable(device.index);
    List<PartitionTask> orphans = new ArrayList<>(inHand);
    orphans.addAll(device.executor.refuse());
    orphans.forEach(task -> reroute(task, cause));
  }

  private static boolean mayTake(DeviceState device, PartitionTask task) {
    boolean repeated = task.purpose != PartitionTask.Purpose.PROVE;
    return device.usable()
        && (repeated || !device.repeatOnly)
        && !task.excluded.contains(device.index);
  }
}
