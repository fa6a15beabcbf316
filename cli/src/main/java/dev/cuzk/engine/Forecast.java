package dev.cuzk.engine;

import dev.cuzk.device.DeviceException;
import dev.cuzk.device.Plan;
import dev.cuzk.device.Planner;
import dev.cuzk.engine.Admission.Need;
import dev.cuzk.key.ProvingKey;
import java.util.ArrayList;
import java.util.List;

/**
 * What partitions take on devices, under which plan, and why some never could be proved on them:
 * the engine's own rules, without a device.
 */
public final class Forecast {
  /** The plans of a device, as {@link dev.cuzk.device.Backend#choosePlan} knows them. */
  @FunctionalInterface
  public interface Chooser {
    Planner.Choice choose(ProvingKey key, long memory, Plan wish) throws DeviceException;
  }

  /**
   * A device.
   *
   * @param cpu its memory is the host's
   * @param budgetBytes what a run may use of its memory; ignored for the CPU
   */
  public record Device(boolean cpu, long budgetBytes, Chooser chooser) {}

  /**
   * What a partition takes on a device, in bytes.
   *
   * @param hostBytes of a partition, page-locked memory included, and of its key while it is
   *     loaded; on the CPU without key and proof
   * @param proofBytes while {@code together} proofs run
   * @param refusal why it can never run there, with the numbers; empty if it can
   */
  public record Entry(
      int device,
      Plan plan,
      long hostBytes,
      long pinnedBytes,
      long keyBytes,
      long proofBytes,
      int together,
      String refusal) {
    public boolean fits() {
      return refusal.isEmpty();
    }
  }

  private final List<Device> devices;
  private final Admission admission;
  private final EngineOptions options;

  /** For a run with these options on these devices. */
  public Forecast(EngineOptions options, List<Device> devices) {
    this.devices = List.copyOf(devices);
    this.options = options;
    this.admission =
        new Admission(
            options.hostMemoryBudget(),
            options.pinnedMemoryBudget(),
            devices.stream()
                .map(device -> new Admission.DeviceBudget(device.cpu, device.budgetBytes))
                .toList(),
            0,
            1);
  }

  /** What is left of a device's free memory after the margin that a run keeps by default. */
  public static long budget(long freeBytes) {
    return DeviceState.lessMargin(freeBytes);
  }

  /** What a partition takes on each device. */
  public List<Entry> of(Partition partition) throws DeviceException {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < devices.size(); i++) {
      Device device = devices.get(i);
      Admission.DeviceBudget budget = new Admission.DeviceBudget(device.cpu, device.budgetBytes);
      Planner.Choice choice = DeviceState.choose(device.chooser, partition.key(), budget, options);
      Need need = DeviceState.need(i, budget, choice, partition);
      entries.add(
          new Entry(
              i,
              choice.plan(),
              need.host() + need.keyHost(),
              need.pinned(),
              need.keyBytes(),
              need.arena(),
              need.batch(),
              admission.neverFits(List.of(need)).orElse("")));
    }
    return entries;
  }
}
