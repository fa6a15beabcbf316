package dev.cuzk.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cuzk.device.Backend.MemoryNeeds;
import dev.cuzk.device.DeviceException;
import dev.cuzk.device.Plan;
import dev.cuzk.device.Planner;
import dev.cuzk.engine.simulation.SimulatedKey;
import dev.cuzk.key.ProvingKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExpectedProofsTest {
  private static final long HOST = 8000;

  private final ExpectedProofs expected = new ExpectedProofs();
  private final ProvingKey key = key();
  private final List<Long> memories = new ArrayList<>();

  /** A key takes 1000 bytes, and 100 more for each table. */
  private Planner.Choice choose(ProvingKey wanted) throws DeviceException {
    return expected.choose(
        (ignored, memory, wish) -> {
          memories.add(memory);
          int tables = (int) Math.min(wish.tableLevels(), Math.max(0, (memory - 1000) / 100));
          long bytes = 1000 + 100L * tables;
          return new Planner.Choice(
              Plan.RESIDENT.withTables(tables), new MemoryNeeds(bytes, 0, 0, 0), bytes <= memory);
        },
        wanted,
        HOST,
        Plan.RESIDENT,
        Long.MAX_VALUE);
  }

  private static ProvingKey key() {
    return new SimulatedKey("key", 10);
  }

  @Test
  void shouldWishForTablesFromManyProofsOn() throws DeviceException {
    expected.add(key, ExpectedProofs.TABLES_FROM - 1);
    assertEquals(0, choose(key).plan().tableLevels());
    expected.add(key, 1);
    assertEquals(10, choose(key).plan().tableLevels());
    assertEquals(List.of(Long.MAX_VALUE, HOST / 4), memories);
  }

  @Test
  void shouldLeaveTablesOutWhereEvenTheKeyExceedsItsPart() throws DeviceException {
    expected.add(key, ExpectedProofs.TABLES_FROM);
    Planner.Choice choice =
        expected.choose(
            (ignored, memory, wish) ->
                new Planner.Choice(Plan.RESIDENT, new MemoryNeeds(5000, 0, 0, 0), memory >= 5000),
            key,
            HOST,
            Plan.RESIDENT,
            Long.MAX_VALUE);
    assertEquals(new Planner.Choice(Plan.RESIDENT, new MemoryNeeds(5000, 0, 0, 0), true), choice);
  }

  @Test
  void shouldLeaveTablesOutWhereManyKeysShareTheMemory() throws DeviceException {
    expected.add(key, ExpectedProofs.TABLES_FROM);
    expected.add(key(), 1);
    assertEquals(10, choose(key).plan().tableLevels());
    expected.add(key(), 1);
    assertEquals(0, choose(key).plan().tableLevels());
  }

  private int levelsOnGpu(ProvingKey wanted) throws DeviceException {
    return expected
        .chooseOnGpu(
            (ignored, memory, wish) ->
                new Planner.Choice(wish, new MemoryNeeds(memory, 0, 0, 0), true),
            wanted,
            Plan.RESIDENT,
            HOST)
        .plan()
        .tableLevels();
  }

  @Test
  void shouldWishForTablesOnAGpuForTheOnlyKey() throws DeviceException {
    assertEquals(0, levelsOnGpu(key));
    expected.add(key, ExpectedProofs.TABLES_FROM - 1);
    assertEquals(0, levelsOnGpu(key));
    expected.add(key, 1);
    assertEquals(Plan.MOST_TABLE_LEVELS, levelsOnGpu(key));
    expected.add(key(), 1);
    assertEquals(0, levelsOnGpu(key));
  }

  @Test
  void shouldExpectNothingOfAnUnknownKey() throws DeviceException {
    assertEquals(0, choose(key).plan().tableLevels());
  }
}
