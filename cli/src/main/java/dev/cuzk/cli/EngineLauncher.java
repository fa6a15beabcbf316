package dev.cuzk.cli;

import dev.cuzk.batch.EngineFactory;
import dev.cuzk.batch.UsageException;
import dev.cuzk.device.Backend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.device.DeviceSelection;
import dev.cuzk.device.Nvml;
import dev.cuzk.engine.Engine;
import dev.cuzk.engine.EngineOptions;
import dev.cuzk.engine.FailureClass;
import dev.cuzk.engine.JobFailure;
import dev.cuzk.engine.PairingProofChecker;
import dev.cuzk.engine.ProofSink;
import dev.cuzk.engine.simulation.FaultInjectingBackend;
import dev.cuzk.engine.simulation.FaultRule;
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
  private final List<FaultRule> faults;
  private int largestDomainLog2 = -1;
  private final Console console;
  private final PairingProofChecker checker = new PairingProofChecker();
  private List<DeviceFacts> facts = List.of();
  private DeviceSelection selection;

  /**
   * For one run.
   *
   * @param faults to be injected; the CPU that repeats is the device after the last
   */
  EngineLauncher(
      DeviceOptions devices,
      EngineOptions options,
      HostLimits limits,
      List<FaultRule> faults,
      Console console) {
    this.devices = devices;
    this.options = options;
    this.limits = limits;
    this.faults = faults;
    this.console = console;
  }

  @Override
  public Engine create(ProofSink sink, Timeline timeline) throws Exception {
    try {
      selection = Backends.select(devices, largestDomainLog2);
    } catch (CommandFailure e) {
      throw new UsageException(e.getMessage());
    }
    if (!selection.notice().isEmpty()) {
      console.note("cuzk: " + selection.notice());
    }
    List<Backend> backends = new ArrayList<>();
    for (Backend opened : Backends.open(selection, devices, limits)) {
      backends.add(faulty(opened, backends.size()));
    }
    facts = describe(backends);
    Backend.Opener repeat =
        selection.isCpu() || devices.noCpuRepeat
            ? null
            : () -> faulty(Backends.openCpu(devices, limits), backends.size());
    return new Engine(options, backends, repeat, checker, sink, timeline);
  }

  @Override
  public void expect(ProvingKey key, long proofs) {
    options.expectedProofs().add(key, proofs);
    largestDomainLog2 = Math.max(largestDomainLog2, key.domainLog2());
  }

  @Override
  public void requireProvable(ProvingKey key) throws JobFailure {
    try {
      selection.requireDomain(key.domainLog2());
    } catch (DeviceException e) {
      throw new JobFailure(FailureClass.of(e), key.path() + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void prepare(VerifyingKey key) {
    // Before the engine counts threads, beside the one that reads inputs.
    if (options.selfVerify() && options.threads() > 1) {
      checker.prepare(key);
    }
  }

  private Backend faulty(Backend opened, int device) {
    List<FaultRule> ours = faults.stream().filter(rule -> rule.device() == device).toList();
    return ours.isEmpty()
        ? opened
        : new FaultInjectingBackend(opened, FaultInjectingBackend.Schedule.of(ours));
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
