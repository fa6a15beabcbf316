package dev.cuzk.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.device.Backend;
import dev.cuzk.engine.simulation.FakeBackend;
import dev.cuzk.engine.simulation.FakeBackend.Model;
import dev.cuzk.engine.simulation.SimulatedKey;
import dev.cuzk.engine.simulation.VirtualScheduler;
import dev.cuzk.key.ProvingKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Devices have no lock in common. */
class SimulatedLocksTest {
  @Test
  void shouldShareNoLockBetweenDevices() throws Exception {
    VirtualScheduler scheduler = new VirtualScheduler(1);
    EngineFixture fixture = new EngineFixture(scheduler);
    fixture.verifyMs = 3;
    scheduler.run(
        () -> {
          List<Backend> devices = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            devices.add(new FakeBackend(new Model(i, 20L << 30, 20), scheduler));
          }
          Engine engine = fixture.engine(fixture.options(), devices);
          ProvingKey[] keys = {new SimulatedKey("small", 8), new SimulatedKey("large", 18)};
          for (int i = 0; i < 100; i++) {
            engine.submit(fixture.job(i, i % 3, keys[i % 2], 1 + i % 2));
          }
          EngineSummary summary = engine.finishAndClose();
          assertEquals(100, summary.jobsProved());
          assertTrue(summary.devices().stream().allMatch(device -> device.proofs() > 0));
          return null;
        });
    assertEquals(0, scheduler.locksShared("cuzk-device-"));
    assertTrue(scheduler.locksShared("cuzk-synthesis-") > 0);
  }
}
