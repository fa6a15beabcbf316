package dev.cuzk.engine.simulation;

import dev.cuzk.device.Backend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.device.DeviceStatus;
import dev.cuzk.device.Plan;
import dev.cuzk.device.Planner;
import dev.cuzk.engine.Scheduler;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.key.QuotientForm;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.memory.PackedScalars;
import dev.cuzk.memory.PlainBuffer;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A device that computes nothing and behaves like one: it has a memory of a chosen size that it
 * counts to the byte, takes a chosen time for keys and proofs, is used by one thread at a time, and
 * refuses what a real one refuses. For simulations and for tests of the engine.
 *
 * <p>What it gives for a proof depends on witness, r and s as a real proof does: A's x is the last
 * value of the assignment, everything else a digest of all three. The circuit it stands for demands
 * that the last value is the sum of the public inputs.
 */
public final class FakeBackend implements Backend {
  /**
   * How a fake device is made.
   *
   * @param ordinal −1: a CPU
   * @param memoryBytes of the device; a CPU's is the host's and only reported
   */
  public record Model(int ordinal, long memoryBytes, FakeCosts costs, boolean cancellable) {
    public Model(int ordinal, long memoryBytes, long keyLoadMs, double proofMs, boolean cancel) {
      this(ordinal, memoryBytes, FakeCosts.of(keyLoadMs, proofMs), cancel);
    }

    public Model(int ordinal, long memoryBytes, double proofMs) {
      this(ordinal, memoryBytes, FakeCosts.of(0, proofMs), true);
    }
  }

  /** Larger assignments than this exist at their ends alone. */
  private static final long WHOLE_BUFFER_BYTES = 1L << 20;

  private final Model model;
  private final Scheduler scheduler;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong peak = new AtomicLong();
  private final AtomicInteger inCall = new AtomicInteger();
  private final AtomicInteger buffers = new AtomicInteger();
  private final AtomicInteger openKeys = new AtomicInteger();
  private final AtomicInteger openTasks = new AtomicInteger();
  private final AtomicInteger keyLoads = new AtomicInteger();
  private volatile long freeNanos;
  private volatile boolean closed;
  private volatile int threadLimit = Integer.MAX_VALUE;

  public FakeBackend(Model model) {
    this(model, Scheduler.SYSTEM);
  }

  public FakeBackend(Model model, Scheduler scheduler) {
    this.model = model;
    this.scheduler = scheduler;
  }

  /** Bytes of device memory in use at the worst moment. */
  public long peakBytes() {
    return peak.get();
  }

  /** What a CPU would use now: as many threads as it may, or none. */
  public int threadsAtWork() {
    return inCall.get() == 0 ? 0 : threadLimit;
  }

  public int threadLimit() {
    return threadLimit;
  }

  @Override
  public void limitThreads(int threads) {
    if (threads < 1) {
      throw new IllegalStateException("a device that proves needs a thread");
    }
    threadLimit = threads;
  }

  public int keyLoads() {
    return keyLoads.get();
  }

  public boolean isClosed() {
    return closed;
  }

  /** Buffers, keys and tasks that were taken and not given back. */
  public int leaks() {
    return buffers.get() + openKeys.get() + openTasks.get();
  }

  @Override
  public DeviceDescription description() {
    boolean cpu = model.ordinal < 0;
    return new DeviceDescription(
        model.ordinal,
        cpu ? "fake CPU" : "fake GPU " + model.ordinal,
        cpu ? "" : "GPU-fa4e0000-0000-0000-0000-00000000000" + model.ordinal,
        cpu ? "" : "00000000:0" + model.ordinal + ":00.0",
        "fake",
        0,
        0,
        1,
        model.memoryBytes,
        model.memoryBytes,
        "fake");
  }

  @Override
  public Buffer allocatePinned(long bytes) {
    buffers.incrementAndGet();
    if (bytes > WHOLE_BUFFER_BYTES) {
      return new FakeBuffer(bytes, buffers::decrementAndGet);
    }
    Buffer memory = PlainBuffer.allocate(bytes);
    return new Buffer() {
      private boolean open = true;

      @Override
      public Kind kind() {
        return Kind.PINNED;
      }

      @Override
      public long byteSize() {
        return memory.byteSize();
      }

      @Override
      public long address() {
        return memory.address();
      }

      @Override
      public ByteBuffer view(long offset, int length) {
        return memory.view(offset, length);
      }

      @Override
      public synchronized void close() {
        if (open) {
          open = false;
          buffers.decrementAndGet();
          memory.close();
        }
      }
    };
  }

  @Override
  public MemoryNeeds needs(ProvingKey key, Plan plan) {
    return model.costs.needs(key, plan);
  }

  @Override
  public Planner.Choice choosePlan(ProvingKey key, long memory, Plan wish) {
    return model.costs.choose(key, memory, wish);
  }

  @Override
  public LoadedKey load(ProvingKey key, Plan plan) throws DeviceException {
    enter("load");
    try {
      long bytes = needs(key, plan).keyBytes();
      allocate(bytes);
      keyLoads.incrementAndGet();
      openKeys.incrementAndGet();
      LoadedKey loaded = new FakeKey(key, plan, bytes);
      try {
        scheduler.sleep((long) (model.costs.keyLoadMs(key, plan) * 1e6));
      } catch (InterruptedException interrupted) {
        loaded.close();
        throw new DeviceException(DeviceStatus.CANCELLED, 0, "loading the key was cancelled");
      }
      return loaded;
    } finally {
      inCall.decrementAndGet();
    }
  }

  private final class FakeKey implements LoadedKey {
    private final ProvingKey source;
    private final Plan plan;
    private final long bytes;
    private boolean open = true;
    private int openTasks;
    private long proofBytes;

    FakeKey(ProvingKey source, Plan plan, long bytes) {
      this.source = source;
      this.plan = plan;
      this.bytes = bytes;
    }

    @Override
    public ProvingKey source() {
      return source;
    }

    @Override
    public void close() {
      if (open) {
        open = false;
        openKeys.decrementAndGet();
        used.addAndGet(-bytes);
      }
    }
  }

  @Override
  public ProofTask submit(LoadedKey key, List<ProofRequest> requests) throws DeviceException {
    enter("submit");
    try {
      FakeKey loaded = (FakeKey) key;
      if (!loaded.open) {
        throw new IllegalStateException("the key was closed");
      }
      // Plans for several proofs have room for as many, and make more of them in turns, also if
      // they are of several tasks.
      boolean several = loaded.plan.batch() > 1;
      long bytes = needs(loaded.source, loaded.plan).proofBytes();
      if (several && loaded.openTasks > 0) {
        bytes = 0;
      } else if (!several) {
        bytes *= requests.size();
      }
      allocate(bytes);
      loaded.openTasks++;
      loaded.proofBytes += bytes;
      openTasks.incrementAndGet();
      return new FakeTask(loaded, List.copyOf(requests));
    } finally {
      inCall.decrementAndGet();
    }
  }

  private final class FakeTask implements ProofTask {
    private final FakeKey key;
    private final List<ProofRequest> requests;
    private final Scheduler.Monitor monitor = scheduler.monitor();
    private final double[] ms;
    private final long submitted = scheduler.nanoTime();
    private final long begin = Math.max(submitted, freeNanos);
    private final long end;
    private boolean cancelled;

    FakeTask(FakeKey key, List<ProofRequest> requests) {
      this.key = key;
      this.requests = requests;
      ms = model.costs.stageMs(key.source, key.plan);
      double total = 0;
      for (int stage = 0; stage < ms.length; stage++) {
        ms[stage] *= requests.size();
        total += ms[stage];
      }
      end = begin + (long) (total * 1e6);
      freeNanos = end;
    }

    @Override
    public ProofResult await() throws DeviceException {
      enter("await");
      try {
        double[] starts = new double[ms.length];
        double reached = (begin - submitted) / 1e6;
        for (int stage = 0; stage < ms.length; stage++) {
          starts[stage] = reached;
          reached += ms[stage];
        }
        pass();
        List<byte[]> points = new ArrayList<>();
        long uploaded = 0;
        for (ProofRequest request : requests) {
          points.add(points(key.source, request));
          uploaded += request.witness().byteSize();
        }
        return new ProofResult(points, new StageTimes(starts, ms, reached, uploaded, used.get()));
      } finally {
        if (--key.openTasks == 0 || key.plan.batch() == 1) {
          used.addAndGet(-key.proofBytes);
          key.proofBytes = 0;
        }
        openTasks.decrementAndGet();
        inCall.decrementAndGet();
      }
    }

    /** Like native code, it cannot be interrupted. */
    private void pass() throws DeviceException {
      boolean interrupted = false;
      monitor.lock();
      try {
        while (end - scheduler.nanoTime() > 0) {
          if (cancelled && model.cancellable) {
            if (freeNanos == end) {
              freeNanos = Math.max(begin, scheduler.nanoTime());
            }
            throw new DeviceException(DeviceStatus.CANCELLED, 0, "cancelled");
          }
          try {
            monitor.awaitNanos(end - scheduler.nanoTime());
          } catch (InterruptedException likeNativeCode) {
            interrupted = true;
          }
        }
      } finally {
        monitor.unlock();
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public void cancel() {
      monitor.lock();
      cancelled = true;
      monitor.signalAll();
      monitor.unlock();
    }
  }

  private static byte[] points(ProvingKey key, ProofRequest request) {
    int width = key.curve().baseFieldBytes();
    byte[] points = new byte[8 * width];
    byte[] last = lastScalar(request, key.variables());
    long size = request.witness().byteSize();
    System.arraycopy(last, 0, points, 0, last.length);
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(request.r());
      digest.update(request.s());
      int end = (int) Math.min(size, FakeBuffer.END_BYTES);
      digest.update(request.witness().view(0, end));
      digest.update(request.witness().view(size - end, end));
      byte[] rest = digest.digest();
      // The last byte stays zero, so that each coordinate is below the modulus.
      for (int coordinate = 1; coordinate < 8; coordinate++) {
        System.arraycopy(rest, 0, points, coordinate * width, width - 1 > 31 ? 31 : width - 1);
      }
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
    return points;
  }

  private static byte[] lastScalar(ProofRequest request, long variables) {
    byte[] last = new byte[CurveId.SCALAR_BYTES];
    Buffer witness = request.witness();
    if (!request.packed()) {
      witness.view(witness.byteSize() - last.length, last.length).get(last);
      return last;
    }
    // See CUZK_WITNESS_PACKED in cuzk.h.
    int blocks = (int) ((variables + 63) / 64);
    ByteBuffer head = witness.view(0, 16 + 16 * blocks);
    int word = 16 + 8 * (blocks - 1);
    if (head.getLong(0) != variables) {
      throw new IllegalStateException("a packed assignment of another length");
    }
    if ((head.getLong(word + 8 * blocks) >>> variables - 1 & 1) == 1) {
      long values = PackedScalars.byteSize(variables, head.getLong(8) - 1);
      witness.view(values, last.length).get(last);
    } else {
      last[0] = (byte) (head.getLong(word) >>> variables - 1 & 1);
    }
    return last;
  }

  private void enter(String call) {
    if (closed) {
      throw new IllegalStateException(call + " on a closed device");
    }
    if (inCall.incrementAndGet() != 1) {
      throw new IllegalStateException("two threads use " + description().name() + " at once");
    }
  }

  private void allocate(long bytes) throws DeviceException {
    long now = used.addAndGet(bytes);
    peak.accumulateAndGet(now, Math::max);
    if (model.ordinal >= 0 && now > model.memoryBytes) {
      used.addAndGet(-bytes);
      throw new DeviceException(
          DeviceStatus.OUT_OF_DEVICE_MEMORY,
          bytes,
          description().name() + ": out of memory: " + bytes + " bytes asked for");
    }
  }

  @Override
  public Timed<byte[]> msm(CurveId curve, boolean g2, Buffer points, Buffer scalars, long count) {
    throw new UnsupportedOperationException("a fake device has no arithmetic");
  }

  @Override
  public void fixedBase(
      CurveId curve, boolean g2, byte[] base, ByteBuffer scalars, long count, ByteBuffer points) {
    throw new UnsupportedOperationException("a fake device has no arithmetic");
  }

  @Override
  public Timed<Void> ntt(
      CurveId curve,
      QuotientForm quotient,
      boolean inverse,
      int log2Size,
      byte[] cosetShift,
      Buffer values) {
    throw new UnsupportedOperationException("a fake device has no arithmetic");
  }

  @Override
  public void sparseProduct(LoadedKey key, int matrix, ByteBuffer witness, ByteBuffer rows) {
    throw new UnsupportedOperationException("a fake device has no arithmetic");
  }

  @Override
  public void close() {
    if (leaks() != 0) {
      throw new IllegalStateException(leaks() + " buffers, keys or tasks are still open");
    }
    closed = true;
  }
}
