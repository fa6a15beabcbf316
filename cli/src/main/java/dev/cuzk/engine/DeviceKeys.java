package dev.cuzk.engine;

import dev.cuzk.device.Backend;
import dev.cuzk.device.Backend.LoadedKey;
import dev.cuzk.device.DeviceException;
import dev.cuzk.device.Plan;
import dev.cuzk.format.InputException;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.report.Timeline;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The keys on one device. Of its executor's thread alone, but for {@link #open}. */
final class DeviceKeys {
  private final int index;
  private final Backend backend;
  private final Scheduler scheduler;
  private final Timeline timeline;
  private final DeviceExecutor.Listener listener;
  private final Map<PlannedKey, LoadedKey> keys = new HashMap<>();
  private final Map<ProvingKey, InputException> badKeys = new HashMap<>();
  private volatile int open;

  DeviceKeys(
      int index,
      Backend backend,
      Scheduler scheduler,
      Timeline timeline,
      DeviceExecutor.Listener listener) {
    this.index = index;
    this.backend = backend;
    this.scheduler = scheduler;
    this.timeline = timeline;
    this.listener = listener;
  }

  /** How many there are. */
  int open() {
    return open;
  }

  /** A key, loaded now if it was not, on account of a partition that wants it. */
  LoadedKey loaded(PlannedKey planned, PartitionTask task) throws DeviceException, InputException {
    LoadedKey present = keys.get(planned);
    if (present != null) {
      return present;
    }
    ProvingKey source = planned.key();
    InputException known = badKeys.get(source);
    if (known != null) {
      throw known;
    }
    MeteredLock.slow("loading a key");
    long start = scheduler.nanoTime();
    LoadedKey key;
    try {
      key = load(source, planned.plan());
    } catch (InputException bad) {
      badKeys.put(source, bad);
      throw bad;
    }
    keys.put(planned, key);
    open = keys.size();
    long end = scheduler.nanoTime();
    String stage = EngineStage.KEY_LOAD.stableName();
    timeline.stage(stage, task.jobName(), task.partition.index(), index, start, end);
    listener.keyLoaded(source, index, (end - start) / 1e9);
    return key;
  }

  /** On a CPU the threads that load are those of the proof that wants the key. */
  private LoadedKey load(ProvingKey source, Plan plan) throws DeviceException, InputException {
    if (backend.description().isCpu()) {
      return backend.load(source, plan);
    }
    listener.copying(index, true);
    try {
      return backend.load(source, plan);
    } finally {
      listener.copying(index, false);
    }
  }

  void close(PlannedKey key) {
    LoadedKey loaded = keys.remove(key);
    open = keys.size();
    if (loaded != null) {
      MeteredLock.slow("freeing a key");
      loaded.close();
    }
  }

  /** Closes all but one, or all where that is null. */
  void closeAllBut(PlannedKey needed) {
    List.copyOf(keys.keySet()).stream().filter(key -> !key.equals(needed)).forEach(this::close);
  }
}
