package dev.cuzk.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cuzk.device.DeviceException;
import dev.cuzk.engine.simulation.FakeBackend;
import dev.cuzk.engine.simulation.FakeBackend.Model;
import dev.cuzk.engine.simulation.FaultInjectingBackend;
import dev.cuzk.engine.simulation.FaultRule;
import dev.cuzk.memory.Buffer;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Assignments of several circuits in turn, as mixed batches have them. */
class WitnessPoolTest {
  private static final long LIMIT = 1_000;

  private final FakeBackend device = new FakeBackend(new Model(0, 1L << 30, 1), Scheduler.SYSTEM);
  private WitnessPool pool = new WitnessPool("buffers", device, LIMIT, Scheduler.SYSTEM);

  @AfterEach
  void shouldGiveEverythingBack() {
    assertEquals(0, pool.inUse());
    pool.drop();
    assertEquals(0, device.leaks());
  }

  private void makeFail(String... rules) {
    pool =
        new WitnessPool(
            "buffers",
            new FaultInjectingBackend(
                device,
                FaultInjectingBackend.Schedule.of(
                    Arrays.stream(rules).map(FaultRule::parse).toList())),
            LIMIT,
            Scheduler.SYSTEM);
  }

  @Test
  void shouldReuseBuffersOfTheSameLengthAlone() throws Exception {
    Buffer small = pool.take(320);
    Buffer large = pool.take(640);
    pool.give(small);
    pool.give(large);
    assertEquals(2, device.leaks());
    Buffer again = pool.take(320);
    assertSame(small, again);
    Buffer other = pool.take(352);
    assertNotSame(large, other);
    assertEquals(352, other.byteSize());
    pool.give(again);
    pool.give(other);
  }

  @Test
  void shouldZeroWhatComesBack() throws Exception {
    Buffer buffer = pool.take(64);
    buffer.view(0, 64).putLong(8, -1);
    pool.give(buffer);
    Buffer again = pool.take(64);
    assertSame(buffer, again);
    assertEquals(0, again.view(0, 64).getLong(8));
    pool.give(again);
  }

  @Test
  void shouldFreeTheOldestIdleOnesBeforeTheLimitIsPassed() throws Exception {
    Buffer first = pool.take(320);
    Buffer second = pool.take(448);
    pool.give(first);
    pool.give(second);
    Buffer third = pool.take(512);
    assertEquals(2, device.leaks(), "of 320, 448 and 512 bytes the first was to go");
    assertSame(second, pool.take(448));
    pool.give(second);
    pool.give(third);
  }

  @Test
  void shouldFreeWhatLiesIdleWhenMemoryIsGone() throws Exception {
    makeFail("0:pinned:2:out-of-memory");
    pool.give(pool.take(320));
    Buffer other = pool.take(448);
    assertEquals(1, device.leaks(), "the idle buffer was freed for it");
    pool.give(other);
  }

  @Test
  void shouldCountNothingWhereNoBufferCameOfIt() {
    makeFail("0:pinned:*:out-of-memory");
    assertThrows(DeviceException.class, () -> pool.take(320));
    assertEquals(0, pool.inUse());
  }
}
