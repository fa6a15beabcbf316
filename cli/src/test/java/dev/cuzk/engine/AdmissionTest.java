package dev.cuzk.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.device.Plan;
import dev.cuzk.engine.Admission.DeviceBudget;
import dev.cuzk.engine.Admission.Grant;
import dev.cuzk.engine.Admission.Need;
import dev.cuzk.engine.Admission.Request;
import dev.cuzk.engine.simulation.SimulatedKey;
import dev.cuzk.key.ProvingKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class AdmissionTest {
  private static final long GB = 1_000_000_000L;

  private record Waiter(Order order, List<Need> needs) implements Request {
    @Override
    public boolean holdsMemory() {
      return false;
    }
  }

  private static PlannedKey planned(ProvingKey key) {
    return new PlannedKey(key, Plan.RESIDENT);
  }

  private static Waiter waiter(
      int priority,
      long sequence,
      ProvingKey key,
      long host,
      long pinned,
      long arena,
      int devices) {
    return waiter(priority, sequence, key, host, 0, pinned, arena, devices);
  }

  private static Waiter waiter(
      int priority,
      long sequence,
      ProvingKey key,
      long host,
      long keyHost,
      long pinned,
      long arena,
      int devices) {
    List<Need> needs =
        IntStream.range(0, devices)
            .mapToObj(
                device ->
                    new Need(device, host, pinned, planned(key), 3 * GB, keyHost, arena, pinned, 1))
            .toList();
    return new Waiter(new Order(priority, sequence, 0, sequence), needs);
  }

  @Test
  void shouldCountAKeysHostMemoryOnceAndGiveItBackWithTheKey() {
    Admission admission =
        new Admission(5 * GB, 16 * GB, List.of(new DeviceBudget(false, 64 * GB)), 0, 4);
    ProvingKey first = new SimulatedKey("first", 4);
    ProvingKey second = new SimulatedKey("second", 4);
    admission.offer(waiter(0, 0, first, 2 * GB, GB, 0, GB, 1));
    admission.offer(waiter(0, 1, first, 2 * GB, GB, 0, GB, 1));
    List<Grant> both = admission.admit().grants();
    assertEquals(2, both.size(), "two partitions and one key are 5 GB");
    Waiter other = waiter(0, 2, second, 4 * GB, GB, 0, GB, 1);
    admission.offer(other);
    for (Grant each : both) {
      assertEquals(List.of(), admission.admit().grants());
      admission.releaseDevice(each);
      admission.releaseMemory(each);
      admission.leave();
    }
    Admission.Decision decision = admission.admit();
    assertEquals(List.of(new Admission.Eviction(0, planned(first))), decision.evictions());
    admission.keyClosed(0, planned(first));
    assertEquals(1, admission.admit().grants().size());
    assertEquals(0, admission.overdraft());
    assertTrue(admission.neverFits(waiter(0, 3, first, 5 * GB, GB, 0, GB, 1).needs()).isPresent());
  }

  @Property(tries = 1000)
  void shouldNeverOvercommitAndAlwaysComeToAnEnd(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int devices) {
    Random random = new Random(seed);
    long[] sizes = {16 * GB, 20 * GB, 24 * GB, 80 * GB};
    List<DeviceBudget> budgets = new ArrayList<>();
    for (int i = 0; i < devices; i++) {
      budgets.add(new DeviceBudget(devices == 1 && random.nextBoolean(), sizes[random.nextInt(4)]));
    }
    Admission admission = new Admission(64 * GB, 16 * GB, budgets, random.nextInt(2) * 5, 4);
    List<ProvingKey> keys = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      keys.add(new SimulatedKey("key" + i, 4));
    }
    int toCome = 30;
    int admitted = 0;
    List<Grant> running = new ArrayList<>();
    Set<Request> seen = new HashSet<>();
    for (int step = 0; admitted < 30; step++) {
      assertTrue(step < 10_000, "it does not come to an end");
      if (toCome > 0 && random.nextBoolean()) {
        Waiter next =
            waiter(
                random.nextInt(4),
                --toCome,
                keys.get(random.nextInt(4)),
                random.nextLong(20 * GB),
                GB,
                random.nextLong(8 * GB),
                random.nextLong(12 * GB),
                devices);
        assertTrue(admission.neverFits(next.needs()).isEmpty());
        admission.offer(next);
      }
      Admission.Decision decision = admission.admit();
      assertTrue(admission.overdraft() <= 0, "more was admitted than there is");
      assertEquals(List.of(), decision.hopeless());
      for (Grant grant : decision.grants()) {
        assertTrue(seen.add(grant.request()), "admitted twice");
        running.add(grant);
        admitted++;
      }
      decision.evictions().forEach(one -> admission.keyClosed(one.device(), one.key()));
      if (!running.isEmpty() && random.nextInt(3) > 0) {
        finish(admission, running.remove(random.nextInt(running.size())));
      }
    }
    running.forEach(grant -> finish(admission, grant));
    assertEquals(0, admission.reservedBytes());
    assertEquals(0, admission.waitingCount());
  }

  private static void finish(Admission admission, Grant grant) {
    admission.releaseDevice(grant);
    admission.releaseDevice(grant);
    admission.releaseMemory(grant);
    admission.releaseMemory(grant);
    admission.leave();
  }

  @Property(tries = 300)
  void shouldAdmitInOrderWhatFits(@ForAll long seed) {
    Random random = new Random(seed);
    Admission admission =
        new Admission(64 * GB, 16 * GB, List.of(new DeviceBudget(false, 16 * GB)), 1, 4);
    ProvingKey key = new SimulatedKey("key", 4);
    List<Order> offered = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Waiter next = waiter(random.nextInt(3), i, key, GB, GB, GB, 1);
      offered.add(next.order());
      admission.offer(next);
    }
    List<Order> admitted = new ArrayList<>();
    while (admission.waitingCount() > 0) {
      Admission.Decision decision = admission.admit();
      assertEquals(1, decision.grants().size());
      admitted.add(decision.grants().get(0).request().order());
      finish(admission, decision.grants().get(0));
    }
    offered.sort(Comparator.naturalOrder());
    assertEquals(offered, admitted);
  }

  @Property(tries = 1000)
  void shouldOrderQueuesTotally(
      @ForAll @IntRange(min = 0, max = 99) int p1,
      @ForAll @IntRange(min = 0, max = 99) int p2,
      @ForAll @IntRange(min = 0, max = 5) int s1,
      @ForAll @IntRange(min = 0, max = 5) int s2,
      @ForAll @IntRange(min = 0, max = 5) int i1,
      @ForAll @IntRange(min = 0, max = 5) int i2) {
    Order one = new Order(p1, s1, i1, s1);
    Order two = new Order(p2, s2, i2, s2);
    assertEquals(-Integer.signum(two.compareTo(one)), Integer.signum(one.compareTo(two)));
    assertEquals(one.equals(two), one.compareTo(two) == 0);
    if (p1 > p2) {
      assertTrue(one.compareTo(two) < 0);
    } else if (p1 == p2 && s1 < s2) {
      assertTrue(one.compareTo(two) < 0);
    }
  }

  @Test
  void shouldNotStarveALargeRequest() {
    Admission admission =
        new Admission(10 * GB, 10 * GB, List.of(new DeviceBudget(false, 80 * GB)), 0, 4);
    ProvingKey key = new SimulatedKey("key", 4);
    List<Grant> running = new ArrayList<>();
    admission.offer(waiter(10, 0, key, 4 * GB, 1, 1, 1));
    running.addAll(admission.admit().grants());
    Waiter large = waiter(10, 1, key, 9 * GB, 1, 1, 1);
    admission.offer(large);
    int overtaking = 0;
    for (int i = 2; i < 100; i++) {
      admission.offer(waiter(10, i, key, 3 * GB, 1, 1, 1));
      List<Grant> grants = admission.admit().grants();
      overtaking += grants.size();
      running.addAll(grants);
      if (running.size() > 1) {
        finish(admission, running.remove(1));
      }
    }
    assertTrue(overtaking > 0 && overtaking <= Admission.MAX_OVERTAKING, overtaking + " overtook");
    running.forEach(grant -> finish(admission, grant));
    assertEquals(large, admission.admit().grants().get(0).request());
  }

  @Test
  void shouldPreferTheDeviceThatHasTheKeyAndThenTheFasterOne() {
    Admission admission =
        new Admission(
            640 * GB,
            160 * GB,
            List.of(new DeviceBudget(false, 80 * GB), new DeviceBudget(false, 80 * GB)),
            0,
            4);
    ProvingKey key = new SimulatedKey("key", 4);
    admission.offer(waiter(1, 0, key, GB, GB, GB, 2));
    Grant first = admission.admit().grants().get(0);
    finish(admission, first);
    admission.offer(waiter(1, 1, key, GB, GB, GB, 2));
    Grant second = admission.admit().grants().get(0);
    assertEquals(first.need().device(), second.need().device());
    finish(admission, second);
    admission.measured(0, GB, 10);
    admission.measured(1, GB, 1);
    admission.offer(waiter(1, 2, new SimulatedKey("other", 4), GB, GB, GB, 2));
    assertEquals(1, admission.admit().grants().get(0).need().device());
  }

  @Test
  void shouldGiveUpWhatNoDeviceIsLeftFor() {
    Admission admission = new Admission(GB, GB, List.of(new DeviceBudget(false, 80 * GB)), 0, 4);
    Waiter one = waiter(1, 0, new SimulatedKey("key", 4), 1, 1, 1, 1);
    admission.offer(one);
    admission.disable(0);
    assertEquals(List.of(one), admission.admit().hopeless());
  }

  @Test
  void shouldCountWithBothNumbersWhatNeverFits() {
    Admission admission = new Admission(GB, GB, List.of(new DeviceBudget(false, 2 * GB)), 0, 4);
    Waiter one = waiter(1, 0, new SimulatedKey("key", 4), 1, 1, 1, 1);
    String reason = admission.neverFits(one.needs()).orElseThrow();
    assertTrue(reason.contains("3000000001") && reason.contains("2000000000"), reason);
    assertFalse(reason.contains(";"));
  }
}
