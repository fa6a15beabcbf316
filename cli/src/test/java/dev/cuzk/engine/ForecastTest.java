package dev.cuzk.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.engine.simulation.FakeCosts;
import dev.cuzk.engine.simulation.SimulatedKey;
import dev.cuzk.engine.simulation.SimulatedSynthesizer;
import dev.cuzk.key.ProvingKey;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ForecastTest {
  private static final long GIB = 1L << 30;

  private final FakeCosts costs = FakeCosts.of(1, 1);

  private static Partition partition(int domainLog2) {
    ProvingKey key = new SimulatedKey("key", domainLog2);
    return new Partition(
        0, key, new SimulatedSynthesizer(key.curve(), key.variables(), 0, 0, Scheduler.SYSTEM));
  }

  private Forecast forecast(long hostBudget, long... budgets) {
    List<Forecast.Device> devices =
        Arrays.stream(budgets)
            .mapToObj(budget -> new Forecast.Device(false, budget, costs::choose))
            .toList();
    return new Forecast(EngineOptions.builder(hostBudget, hostBudget).build(), devices);
  }

  @Test
  void shouldChooseTheLargestPlanThatFitsEachDevice() throws Exception {
    // The key takes 7.4 GiB, a proof 1.5 GiB; streamed proofs share a ring of 0.5 GiB.
    List<Forecast.Entry> entries =
        forecast(64 * GIB, 20 * GIB, 8 * GIB, 2 * GIB, GIB).of(partition(24));
    assertTrue(entries.get(0).plan().residentKey());
    assertEquals(2, entries.get(0).plan().batch());
    assertFalse(entries.get(1).plan().residentKey());
    assertEquals(5, entries.get(1).plan().batch());
    assertEquals(1, entries.get(2).plan().batch());
    assertTrue(entries.get(2).fits());
    assertFalse(entries.get(3).fits());
    assertTrue(entries.get(3).refusal().contains("memory on device 3"));
    assertTrue(entries.get(3).refusal().contains("the budget is " + GIB));
  }

  @Test
  void shouldRefuseWhatTheHostCannotHold() throws Exception {
    Forecast.Entry entry = forecast(GIB / 4, 80 * GIB).of(partition(24)).get(0);
    assertTrue(entry.refusal().contains("host memory"), entry.refusal());
  }

  @Test
  void shouldKeepTheMarginOfARun() {
    assertEquals(15 * GIB, Forecast.budget(16 * GIB));
    assertEquals(76 * GIB, Forecast.budget(80 * GIB));
    assertEquals(0, Forecast.budget(GIB / 2));
  }
}
