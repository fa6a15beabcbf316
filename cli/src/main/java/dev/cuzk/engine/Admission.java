package dev.cuzk.engine;

import dev.cuzk.engine.DeviceBook.Account;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Decides which partition may begin, and on which device. A partition gets all it needs at once or
 * nothing, so that nothing is held while waiting for more; memory is what is counted, exactly.
 *
 * <p>Accounts: host memory, page-locked memory, and each device's memory ({@link DeviceBook}), in
 * which keys that nobody uses stay until the room is wanted. For the CPU, device memory is host
 * memory.
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
   * @param keyBytes of the key on the device
   * @param keyHost host memory that the key takes besides while it is loaded, and, streamed, as
   *     long as it stays; counted once a key and device
   * @param arena device memory while proofs run
   * @param work a measure of the work, for choosing the device: the assignment's bytes
   * @param batch partitions of this key that fit into the arena together
   */
  record Need(
      int device,
      long host,
      long pinned,
      PlannedKey key,
      long keyBytes,
      long keyHost,
      long arena,
      long work,
      int batch) {}

  /** A device's memory; {@code cpu}: it is the host's. */
  record DeviceBudget(boolean cpu, long bytes) {}

  /** A key nobody uses, to be closed by its device; {@link #keyClosed} must follow. */
  record Eviction(int device, PlannedKey key) {}

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
  private final int synthesisThreads;
  private double synthesisPerByte;
  private long waitingWork;

  /** {@code maxInFlight} 0 = no limit but memory and the devices' run-ahead. */
  Admission(
      long hostBudget,
      long pinnedBudget,
      List<DeviceBudget> budgets,
      int maxInFlight,
      int synthesisThreads) {
    this.synthesisThreads = synthesisThreads;
    this.host = new Account(hostBudget);
    this.pinned = new Account(pinnedBudget);
    this.maxInFlight = maxInFlight == 0 ? Integer.MAX_VALUE : maxInFlight;
    budgets.forEach(this::addDevice);
  }

  /** Adds a device and returns its index. */
  int addDevice(DeviceBudget budget) {
    devices.add(new DeviceBook(budget.cpu() ? host : new Account(budget.bytes()), host));
    return devices.size() - 1;
  }

  /**
   * Why a request could not be admitted even with nothing else running: the numbers, or empty if it
   * could.
   */
  Optional<String> neverFits(List<Need> needs) {
    StringBuilder text = new StringBuilder();
    for (Need need : needs) {
      int before = text.length();
      neverFits(need, text);
      if (text.length() == before) {
        return Optional.empty();
      }
    }
    return Optional.of(text.toString());
  }

  /** Whether nothing but its size could keep a request from this device. */
  boolean canFit(Need need) {
    return neverFits(List.of(need)).isEmpty();
  }

  private void neverFits(Need need, StringBuilder text) {
    DeviceBook device = devices.get(need.device());
    long ofDevice = need.keyBytes() + need.arena();
    boolean cpu = device.account == host;
    long ofHost = need.host() + need.keyHost() + (cpu ? ofDevice : 0);
    if (ofHost > host.budget) {
      append(text, ofHost, "host memory", host.budget);
    } else if (need.pinned() > pinned.budget) {
      append(text, need.pinned(), "page-locked memory", pinned.budget);
    } else if (!cpu && ofDevice > device.account.budget) {
      append(text, ofDevice, "memory on device " + need.device(), device.account.budget);
    }
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
    waitingWork += work(request);
    if (request.holdsMemory()) {
      waitingWithMemory++;
    }
  }

  private static long work(Request request) {
    return request.needs().isEmpty() ? 0 : request.needs().get(0).work();
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
    waitingWork -= work(request);
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

  /**
   * The device that is done with it first, of those that can take it now; none, if one that has
   * enough to do already would be done sooner with all that waits.
   */
  private Need choose(Waiting candidate) {
    Need best = null;
    double bestFinish = Double.MAX_VALUE;
    double patience = Double.MAX_VALUE;
    Shortage shortage = Shortage.NONE;
    double slowest = devices.stream().mapToDouble(DeviceBook::secondsPerByte).max().orElse(0);
    double unknownRate = Math.max(slowest, 1e-9);
    for (Need need : candidate.request.needs()) {
      DeviceBook device = devices.get(need.device());
      if (!device.enabled) {
        continue;
      }
      Shortage here = shortageOn(candidate.request, need, device);
      if (here == Shortage.NONE) {
        double finish = device.expectedFinish(need, 0, unknownRate);
        if (finish < bestFinish) {
          bestFinish = finish;
          best = need;
        }
      } else {
        shortage = here.compareTo(shortage) > 0 ? here : shortage;
        if (here == Shortage.RUN_AHEAD && device.secondsPerByte() > 0) {
          patience = Math.min(patience, device.expectedFinish(need, waitingWork, unknownRate));
        }
      }
    }
    if (best != null && bestFinish > patience) {
      best = null;
      shortage = Shortage.RUN_AHEAD;
    }
    candidate.shortage = best == null ? shortage : Shortage.NONE;
    return best;
  }

  private Shortage shortageOn(Request request, Need need, DeviceBook device) {
    if (!request.holdsMemory()) {
      if (inFlight >= maxInFlight) {
        return Shortage.IN_FLIGHT;
      }
      if (device.enoughAhead(need, synthesisPerByte, synthesisThreads)) {
        return Shortage.RUN_AHEAD;
      }
    }
    if (device.isEvicting(need.key())) {
      return Shortage.DEVICE;
    }
    long ofDevice = device.increase(need);
    long ofHost =
        hostIncrease(request, need)
            + device.hostIncrease(need)
            + (device.account == host ? ofDevice : 0);
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

  private Grant reserve(Request request, Need need) {
    Grant grant = new Grant(request, need);
    devices.get(need.device()).reserve(need);
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
    devices.get(grant.need.device()).release(grant.need);
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
    devices.get(device).measured(work, seconds);
  }

  /** How long a synthesis took; steers how far synthesis runs ahead. */
  void synthesized(long work, double seconds) {
    double rate = seconds / Math.max(1, work);
    synthesisPerByte = synthesisPerByte == 0 ? rate : 0.75 * synthesisPerByte + 0.25 * rate;
  }

  /** See {@link DeviceBook#takesAtLeast}. */
  void takesAtLeast(int device, double secondsAByte) {
    devices.get(device).takesAtLeast(secondsAByte);
  }

  /** Whether a device has nothing to do and could be given something. */
  boolean isIdle(int device) {
    return devices.get(device).enabled && devices.get(device).idle();
  }

  /**
   * Whether a partition that was admitted to a device would be done sooner on another one, after
   * all that waits.
   *
   * @param ahead work that comes before it where it is
   */
  boolean soonerOn(Need there, Need here, long ahead) {
    DeviceBook other = devices.get(there.device());
    double known = devices.get(here.device()).secondsPerByte();
    double unknownRate = Math.max(other.secondsPerByte(), known);
    double rate = known > 0 ? known : unknownRate;
    return rate > 0
        && other.increase(there) <= other.account.free()
        && !other.isEvicting(there.key())
        && other.expectedFinish(there, waitingWork, unknownRate) < (ahead + here.work()) * rate;
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
      long missing = device.increase(need) - device.account.free();
      long ofHost = hostIncrease(candidate.request, need) + device.hostIncrease(need);
      if (device.account == host) {
        missing += ofHost;
        ofHost = missing;
      } else {
        ofHost -= host.free();
      }
      List<PlannedKey> victims = device.evict(missing, ofHost, need.key());
      if (victims != null) {
        pendingEvictions += victims.size();
        victims.forEach(key -> evictions.add(new Eviction(need.device(), key)));
        return;
      }
    }
  }

  /** A device has closed a key that was to be evicted. */
  void keyClosed(int device, PlannedKey key) {
    devices.get(device).closed(key);
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
      total -= device.idleBytes();
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
