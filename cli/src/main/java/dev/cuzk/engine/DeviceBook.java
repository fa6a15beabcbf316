package dev.cuzk.engine;

import dev.cuzk.device.Plan;
import dev.cuzk.engine.Admission.Need;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What admission knows of one device: its keys, each counted once, however many partitions use it;
 * one arena as large as its largest admitted proof; the work it was given, and how fast it has been
 * with it.
 */
final class DeviceBook {
  /** Bytes of one kind of memory. */
  static final class Account {
    final long budget;
    long used;

    Account(long budget) {
      this.budget = budget;
    }

    long free() {
      return budget - used;
    }
  }

  private static final class KeySlot {
    private final long bytes;
    private final long hostBytes;
    private int users;
    private boolean evicting;
    private long lastUse;

    KeySlot(Need need) {
      this.bytes = need.keyBytes();
      this.hostBytes = need.keyHost();
    }
  }

  /** Partitions admitted ahead of a device, whatever their size … */
  private static final int RUN_AHEAD_PARTITIONS = 3;

  /** … and how many bytes and number of small ones; a GPU proves them faster than they are made. */
  private static final long RUN_AHEAD_BYTES_OF_GPU = 512L << 20;

  private static final long RUN_AHEAD_BYTES_OF_CPU = 64L << 20;
  private static final int RUN_AHEAD_SMALL_PARTITIONS = 128;

  final Account account;
  private final Account host;
  private final Map<PlannedKey, KeySlot> keys = new HashMap<>();
  private final TreeMap<Long, Integer> arenas = new TreeMap<>();
  boolean enabled = true;
  private int partitions;
  private long work;
  private double secondsPerByte;
  private double leastSecondsPerByte;
  private long clock;

  /** {@code account}: of the device's memory; the CPU's is {@code host} itself. */
  DeviceBook(Account account, Account host) {
    this.account = account;
    this.host = host;
  }

  private long arena() {
    return arenas.isEmpty() ? 0 : arenas.lastKey();
  }

  boolean idle() {
    return partitions == 0;
  }

  /** As measured, and at least what is under way has taken already; 0 = not known. */
  double secondsPerByte() {
    return Math.max(secondsPerByte, leastSecondsPerByte);
  }

  /** What is under way takes at least so long for its work; 0 = nothing is. */
  void takesAtLeast(double secondsAByte) {
    leastSecondsPerByte = secondsAByte;
  }

  /**
   * Whether it has been given enough: what it proves, one that is ready, and as many in synthesis
   * as it proves while one is synthesized; where a key is streamed, two groups that share a pass.
   *
   * @param synthesisPerByte seconds; 0 = not known yet
   * @param most partitions that can be in synthesis at once
   */
  boolean enoughAhead(Need need, double synthesisPerByte, int most) {
    double ratio = secondsPerByte > 0 ? synthesisPerByte / secondsPerByte : 0;
    Plan plan = need.key().plan();
    int together = plan.residentKey() ? 1 : 2 * need.batch();
    int proving = plan.residentKey() && plan.batch() > 1 ? 2 : 1;
    int ahead = 1 + proving + (int) Math.min(Math.ceil(ratio), most);
    ahead = Math.max(Math.max(RUN_AHEAD_PARTITIONS, together), ahead);
    long bytes = need.pinned() > 0 ? RUN_AHEAD_BYTES_OF_GPU : RUN_AHEAD_BYTES_OF_CPU;
    boolean small = partitions < RUN_AHEAD_SMALL_PARTITIONS && work + need.work() <= bytes;
    return partitions >= ahead && !small;
  }

  boolean isEvicting(PlannedKey key) {
    KeySlot slot = keys.get(key);
    return slot != null && slot.evicting;
  }

  /** Bytes that a partition takes here beyond what is taken. */
  long increase(Need need) {
    long ofKey = keys.containsKey(need.key()) ? 0 : need.keyBytes();
    return ofKey + Math.max(0, need.arena() - arena());
  }

  /** Bytes of host memory that its key takes beyond what is taken. */
  long hostIncrease(Need need) {
    return keys.containsKey(need.key()) ? 0 : need.keyHost();
  }

  /**
   * Seconds until it is done with what it has and this besides; a key that must be loaded first
   * counts like as many bytes of work.
   *
   * @param unknownRate for a device that has not been measured yet
   * @param others work that comes before
   */
  double expectedFinish(Need need, long others, double unknownRate) {
    double rate = secondsPerByte > 0 ? secondsPerByte() : Math.max(unknownRate, secondsPerByte());
    long load = keys.containsKey(need.key()) ? 0 : need.keyBytes();
    return (double) (work + others + need.work() + load) * rate;
  }

  void reserve(Need need) {
    account.used += increase(need);
    host.used += hostIncrease(need);
    KeySlot slot = keys.computeIfAbsent(need.key(), absent -> new KeySlot(need));
    slot.users++;
    slot.lastUse = ++clock;
    arenas.merge(need.arena(), 1, Integer::sum);
    partitions++;
    work += need.work();
  }

  void release(Need need) {
    long before = arena();
    arenas.computeIfPresent(need.arena(), (size, count) -> count == 1 ? null : count - 1);
    account.used -= before - arena();
    keys.get(need.key()).users--;
    partitions--;
    work -= need.work();
  }

  void measured(long bytes, double seconds) {
    double rate = seconds / Math.max(1, bytes);
    secondsPerByte = secondsPerByte == 0 ? rate : 0.75 * secondsPerByte + 0.25 * rate;
  }

  /**
   * Chooses keys that nobody uses, the longest unused first, until so many bytes of the device's
   * and of the host's memory are free, and marks them; null if that cannot be reached.
   */
  List<PlannedKey> evict(long missing, long missingHost, PlannedKey wanted) {
    long open = missing;
    long openHost = missingHost;
    List<Map.Entry<PlannedKey, KeySlot>> victims = new ArrayList<>();
    for (Map.Entry<PlannedKey, KeySlot> entry : keys.entrySet()) {
      if (entry.getValue().evicting) {
        open -= freed(entry.getValue());
        openHost -= freedOfHost(entry.getValue());
      } else if (entry.getValue().users == 0 && !entry.getKey().equals(wanted)) {
        victims.add(entry);
      }
    }
    victims.sort(Comparator.comparingLong(entry -> entry.getValue().lastUse));
    List<Map.Entry<PlannedKey, KeySlot>> chosen = new ArrayList<>();
    for (Map.Entry<PlannedKey, KeySlot> victim : victims) {
      if (open <= 0 && openHost <= 0) {
        break;
      }
      open -= freed(victim.getValue());
      openHost -= freedOfHost(victim.getValue());
      chosen.add(victim);
    }
    if (open > 0 || openHost > 0) {
      return null;
    }
    chosen.forEach(victim -> victim.getValue().evicting = true);
    return chosen.stream().map(Map.Entry::getKey).toList();
  }

  /** Bytes of the device's account. */
  private long freed(KeySlot slot) {
    return slot.bytes + (account == host ? slot.hostBytes : 0);
  }

  private long freedOfHost(KeySlot slot) {
    return slot.hostBytes + (account == host ? slot.bytes : 0);
  }

  void closed(PlannedKey key) {
    KeySlot slot = keys.get(key);
    if (slot == null || !slot.evicting) {
      throw new IllegalStateException("a key was closed that nobody asked to close");
    }
    keys.remove(key);
    account.used -= slot.bytes;
    host.used -= slot.hostBytes;
  }

  /** Bytes of keys that nobody uses. */
  long idleBytes() {
    return keys.values().stream()
        .filter(slot -> slot.users == 0)
        .mapToLong(slot -> slot.bytes + slot.hostBytes)
        .sum();
  }
}
