package dev.cuzk.engine;

import dev.cuzk.device.DeviceException;
import dev.cuzk.engine.Admission.Need;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Moves partitions from devices on which they cannot run to others. Runs on the dispatcher's
 * thread.
 */
final class Routing {
  private static final long BALANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Dispatcher dispatcher;
  private final Admission admission;
  private long balancedNanos;

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
        if (allowed.test(device) && fits(task, device)) {
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

  /** Whether a device is large enough, whatever else it has. */
  boolean fits(PartitionTask task, DeviceState device) throws DeviceException {
    return admission.canFit(device.need(task.partition));
  }

  /**
   * A partition found no memory on a device: a smaller plan is next, also for those of its key that
   * are queued there, or another device.
   */
  void shrink(PartitionTask task, DeviceState device) {
    PlannedKey failed = task.plannedKey();
    try {
      if (device.degrade(failed)) {
        device
            .executor
            .remove(queued -> queued.plannedKey().equals(failed))
            .forEach(queued -> reroute(queued, null));
      } else {
        task.excluded.add(device.index);
      }
    } catch (DeviceException failure) {
      task.excluded.add(device.index);
    }
  }

  /**
   * Moves what is queued for one device to another that would be done with it sooner: at once when
   * a device has nothing to do, else from time to time.
   */
  void balance(long nanos) {
    List<DeviceState> devices = dispatcher.devices();
    boolean idle = devices.stream().anyMatch(device -> admission.isIdle(device.index));
    if (devices.size() < 2 || (!idle && nanos - balancedNanos < BALANCE_NANOS)) {
      return;
    }
    balancedNanos = nanos;
    devices.forEach(one -> admission.takesAtLeast(one.index, one.executor.runningSecondsPerByte()));
    for (DeviceState from : devices) {
      long ahead = from.executor.runningWork();
      for (PartitionTask task : from.executor.queued()) {
        Need here = task.processing.need();
        for (DeviceState to : devices) {
          if (to != from && movable(task, to, here, ahead)) {
            if (!from.executor.remove(queued -> queued == task).isEmpty()) {
              reroute(task, null);
            }
            return;
          }
        }
        ahead += here.work();
      }
    }
  }

  private boolean movable(PartitionTask task, DeviceState to, Need here, long ahead) {
    if (task.purpose != PartitionTask.Purpose.PROVE || !mayTake(to, task)) {
      return false;
    }
    try {
      Need there = to.need(task.partition);
      return admission.canFit(there) && admission.soonerOn(there, here, ahead);
    } catch (DeviceException failure) {
      return false;
    }
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
