package dev.cuzk.cli;

import dev.cuzk.batch.EngineFactory;
import dev.cuzk.batch.UsageException;
import dev.cuzk.device.Backend;
import dev.cuzk.device.DeviceSelection;
import dev.cuzk.device.Nvml;
import dev.cuzk.engine.Engine;
import dev.cuzk.engine.EngineOptions;
import dev.cuzk.engine.PairingProofChecker;
import dev.cuzk.engine.ProofSink;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.proof.VerifyingKey;
import dev.cuzk.report.DeviceFacts;
import dev.cuzk.report.EngineFigures.DeviceLoad;
import dev.cuzk.report.Timeline;
import java.util.ArrayList;
import java.util.List;

/** Opens the chosen devices and starts the engine on them, once the inputs have been checked. */
final class EngineLauncher implements EngineFactory {
  private final DeviceOptions devices;
  private final EngineOptions options;
  private final HostLimits limits;
  private int largestDomainLog2 = -1;
  private final Console console;
  private final PairingProofChecker checker = new PairingProofChecker();
  private List<DeviceFacts> facts = List.of();

  /** For one run. */
  EngineLauncher(DeviceOptions devices, EngineOptions options, HostLimits limits, Console console) {
    this.devices = devices;
    this.options = options;
    this.limits = limits;
    this.console = console;
  }

  @Override
  public Engine create(ProofSink sink, Timeline timeline) throws Exception {
    DeviceSelection selection;
    try {
      selection = Backends.select(devices, largestDomainLog2);
    } catch (CommandFailure e) {
      throw new UsageException(e.getMessage());
    }
    if (!selection.notice().isEmpty()) {
      console.note("cuzk: " + selection.notice());
    }
    List<Backend> backends = Backends.open(selection, devices, limits);
    facts = describe(backends);
    Backend.Opener repeat =
        selection.isCpu() || devices.noCpuRepeat ? null : () -> Backends.openCpu(devices, limits);
    return new Engine(options, backends, repeat, checker, sink, timeline);
  }

  @Override
  public void expect(ProvingKey key) {
    largestDomainLog2 = Math.max(largestDomainLog2, key.domainLog2());
  }

  @Override
  public void prepare(VerifyingKey key) {
    if (options.selfVerify()) {
      checker.prepare(key);
    }
  }

  private static List<DeviceFacts> describe(List<Backend> backends) {
    List<DeviceFacts> facts = new ArrayList<>();
    for (Backend backend : backends) {
      Backend.DeviceDescription device = backend.description();
      facts.add(
          new DeviceFacts(
              facts.size(), device.uuid(), device.name(), device.pciId(), device.memoryTotal()));
    }
    return List.copyOf(facts);
  }

  @Override
  public List<DeviceLoad> loads() {
    return facts.stream()
        .map(device -> device.uuid().isEmpty() ? DeviceLoad.UNKNOWN : load(device.uuid()))
        .toList();
  }

  private static DeviceLoad load(String uuid) {
    return Nvml.load(uuid)
        .map(
            load ->
                new DeviceLoad(
                    load.memoryTotal() - load.memoryFree(), load.utilisationPercent() / 100.0))
        .orElse(DeviceLoad.UNKNOWN);
  }

  @Override
  public List<DeviceFacts> devices() {
    return facts;
  }
}
