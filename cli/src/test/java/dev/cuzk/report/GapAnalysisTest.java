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
    gaps.computing(0, 0, SECOND);
    gaps.stage(StageNames.SYNTHESIS, -1, SECOND, 2 * SECOND);
    gaps.stage(StageNames.HOST_MEMORY_WAIT, -1, SECOND, SECOND + SECOND / 4);
    gaps.computing(0, 2 * SECOND, 3 * SECOND);
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
    gaps.computing(0, SECOND, 2 * SECOND);
    DeviceUse use = gaps.use(0, 0, 2 * SECOND);
    assertEquals("unexplained", use.gaps().get(0).cause());
    assertEquals(0.5, use.unexplainedFraction(), 1e-9);
  }

  @Test
  void shouldCallUploadBeforeAndBetweenKernelsUpload() {
    gaps.stage(StageNames.UPLOAD, 0, 0, SECOND / 2);
    gaps.computing(0, SECOND / 2, SECOND);
    gaps.stage(StageNames.UPLOAD, 0, SECOND, SECOND + SECOND / 4);
    gaps.computing(0, SECOND + SECOND / 4, 2 * SECOND);
    gaps.onDevice(0, 0, 2 * SECOND);
    DeviceUse use = gaps.use(0, 0, 2 * SECOND);
    assertEquals(
        List.of(new DeviceUse.Gap(0, 500, "upload"), new DeviceUse.Gap(1000, 250, "upload")),
        use.gaps());
    assertEquals(List.of(new DeviceUse.Share("upload", 0.375)), use.idle());
  }

  @Test
  void shouldCallTimeOnTheDeviceThatNoKernelTookLaunch() {
    gaps.computing(0, SECOND / 2, SECOND);
    gaps.stage(StageNames.FINISH, 0, SECOND, SECOND + SECOND / 5);
    gaps.onDevice(0, 0, SECOND + SECOND / 5);
    assertEquals(
        List.of(new DeviceUse.Gap(0, 500, "launch"), new DeviceUse.Gap(1000, 200, "finish")),
        gaps.use(0, 0, SECOND + SECOND / 5).gaps());
  }

  @Test
  void shouldTakeADeviceWithoutTimesOfItsOwnForBusy() {
    gaps.onDevice(0, SECOND / 2, SECOND);
    assertEquals(0.5, gaps.use(0, 0, SECOND).busyFraction(), 1e-9);
  }

  @Test
  void shouldSayNoWorkWhereOnlyAnotherDeviceHasSome() {
    gaps.computing(0, 0, SECOND);
    gaps.onDevice(0, 0, SECOND);
    gaps.stage(StageNames.DEVICE_WAIT, 0, 0, SECOND);
    assertEquals(List.of(new DeviceUse.Gap(0, 1000, "no work")), gaps.use(1, 0, SECOND).gaps());
  }

  @Property
  void shouldGiveEachMomentToOneCause(
      @ForAll @Size(max = 30) List<@IntRange(min = 0, max = 1_000) Integer> times) {
    String[] stages = {
      StageNames.UPLOAD,
      StageNames.SYNTHESIS,
      StageNames.HOST_MEMORY_WAIT,
      StageNames.DEVICE_WAIT,
      StageNames.QUEUED,
      StageNames.WRITE
    };
    GapAnalysis mixed = new GapAnalysis();
    for (int i = 0; i + 1 < times.size(); i += 2) {
      long from = times.get(i) * 1_000_000L;
      long to = from + times.get(i + 1) * 100_000L;
      if (i % 3 == 0) {
        mixed.computing(0, from, to);
      } else {
        mixed.stage(stages[i % stages.length], 0, from, to);
      }
    }
    DeviceUse use = mixed.use(0, 0, SECOND);
    double sum = use.idle().stream().mapToDouble(DeviceUse.Share::fraction).sum();
    assertEquals(1, use.busyFraction() + sum, 1e-7);
  }

  @Test
  void shouldKeepDevicesApart() {
    gaps.computing(0, 0, SECOND);
    gaps.stage(StageNames.KEY_LOAD, 1, 0, SECOND);
    assertEquals(1, gaps.use(0, 0, SECOND).busyFraction(), 1e-9);
    assertEquals("key load", gaps.use(1, 0, SECOND).gaps().get(0).cause());
  }

  @Test
  void shouldNotListShortGaps() {
    gaps.computing(0, 0, SECOND);
    gaps.computing(0, SECOND + GapAnalysis.LISTED_NANOS, 2 * SECOND);
    assertEquals(List.of(), gaps.use(0, 0, 2 * SECOND).gaps());
  }

  @Test
  void shouldGiveTheUseOfEach200Milliseconds() {
    gaps.computing(0, SECOND / 10, SECOND / 2);
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
