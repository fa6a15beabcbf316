package dev.cuzk.engine;

import dev.cuzk.report.StageNames;

/** The stages outside a device, under the names that timelines and reports use. */
enum EngineStage {
  /** Submitted, and neither admitted nor known to be short of memory. */
  QUEUED(StageNames.QUEUED),
  IN_FLIGHT_WAIT(StageNames.IN_FLIGHT_WAIT),
  HOST_MEMORY_WAIT(StageNames.HOST_MEMORY_WAIT),
  PINNED_MEMORY_WAIT(StageNames.PINNED_MEMORY_WAIT),
  DEVICE_MEMORY_WAIT(StageNames.DEVICE_MEMORY_WAIT),
  /** Admitted; no synthesis thread is free. */
  SYNTHESIS_WAIT(StageNames.SYNTHESIS_WAIT),
  SYNTHESIS(StageNames.SYNTHESIS),
  /** The assignment is ready; the device is busy. */
  DEVICE_WAIT(StageNames.DEVICE_WAIT),
  LOCK_WAIT(StageNames.LOCK_WAIT),
  KEY_LOAD(StageNames.KEY_LOAD),
  /** The host hands the work to the device. */
  LAUNCH(StageNames.LAUNCH),
  PROVE(StageNames.PROVE),
  /** Proved; no verifying thread is free, or a group is being collected. */
  VERIFY_WAIT(StageNames.VERIFY_WAIT),
  VERIFY(StageNames.VERIFY),
  /** The proofs of a group are put into the form in which they are written. */
  ASSEMBLE(StageNames.ASSEMBLE),
  WRITE(StageNames.WRITE);

  private final String stableName;

  EngineStage(String stableName) {
    this.stableName = stableName;
  }

  String stableName() {
    return stableName;
  }
}
