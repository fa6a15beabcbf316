package dev.cuzk.engine.simulation;

import dev.cuzk.device.Backend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.device.DeviceStatus;
import dev.cuzk.device.Plan;
import dev.cuzk.device.Planner;
import dev.cuzk.device.Stage;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.key.Query;
import dev.cuzk.key.QuotientForm;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.memory.PlainBuffer;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
   * @param keyLoadMs time to load a key
   * @param proofMs time for one proof
   */
  public record Model(
      int ordinal, long memoryBytes, long keyLoadMs, double proofMs, boolean cancellable) {
    public Model(int ordinal, long memoryBytes, double proofMs) {
      this(ordinal, memoryBytes, 0, proofMs, true);
    }
  }

  private final Model model;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong peak = new AtomicLong();
  private final AtomicInteger inCall = new AtomicInteger();
  private final AtomicInteger buffers = new AtomicInteger();
  private final AtomicInteger openKeys = new AtomicInteger();
  private final AtomicInteger openTasks = new AtomicInteger();
  private final AtomicInteger keyLoads = new AtomicInteger();
  private volatile boolean closed;

  public FakeBackend(Model model) {
    this.model = model;
  }

  /** Bytes of device memory in use at the worst moment. */
  public long peakBytes() {
    return peak.get();
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
  public Buffer allocatePinned(long bytes) throws DeviceException {
    buffers.incrementAndGet();
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

  /** The sum of the points' bytes for the key; three vectors of the domain for a proof. */
  @Override
  public MemoryNeeds needs(ProvingKey key, Plan plan) {
    long keyBytes = key.entryCount() * 44;
    for (Query query : Query.values()) {
      keyBytes += key.count(query) * key.curve().pointBytes(query.isG2());
    }
    long domainBytes = (long) CurveId.SCALAR_BYTES << key.domainLog2();
    long proofBytes = 3 * domainBytes;
    if (!plan.residentKey()) {
      proofBytes = plan.batch() * proofBytes + keyBytes / 16;
      keyBytes = 0;
    }
    return new MemoryNeeds(keyBytes, proofBytes, key.variables() * CurveId.SCALAR_BYTES, 1 << 10);
  }

  /** The resident plan, or the largest batch of a streamed key that fits. */
  @Override
  public Planner.Choice choosePlan(ProvingKey key, long memory, Plan wish) {
    Plan plan = Plan.RESIDENT;
    MemoryNeeds needs = needs(key, plan);
    for (int batch = wish.batch(); batch >= 1 && !fits(needs, memory); batch--) {
      plan = new Plan(false, batch, 0, 0, 20);
      needs = needs(key, plan);
    }
    return new Planner.Choice(plan, needs, fits(needs, memory));
  }

  private static boolean fits(MemoryNeeds needs, long memory) {
    return needs.keyBytes() + needs.proofBytes() <= memory;
  }

  @Override
  public LoadedKey load(ProvingKey key, Plan plan) throws DeviceException {
    enter("load");
    try {
      long bytes = needs(key, plan).keyBytes();
      allocate(bytes);
      keyLoads.incrementAndGet();
      openKeys.incrementAndGet();
      LoadedKey loaded = new FakeKey(key, bytes);
      try {
        TimeUnit.MILLISECONDS.sleep(model.keyLoadMs);
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
    private final long bytes;
    private boolean open = true;

    FakeKey(ProvingKey source, long bytes) {
      this.source = source;
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
      long bytes = needs(key.source()).proofBytes() * requests.size();
      allocate(bytes);
      openTasks.incrementAndGet();
      return new FakeTask(key.source(), List.copyOf(requests), bytes);
    } finally {
      inCall.decrementAndGet();
    }
  }

  private final class FakeTask implements ProofTask {
    private final ProvingKey key;
    private final List<ProofRequest> requests;
    private final long bytes;
    private final CountDownLatch cancelled = new CountDownLatch(1);

    FakeTask(ProvingKey key, List<ProofRequest> requests, long bytes) {
      this.key = key;
      this.requests = requests;
      this.bytes = bytes;
    }

    @Override
    public ProofResult await() throws DeviceException {
      enter("await");
      try {
        long start = System.nanoTime();
        pass((long) (model.proofMs * 1e6 * requests.size()));
        List<byte[]> points = new ArrayList<>();
        for (ProofRequest request : requests) {
          points.add(points(key, request));
        }
        double total = (System.nanoTime() - start) / 1e6;
        double[] begin = new double[Stage.values().length];
        double[] ms = new double[Stage.values().length];
        ms[Stage.MSM_H.ordinal()] = total;
        return new ProofResult(points, new StageTimes(begin, ms, total, 0, used.get()));
      } finally {
        used.addAndGet(-bytes);
        openTasks.decrementAndGet();
        inCall.decrementAndGet();
      }
    }

    private void pass(long nanos) throws DeviceException {
      long end = System.nanoTime() + nanos;
      boolean interrupted = false;
      try {
        while (end - System.nanoTime() > 0) {
          try {
            if (cancelled.await(end - System.nanoTime(), TimeUnit.NANOSECONDS)
                && model.cancellable) {
              throw new DeviceException(DeviceStatus.CANCELLED, 0, "cancelled");
            }
          } catch (InterruptedException likeNativeCode) {
            interrupted = true;
          }
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public void cancel() {
      cancelled.countDown();
    }
  }

  private static byte[] points(ProvingKey key, ProofRequest request) throws DeviceException {
    int width = key.curve().baseFieldBytes();
    byte[] points = new byte[8 * width];
    byte[] last = new byte[CurveId.SCALAR_BYTES];
    long size = request.witness().byteSize();
    request.witness().view(size - last.length, last.length).get(last);
    System.arraycopy(last, 0, points, 0, last.length);
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(request.r());
      digest.update(request.s());
      for (long offset = 0; offset < size; offset += 1 << 20) {
        digest.update(request.witness().view(offset, (int) Math.min(size - offset, 1 << 20)));
      }
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

  private void enter(String call) throws DeviceException {
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
  public Timed<byte[]> msm(
      CurveId curve, boolean g2, ByteBuffer points, ByteBuffer scalars, long count) {
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
      ByteBuffer values) {
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
