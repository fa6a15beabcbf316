package dev.cuzk.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.device.Stage;
import dev.cuzk.report.StageNames;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EngineStageTest {
  @Test
  void shouldShareTheDevicesStageNamesWithTheReport() {
    assertEquals(StageNames.DEVICE, Arrays.stream(Stage.values()).map(Stage::stableName).toList());
  }

  @Test
  void shouldHaveEveryWaitOfTheReport() {
    List<String> names = Stream.of(EngineStage.values()).map(EngineStage::stableName).toList();
    assertTrue(names.containsAll(StageNames.WAITS), names.toString());
  }
}
