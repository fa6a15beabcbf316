package dev.cuzk.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.engine.EngineSnapshot.Reserved;
import dev.cuzk.report.EngineFigures.DeviceLoad;
import dev.cuzk.report.EngineFigures.DeviceMemory;
import dev.cuzk.report.EngineFigures.MemorySample;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MemorySamplerTest {
  @Test
  void shouldNoteWhatIsReservedAndUsed() throws InterruptedException {
    MemorySampler sampler =
        MemorySampler.start(
            System.nanoTime(),
            () -> new Reserved(30, 20, List.of(10L, 11L)),
            () -> List.of(new DeviceLoad(99, 0.5)));
    Thread.sleep(2 * MemorySampler.INTERVAL_MILLISECONDS + 100);
    sampler.stop();
    List<MemorySample> samples = sampler.samples();
    assertTrue(samples.size() >= 2, samples.toString());
    MemorySample last = samples.get(samples.size() - 1);
    assertEquals(30, last.hostBytes());
    assertEquals(20, last.pinnedBytes());
    assertEquals(List.of(new DeviceMemory(10, 99), new DeviceMemory(11, -1)), last.devices());
    assertTrue(last.rssBytes() > 1 << 20);
    assertEquals(List.of(0.5, -1.0), sampler.utilisations());
  }

  @Test
  void shouldKeepTheMostOfALongRun() {
    AtomicLong bytes = new AtomicLong();
    MemorySampler sampler =
        new MemorySampler(0, () -> new Reserved(bytes.get(), 0, List.of()), List::of);
    for (int i = 0; i < 10 * MemorySampler.MOST_SAMPLES; i++) {
      bytes.set(i == 12_345 ? 1_000_000 : i);
      sampler.sample(i);
    }
    List<MemorySample> samples = sampler.samples();
    assertTrue(samples.size() < MemorySampler.MOST_SAMPLES, samples.size() + " samples");
    assertTrue(samples.size() >= MemorySampler.MOST_SAMPLES / 2, samples.size() + " samples");
    assertEquals(
        1_000_000, samples.stream().mapToLong(MemorySample::hostBytes).max().orElseThrow());
  }
}
