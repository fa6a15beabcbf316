package dev.cuzk.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class GapAnalysisTest {
  private static final long SECOND = 1_000_000_000L;

  private final GapAnalysis gaps = new GapAnalysis();

  @Test
  void shouldNameTheCauseThatCoversMostOfAGap() {
    gaps.busy(0, 0, SECOND);
    gaps.stage(StageNames.SYNTHESIS, -1, SECOND, 2 * SECOND);
    gaps.stage(StageNames.HOST_MEMORY_WAIT, -1, SECOND, SECOND + SECOND / 4);
    gaps.busy(0, 2 * SECOND, 3 * SECOND);
    DeviceUse use = gaps.use(0, 0, 4 * SECOND);
    assertEquals(0.5, use.busyFraction(), 1e-9);
    assertEquals(0, use.unexplainedFraction(), 1e-9);
    assertEquals(
        List.of(
            new DeviceUse.Gap(1000, 1000, "synthesis"), new DeviceUse.Gap(3000, 1000, "no work")),
        use.gaps());
  }

  @Test
  void shouldCallWorkThatWaitsForNothingUnexplained() {
    gaps.stage(StageNames.DEVICE_WAIT, 0, 0, SECOND);
    gaps.busy(0, SECOND, 2 * SECOND);
    DeviceUse use = gaps.use(0, 0, 2 * SECOND);
    assertEquals("unexplained", use.gaps().get(0).cause());
    assertEquals(0.5, use.unexplainedFraction(), 1e-9);
  }

  @Test
  void shouldKeepDevicesApart() {
    gaps.busy(0, 0, SECOND);
    gaps.stage(StageNames.KEY_LOAD, 1, 0, SECOND);
    assertEquals(1, gaps.use(0, 0, SECOND).busyFraction(), 1e-9);
    assertEquals("key load", gaps.use(1, 0, SECOND).gaps().get(0).cause());
  }

  @Test
  void shouldNotListShortGaps() {
    gaps.busy(0, 0, SECOND);
    gaps.busy(0, SECOND + GapAnalysis.LISTED_NANOS, 2 * SECOND);
    assertEquals(List.of(), gaps.use(0, 0, 2 * SECOND).gaps());
  }

  @Test
  void shouldGiveTheUseOfEach200Milliseconds() {
    gaps.busy(0, SECOND / 10, SECOND / 2);
    double[] buckets = gaps.use(0, 0, SECOND / 2).buckets();
    assertEquals(3, buckets.length);
    assertEquals(0.5, buckets[0], 1e-9);
    assertEquals(1, buckets[1], 1e-9);
    assertEquals(1, buckets[2], 1e-9);
    assertNull(gaps.use(0, 0, GapAnalysis.BUCKET_NANOS * 60_000).buckets());
  }

  @Property(tries = 300)
  void shouldAgreeWithABitSet(
      @ForAll @Size(max = 60) List<@IntRange(min = 0, max = 200) Integer> ends) {
    IntervalSet set = new IntervalSet();
    BitSet bits = new BitSet();
    // Even numbers only: intervals 1 ns apart are joined on purpose.
    for (int i = 0; i + 1 < ends.size(); i += 2) {
      int from = 2 * Math.min(ends.get(i), ends.get(i + 1));
      int to = 2 * Math.max(ends.get(i), ends.get(i + 1));
      set.add(from, to);
      bits.set(from, to);
    }
    assertEquals(bits.cardinality(), set.overlap(0, 1000));
    assertEquals(bits.get(50, 300).cardinality(), set.overlap(50, 300));
    long[] idle = {0};
    set.forEachGap(50, 300, (from, to) -> idle[0] += to - from);
    assertEquals(250 - bits.get(50, 300).cardinality(), idle[0]);
  }

  @Test
  void shouldBoundItsMemory() {
    IntervalSet set = new IntervalSet();
    long count = 3L * IntervalSet.MAXIMUM;
    for (long i = 0; i < count; i++) {
      set.add(i * 1_000, i * 1_000 + 500);
    }
    assertTrue(set.size() <= IntervalSet.MAXIMUM);
    assertTrue(set.overlap(0, count * 1_000) >= count * 500);
  }
}
