package dev.cuzk.engine;

import dev.cuzk.key.ProvingKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Decides which partition may begin, and on which device. A partition gets all it needs at once or
 * nothing, so that nothing is held while waiting for more; memory is what is counted, exactly.
 *
 * <p>Accounts: host memory, page-locked memory, and each device's memory. What a device keeps is
 * its keys (each counted once, however many partitions use it; unused ones stay until the room is
 * wanted) and one arena as large as its largest admitted proof: a device works on one submission at
 * a time. For the CPU, device memory is host memory.
 *
 * <p>First in, first out within {@link Order}. A request that waits for memory may be overtaken by
 * smaller ones, at most {@value #MAX_OVERTAKING} times, so that a large one is never starved.
 *
 * <p>Pure bookkeeping, confined to one thread: it calls nothing and blocks on nothing.
 */
final class Admission {
  static final int MAX_OVERTAKING = 16;

  /** How far behind a waiting request others are looked at. */
  private static final int MAX_SCANNED = 64;

  /** Partitions admitted ahead of a device, whatever their size … */
  private static final int RUN_AHEAD_PARTITIONS = 3;

  /** … and how many bytes and number of small ones. */
  private static final long RUN_AHEAD_BYTES = 64L << 20;

  private static final int RUN_AHEAD_SMALL_PARTITIONS = 128;

  /** Something that waits for admission. */
  interface Request {
    Order order();

    /** What it takes on each device that it may run on. */
    List<Need> needs();

    /** Whether it was admitted before, keeps its assignment's memory, and only needs a device. */
    boolean holdsMemory();
  }

  /**
   * What a request takes on one device, in bytes.
   *
   * @param host host memory, the assignment's buffer included
   * @param pinned page-locked memory; 0 on the CPU
   * @param arena device memory while proofs run
   * @param work a measure of the work, for choosing the device: the assignment's bytes
   * @param batch partitions of this key that fit into the arena together
   */
  record Need(
      int device,
      long host,
      long pinned,
      ProvingKey key,
      long keyBytes,
      long arena,
      long work,
      int batch) {}

  /** A device's memory; {@code cpu}: it is the host's. */
  record DeviceBudget(boolean cpu, long bytes) {}

  /** A key nobody uses, to be closed by its device; {@link #keyClosed} must follow. */
  record Eviction(int device, ProvingKey key) {}

  /** What a request waits for. */
  enum Shortage {
    NONE,
    IN_FLIGHT,
    RUN_AHEAD,
    HOST,
    PINNED,
    DEVICE
  }

  /** A request's reservation. */
  static final class Grant {
    private final Request request;
    private final Need need;
    private boolean memoryHeld;
    private boolean deviceHeld;

    private Grant(Request request, Need need) {
      this.request = request;
      this.need = need;
    }

    Request request() {
      return request;
    }

    Need need() {
      return need;
    }
  }

  /**
   * What {@link #admit} decided.
   *
   * @param hopeless requests that can never be admitted any more: no device is left, or nothing
   *     that runs could ever free enough
   */
  record Decision(List<Grant> grants, List<Eviction> evictions, List<Request> hopeless) {}

  private static final class Account {
    private final long budget;
    private long used;

    Account(long budget) {
      this.budget = budget;
    }

    long free() {
      return budget - used;
    }
  }

  private static final class KeySlot {
    private final long bytes;
    private int users;
    private boolean evicting;
    private long lastUse;

    KeySlot(long bytes) {
      this.bytes = bytes;
    }
  }

  private static final class DeviceBook {
    private final Account account;
    private final Map<ProvingKey, KeySlot> keys = new HashMap<>();
    private final TreeMap<Long, Integer> arenas = new TreeMap<>();
    private boolean enabled = true;
    private int partitions;
    private long work;
    private double secondsPerByte;

    DeviceBook(Account account) {
      this.account = account;
    }

    long arena() {
      return arenas.isEmpty() ? 0 : arenas.lastKey();
    }
  }

  private static final class Waiting {
    private final Request request;
    private int overtaken;
    private Shortage shortage = Shortage.NONE;

    Waiting(Request request) {
      this.request = request;
    }

    Order order() {
      return request.order();
    }
  }

  private final Account host;
  private final Account pinned;
  private final List<DeviceBook> devices = new ArrayList<>();
  private final TreeSet<Waiting> waiting = new TreeSet<>(Comparator.comparing(Waiting::order));
  private final int maxInFlight;
  private int inFlight;
  private int waitingWithMemory;
  private int pendingEvictions;
  private long clock;

  /** {@code maxInFlight} 0 = no limit but memory and the devices' run-ahead. */
  Admission(long hostBudget, long pinnedBudget, List<DeviceBudget> budgets, int maxInFlight) {
    this.host = new Account(hostBudget);
    this.pinned = new Account(pinnedBudget);
    this.maxInFlight = maxInFlight == 0 ? Integer.MAX_VALUE : maxInFlight;
    budgets.forEach(this::addDevice);
  }

  /** Adds a device and returns its index. */
  int addDevice(DeviceBudget budget) {
    devices.add(new DeviceBook(budget.cpu() ? host : new Account(budget.bytes())));
    return devices.size() - 1;
  }

  /**
   * Why a request could not be admitted even with nothing else running: the numbers, or empty if it
   * could.
   */
  Optional<String> neverFits(List<Need> needs) {
    StringBuilder text = new StringBuilder();
    for (Need need : needs) {
      DeviceBook device = devices.get(need.device());
      long ofDevice = need.keyBytes() + need.arena();
      boolean cpu = device.account == host;
      long ofHost = need.host() + (cpu ? ofDevice : 0);
      if (ofHost > host.budget) {
        append(text, ofHost, "host memory", host.budget);
      } else if (need.pinned() > pinned.budget) {
        append(text, need.pinned(), "page-locked memory", pinned.budget);
      } else if (!cpu && ofDevice > device.account.budget) {
        append(text, ofDevice, "memory on device " + need.device(), device.account.budget);
      } else {
        return Optional.empty();
      }
    }
    return Optional.of(text.toString());
  }

  private static void append(StringBuilder text, long needed, String what, long budget) {
    text.append(text.length() == 0 ? "" : "; ")
        .append("needs ")
        .append(needed)
        .append(" bytes of ")
        .append(what)
        .append(", the budget is ")
        .append(budget);
  }

  /** Adds a request to those that wait. */
  void offer(Request request) {
    if (!waiting.add(new Waiting(request))) {
      throw new IllegalStateException("two requests share " + request.order());
    }
    if (request.holdsMemory()) {
      waitingWithMemory++;
    }
  }

  /** Takes requests out that wait. */
  List<Request> remove(Predicate<Request> condition) {
    List<Request> removed = new ArrayList<>();
    for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
      Request request = all.next().request;
      if (condition.test(request)) {
        all.remove();
        removed(request);
        removed.add(request);
      }
    }
    return removed;
  }

  private void removed(Request request) {
    if (request.holdsMemory()) {
      waitingWithMemory--;
    }
  }

  /** No request is admitted to this device any more. */
  void disable(int device) {
    devices.get(device).enabled = false;
  }

  /** Admits what can be admitted now. */
  Decision admit() {
    List<Grant> grants = new ArrayList<>();
    List<Eviction> evictions = new ArrayList<>();
    List<Request> hopeless = new ArrayList<>();
    List<Waiting> passedOver = new ArrayList<>();
    int scanned = 0;
    for (Iterator<Waiting> all = waiting.iterator(); all.hasNext() && scanned < MAX_SCANNED; ) {
      Waiting candidate = all.next();
      Request request = candidate.request;
      if (request.needs().stream().noneMatch(need -> devices.get(need.device()).enabled)) {
        all.remove();
        removed(request);
        hopeless.add(request);
        continue;
      }
      scanned++;
      Need best = choose(candidate);
      if (best != null) {
        all.remove();
        removed(request);
        grants.add(reserve(request, best));
        passedOver.forEach(waiter -> waiter.overtaken++);
        if (passedOver.stream().anyMatch(waiter -> waiter.overtaken >= MAX_OVERTAKING)) {
          break;
        }
      } else if (candidate.shortage == Shortage.IN_FLIGHT
          || candidate.shortage == Shortage.RUN_AHEAD
          || candidate.overtaken >= MAX_OVERTAKING) {
        evictFor(passedOver.isEmpty() ? candidate : passedOver.get(0), evictions);
        break;
      } else {
        passedOver.add(candidate);
        if (passedOver.size() == 1) {
          evictFor(candidate, evictions);
        }
      }
    }
    if (grants.isEmpty() && evictions.isEmpty() && hopeless.isEmpty()) {
      giveUpIfStuck(hopeless);
    }
    return new Decision(grants, evictions, hopeless);
  }

  /** What a request that waits was last found to lack. */
  Shortage shortage(Request request) {
    Waiting found = waiting.ceiling(new Waiting(request));
    return found == null || found.request != request ? Shortage.NONE : found.shortage;
  }

  /** The request that is next in the order; null if none waits. */
  Request first() {
    return waiting.isEmpty() ? null : waiting.first().request;
  }

  int waitingCount() {
    return waiting.size();
  }

  /**
   * If everything that is admitted waits itself for a device again, nothing will ever be freed: the
   * first of them gives up.
   */
  private void giveUpIfStuck(List<Request> hopeless) {
    if (waiting.isEmpty() || pendingEvictions > 0 || inFlight > waitingWithMemory) {
      return;
    }
    Waiting victim =
        waiting.stream()
            .filter(waiter -> waiter.request.holdsMemory())
            .findFirst()
            .orElse(waiting.first());
    waiting.remove(victim);
    removed(victim.request);
    hopeless.add(victim.request);
  }

  private Need choose(Waiting candidate) {
    Need best = null;
    double bestFinish = Double.MAX_VALUE;
    Shortage shortage = Shortage.NONE;
    for (Need need : candidate.request.needs()) {
      DeviceBook device = devices.get(need.device());
      if (!device.enabled) {
        continue;
      }
      Shortage here = shortageOn(candidate.request, need, device);
      if (here != Shortage.NONE) {
        shortage = here.compareTo(shortage) > 0 ? here : shortage;
        continue;
      }
      double finish = expectedFinish(need, device);
      if (finish < bestFinish) {
        bestFinish = finish;
        best = need;
      }
    }
    candidate.shortage = best == null ? shortage : Shortage.NONE;
    return best;
  }

  private Shortage shortageOn(Request request, Need need, DeviceBook device) {
    if (!request.holdsMemory()) {
      if (inFlight >= maxInFlight) {
        return Shortage.IN_FLIGHT;
      }
      boolean few = device.partitions < RUN_AHEAD_PARTITIONS;
      boolean small =
          device.partitions < RUN_AHEAD_SMALL_PARTITIONS
              && device.work + need.work() <= RUN_AHEAD_BYTES;
      if (!few && !small) {
        return Shortage.RUN_AHEAD;
      }
    }
    KeySlot slot = device.keys.get(need.key());
    if (slot != null && slot.evicting) {
      return Shortage.DEVICE;
    }
    long ofDevice = deviceIncrease(need, device);
    long ofHost = hostIncrease(request, need) + (device.account == host ? ofDevice : 0);
    if (ofHost > host.free()) {
      return Shortage.HOST;
    }
    if (!request.holdsMemory() && need.pinned() > pinned.free()) {
      return Shortage.PINNED;
    }
    return ofDevice > device.account.free() ? Shortage.DEVICE : Shortage.NONE;
  }

  private static long hostIncrease(Request request, Need need) {
    return request.holdsMemory() ? 0 : need.host();
  }

  private static long deviceIncrease(Need need, DeviceBook device) {
    long ofKey = device.keys.containsKey(need.key()) ? 0 : need.keyBytes();
    return ofKey + Math.max(0, need.arena() - device.arena());
  }

  /** A key that must be loaded first counts like as many bytes of work. */
  private double expectedFinish(Need need, DeviceBook device) {
    double slowest = devices.stream().mapToDouble(other -> other.secondsPerByte).max().orElse(0);
    double rate = device.secondsPerByte > 0 ? device.secondsPerByte : Math.max(slowest, 1e-9);
    long load = device.keys.containsKey(need.key()) ? 0 : need.keyBytes();
    return (double) (device.work + need.work() + load) * rate;
  }

  private Grant reserve(Request request, Need need) {
    Grant grant = new Grant(request, need);
    DeviceBook device = devices.get(need.device());
    device.account.used += deviceIncrease(need, device);
    KeySlot slot = device.keys.computeIfAbsent(need.key(), absent -> new KeySlot(need.keyBytes()));
    slot.users++;
    slot.lastUse = ++clock;
    device.arenas.merge(need.arena(), 1, Integer::sum);
    device.partitions++;
    device.work += need.work();
    grant.deviceHeld = true;
    if (!request.holdsMemory()) {
      host.used += need.host();
      pinned.used += need.pinned();
      grant.memoryHeld = true;
      inFlight++;
    }
    return grant;
  }

  /** Returns the device's part of a reservation; doing it twice changes nothing. */
  void releaseDevice(Grant grant) {
    if (!grant.deviceHeld) {
      return;
    }
    grant.deviceHeld = false;
    Need need = grant.need;
    DeviceBook device = devices.get(need.device());
    long before = device.arena();
    device.arenas.computeIfPresent(need.arena(), (size, count) -> count == 1 ? null : count - 1);
    device.account.used -= before - device.arena();
    device.keys.get(need.key()).users--;
    device.partitions--;
    device.work -= need.work();
  }

  /** Returns the host's part of a reservation; doing it twice changes nothing. */
  void releaseMemory(Grant grant) {
    if (!grant.memoryHeld) {
      return;
    }
    grant.memoryHeld = false;
    host.used -= grant.need.host();
    pinned.used -= grant.need.pinned();
  }

  /** A partition that was admitted has ended. */
  void leave() {
    inFlight--;
  }

  /** How long a device took for some work; steers the choice between unequal devices. */
  void measured(int device, long work, double seconds) {
    DeviceBook book = devices.get(device);
    double rate = seconds / Math.max(1, work);
    book.secondsPerByte =
        book.secondsPerByte == 0 ? rate : 0.75 * book.secondsPerByte + 0.25 * rate;
  }

  private void evictFor(Waiting candidate, List<Eviction> evictions) {
    if (candidate.shortage != Shortage.DEVICE && candidate.shortage != Shortage.HOST) {
      return;
    }
    for (Need need : candidate.request.needs()) {
      DeviceBook device = devices.get(need.device());
      if (!device.enabled) {
        continue;
      }
      long missing = deviceIncrease(need, device) - device.account.free();
      if (device.account == host) {
        missing += hostIncrease(candidate.request, need);
      }
      List<Map.Entry<ProvingKey, KeySlot>> victims = new ArrayList<>();
      for (Map.Entry<ProvingKey, KeySlot> entry : device.keys.entrySet()) {
        if (entry.getValue().evicting) {
          missing -= entry.getValue().bytes;
        } else if (entry.getValue().users == 0 && entry.getKey() != need.key()) {
          victims.add(entry);
        }
      }
      victims.sort(Comparator.comparingLong(entry -> entry.getValue().lastUse));
      long possible = victims.stream().mapToLong(entry -> entry.getValue().bytes).sum();
      if (missing > 0 && missing > possible) {
        continue;
      }
      for (Map.Entry<ProvingKey, KeySlot> victim : victims) {
        if (missing <= 0) {
          break;
        }
        missing -= victim.getValue().bytes;
        victim.getValue().evicting = true;
        pendingEvictions++;
        evictions.add(new Eviction(need.device(), victim.getKey()));
      }
      return;
    }
  }

  /** A device has closed a key that was to be evicted. */
  void keyClosed(int device, ProvingKey key) {
    DeviceBook book = devices.get(device);
    KeySlot slot = book.keys.get(key);
    if (slot == null || !slot.evicting) {
      throw new IllegalStateException("a key was closed that nobody asked to close");
    }
    book.keys.remove(key);
    book.account.used -= slot.bytes;
    pendingEvictions--;
  }

  /** Bytes reserved now, keys that nobody uses included. */
  EngineSnapshot.Reserved reserved() {
    List<Long> ofDevices = new ArrayList<>(devices.size());
    for (DeviceBook device : devices) {
      ofDevices.add(device.account == host ? 0 : device.account.used);
    }
    return new EngineSnapshot.Reserved(host.used, pinned.used, ofDevices);
  }

  /** Bytes reserved now, the keys that nobody uses left out. */
  long reservedBytes() {
    long total = host.used + pinned.used;
    for (DeviceBook device : devices) {
      total += device.account == host ? 0 : device.account.used;
      for (KeySlot slot : device.keys.values()) {
        total -= slot.users == 0 ? slot.bytes : 0;
      }
    }
    return total;
  }

  /** The largest overdraft of any account; never positive. */
  long overdraft() {
    long worst = Math.max(-host.free(), -pinned.free());
    for (DeviceBook device : devices) {
      worst = Math.max(worst, -device.account.free());
    }
    return worst;
  }
}
