package dev.cuzk.device;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.key.Query;
import dev.cuzk.key.QuotientForm;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** What both libraries have in common, which is all but how they are found. */
abstract class NativeBackend implements Backend {
  private static final int MAX_REQUESTS = 1 << 12;

  /** Points that one call reads from a file. */
  private static final long FILE_PIECE_BYTES = 1L << 30;

  private final NativeLibrary library;
  private final DeviceDescription description;
  private final String label;
  private final Planner planner;
  private final AtomicInteger open = new AtomicInteger();
  private Pointer device;

  NativeBackend(NativeLibrary library, BackendOptions options) throws DeviceException {
    this.library = library;
    this.planner = new Planner(library, library.kind());
    boolean cpu = library.kind() == NativeLibrary.Kind.CPU;
    int ordinal = cpu ? -1 : options.ordinal();
    String name = cpu ? "CPU" : "GPU " + ordinal;
    Memory handle = NativeLibrary.handle();
    Memory arithmetic = NativeLayout.text(options.arithmetic());
    Memory structure = NativeLayout.options(options, arithmetic);
    library.call(name, "cuzk_device_open", structure, handle);
    Reference.reachabilityFence(arithmetic);
    this.device = handle.getPointer(0);
    Memory properties = new Memory(NativeLayout.PROPERTIES_SIZE);
    properties.clear();
    try {
      library.call(name, "cuzk_device_describe", device, properties);
    } catch (DeviceException failure) {
      library.callVoid("cuzk_device_close", device);
      throw failure;
    }
    this.description = NativeLayout.description(properties, ordinal, library.buildId());
    this.label = cpu ? name : name + " (" + description.name() + ")";
  }

  @Override
  public DeviceDescription description() {
    return description;
  }

  @Override
  public void limitThreads(int threads) {
    library.callVoid("cuzk_device_limit_threads", device(), threads);
  }

  @Override
  public Buffer allocatePinned(long bytes) throws DeviceException {
    if (bytes < 0) {
      throw new IllegalArgumentException("a buffer has at least 0 bytes");
    }
    Buffer.Kind kind = description.isCpu() ? Buffer.Kind.PLAIN : Buffer.Kind.PINNED;
    if (bytes == 0) {
      return new PinnedBuffer(kind, null, 0, (memory, size) -> {});
    }
    Memory result = NativeLibrary.handle();
    library.call(label, "cuzk_pinned_allocate", device(), bytes, result);
    open.incrementAndGet();
    return new PinnedBuffer(
        kind,
        result.getPointer(0),
        bytes,
        (memory, size) -> {
          library.callVoid("cuzk_pinned_free", device, memory, size);
          open.decrementAndGet();
        });
  }

  @Override
  public MemoryNeeds needs(ProvingKey key, Plan plan) throws DeviceException {
    return planner.needs(key, plan);
  }

  @Override
  public Planner.Choice choosePlan(ProvingKey key, long memory, Plan wish) throws DeviceException {
    return planner.choose(key, memory, wish);
  }

  // ---- keys -----------------------------------------------------------------------------------

  private final class NativeKey implements LoadedKey {
    private final ProvingKey source;
    private Pointer handle;

    NativeKey(ProvingKey source, Pointer handle) {
      this.source = source;
      this.handle = handle;
      open.incrementAndGet();
    }

    NativeBackend owner() {
      return NativeBackend.this;
    }

    Pointer handle() {
      if (handle == null) {
        throw new IllegalStateException("the key was closed");
      }
      return handle;
    }

    @Override
    public ProvingKey source() {
      return source;
    }

    @Override
    public void close() {
      if (handle != null) {
        library.callVoid("cuzk_key_destroy", handle);
        handle = null;
        open.decrementAndGet();
      }
    }
  }

  @Override
  public LoadedKey load(ProvingKey key, Plan plan) throws DeviceException, InputException {
    NativeKey loaded = create(key, plan);
    boolean complete = false;
    try {
      appendFiles(loaded);
      Optional<ByteBuffer> matrices = key.compactMatrices();
      new KeyStream(key, matrices.isEmpty())
          .run(this::allocatePinned, (piece, data) -> append(loaded, piece, data));
      if (matrices.isPresent()) {
        appendMatrices(loaded, matrices.get());
      }
      library.call(label, "cuzk_key_finish", loaded.handle());
      complete = true;
      return loaded;
    } finally {
      if (!complete) {
        loaded.close();
      }
    }
  }

  /** Queries that lie in a file are read by the library itself. */
  private void appendFiles(NativeKey loaded) throws DeviceException, InputException {
    for (Query query : Query.values()) {
      Optional<FileRange> range = loaded.source().pointsInFile(query);
      if (range.isPresent()) {
        appendFile(loaded, query, range.get());
      }
    }
  }

  /** In pieces, between which the thread may be interrupted. */
  private void appendFile(NativeKey loaded, Query query, FileRange range)
      throws DeviceException, InputException {
    ProvingKey key = loaded.source();
    Memory path = NativeLayout.text(range.path().toAbsolutePath().toString());
    int size = key.curve().pointBytes(query.isG2());
    long most = FILE_PIECE_BYTES / size;
    for (long first = 0; first < key.count(query); first += most) {
      KeyStream.checkInterrupt();
      long count = Math.min(most, key.count(query) - first);
      long offset = range.offset() + first * size;
      try {
        library.call(
            label,
            "cuzk_key_append_file",
            loaded.handle(),
            query.ordinal(),
            first,
            count,
            path,
            offset);
      } catch (DeviceException failure) {
        throw KeyFaults.translated(key, query, failure);
      }
    }
    Reference.reachabilityFence(path);
  }

  private void appendMatrices(NativeKey loaded, ByteBuffer matrices) throws DeviceException {
    KeyStream.checkInterrupt();
    library.call(
        label,
        "cuzk_key_append_matrices",
        loaded.handle(),
        address(matrices),
        (long) matrices.remaining());
    Reference.reachabilityFence(matrices);
  }

  private NativeKey create(ProvingKey key, Plan plan) throws DeviceException, InputException {
    byte[] points = key.singlePoints();
    Memory single = new Memory(points.length);
    single.write(0, points, 0, points.length);
    Memory handle = NativeLibrary.handle();
    try {
      library.call(
          label,
          "cuzk_key_create",
          device(),
          NativeLayout.shape(key),
          NativeLayout.plan(library.kind(), plan),
          key.pointEncoding().ordinal(),
          single,
          (long) points.length,
          handle);
    } catch (DeviceException failure) {
      if (failure.status() == DeviceStatus.INVALID_POINT) {
        String[] names = {"alpha1", "beta1", "delta1", "beta2", "delta2"};
        int index = (int) Math.min(failure.detail(), names.length - 1);
        throw KeyFaults.wrongPoint(key, "the header's " + names[index], names[index], failure);
      }
      throw failure;
    }
    return new NativeKey(key, handle.getPointer(0));
  }

  private void append(NativeKey loaded, KeyStream.Piece piece, Buffer data)
      throws DeviceException, InputException {
    ProvingKey key = loaded.source();
    Pointer bytes = new Pointer(data.address());
    try {
      if (piece.query() == null) {
        int encoding = 1; // CUZK_SCALARS_MONTGOMERY_SQUARED_LE
        library.call(
            label,
            "cuzk_key_append_entries",
            loaded.handle(),
            encoding,
            (long) piece.count(),
            bytes);
      } else if (key.knowsLogarithms()) {
        library.call(
            label,
            "cuzk_key_append_multiples",
            loaded.handle(),
            piece.query().ordinal(),
            piece.first(),
            (long) piece.count(),
            bytes);
      } else {
        library.call(
            label,
            "cuzk_key_append",
            loaded.handle(),
            piece.query().ordinal(),
            piece.first(),
            (long) piece.count(),
            bytes,
            (long) piece.bytes());
      }
    } catch (DeviceException failure) {
      throw KeyFaults.translated(key, piece.query(), failure);
    }
  }

  private NativeKey ours(LoadedKey key) {
    if (key instanceof NativeKey known && known.owner() == this) {
      return known;
    }
    throw new IllegalArgumentException("the key was loaded by another device");
  }

  // ---- proofs ---------------------------------------------------------------------------------

  @Override
  public ProofTask submit(LoadedKey key, List<ProofRequest> requests) throws DeviceException {
    NativeKey loaded = ours(key);
    if (requests.isEmpty() || requests.size() > MAX_REQUESTS) {
      throw new IllegalArgumentException("1 to " + MAX_REQUESTS + " proofs go together");
    }
    long bytes = loaded.source().variables() * CurveId.SCALAR_BYTES;
    for (ProofRequest request : requests) {
      if (request.packed()) {
        checkPacked(bytes, request.witness().byteSize());
      } else {
        checkLength("the assignment", bytes, request.witness().byteSize());
      }
      checkLength("r", CurveId.SCALAR_BYTES, request.r().length);
      checkLength("s", CurveId.SCALAR_BYTES, request.s().length);
    }
    Memory structures = NativeLayout.requests(requests);
    Memory handle = NativeLibrary.handle();
    try {
      library.call(
          label,
          "cuzk_proofs_submit",
          device(),
          loaded.handle(),
          structures,
          requests.size(),
          handle);
    } finally {
      structures.clear();
    }
    return new NativeTask(loaded.source().curve(), List.copyOf(requests), handle.getPointer(0));
  }

  private final class NativeTask implements ProofTask {
    private final CurveId curve;
    private final List<ProofRequest> requests;
    private final Pointer job;
    private boolean destroyed;
    private boolean awaited;

    NativeTask(CurveId curve, List<ProofRequest> requests, Pointer job) {
      this.curve = curve;
      this.requests = requests;
      this.job = job;
      open.incrementAndGet();
    }

    @Override
    public ProofResult await() throws DeviceException {
      synchronized (this) {
        if (awaited) {
          throw new IllegalStateException("the task was awaited before");
        }
        awaited = true;
      }
      int count = requests.size();
      Memory proofs = new Memory((long) NativeLayout.PROOF_SIZE * count);
      Memory timings = new Memory(NativeLayout.TIMINGS_SIZE);
      try {
        library.call(label, "cuzk_proofs_wait", job, proofs, timings);
      } finally {
        Reference.reachabilityFence(requests);
        destroy();
      }
      List<byte[]> points = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        points.add(NativeLayout.proof(proofs, i, curve));
      }
      return new ProofResult(points, NativeLayout.timings(timings));
    }

    private synchronized void destroy() {
      destroyed = true;
      library.callVoid("cuzk_job_destroy", job);
      open.decrementAndGet();
    }

    @Override
    public synchronized void cancel() {
      if (!destroyed) {
        library.callVoid("cuzk_proofs_cancel", job);
      }
    }
  }

  // ---- primitives -----------------------------------------------------------------------------

  @Override
  public Timed<byte[]> msm(CurveId curve, boolean g2, Buffer points, Buffer scalars, long count)
      throws DeviceException {
    checkHolds("points", count * curve.pointBytes(g2), points);
    checkHolds("scalars", count * CurveId.SCALAR_BYTES, scalars);
    byte[] sum = new byte[curve.pointBytes(g2)];
    Memory result = new Memory(sum.length);
    Memory timings = new Memory(NativeLayout.TIMINGS_SIZE);
    library.call(
        label,
        "cuzk_msm",
        device(),
        curve.ordinal(),
        g2 ? 1 : 0,
        0, // CUZK_POINTS_MONTGOMERY_LE
        new Pointer(points.address()),
        new Pointer(scalars.address()),
        count,
        result,
        timings);
    Reference.reachabilityFence(points);
    Reference.reachabilityFence(scalars);
    result.read(0, sum, 0, sum.length);
    return new Timed<>(sum, NativeLayout.timings(timings).totalMs());
  }

  @Override
  public void fixedBase(
      CurveId curve, boolean g2, byte[] base, ByteBuffer scalars, long count, ByteBuffer points)
      throws DeviceException {
    checkLength("the base", curve.pointBytes(g2), base.length);
    checkLength("scalars", count * CurveId.SCALAR_BYTES, scalars.remaining());
    checkLength("points", count * curve.pointBytes(g2), points.remaining());
    Memory copy = new Memory(base.length);
    copy.write(0, base, 0, base.length);
    library.call(
        label,
        "cuzk_fixed_base",
        device(),
        curve.ordinal(),
        g2 ? 1 : 0,
        copy,
        address(scalars),
        count,
        address(points));
    fence(scalars, points);
  }

  @Override
  public Timed<Void> ntt(
      CurveId curve,
      QuotientForm quotient,
      boolean inverse,
      int log2Size,
      byte[] cosetShift,
      Buffer values)
      throws DeviceException {
    if (log2Size < 0 || log2Size > curve.twoAdicity()) {
      throw new IllegalArgumentException(
          "a domain of " + curve + " has 2^0 to 2^" + curve.twoAdicity() + " rows");
    }
    checkLength("values", (long) CurveId.SCALAR_BYTES << log2Size, values.byteSize());
    Memory shift = null;
    if (cosetShift != null) {
      checkLength("the shift", CurveId.SCALAR_BYTES, cosetShift.length);
      shift = new Memory(cosetShift.length);
      shift.write(0, cosetShift, 0, cosetShift.length);
    }
    Memory timings = new Memory(NativeLayout.TIMINGS_SIZE);
    library.call(
        label,
        "cuzk_ntt",
        device(),
        curve.ordinal(),
        quotient.ordinal(),
        inverse ? 1 : 0,
        log2Size,
        shift,
        new Pointer(values.address()),
        timings);
    Reference.reachabilityFence(values);
    return new Timed<>(null, NativeLayout.timings(timings).totalMs());
  }

  @Override
  public void sparseProduct(LoadedKey key, int matrix, ByteBuffer witness, ByteBuffer rows)
      throws DeviceException {
    NativeKey loaded = ours(key);
    ProvingKey source = loaded.source();
    if (matrix < 0 || matrix > 2) {
      throw new IllegalArgumentException("the matrices are 0 = A, 1 = B, 2 = C");
    }
    checkLength("the assignment", source.variables() * CurveId.SCALAR_BYTES, witness.remaining());
    checkLength("rows", (long) CurveId.SCALAR_BYTES << source.domainLog2(), rows.remaining());
    library.call(
        label, "cuzk_sparse_product", loaded.handle(), matrix, address(witness), address(rows));
    fence(witness, rows);
  }

  private static void checkLength(String what, long expected, long found) {
    if (expected != found) {
      throw new IllegalArgumentException(
          what + ": expected " + expected + " bytes, found " + found);
    }
  }

  private static void checkHolds(String what, long least, Buffer buffer) {
    if (least < 0 || buffer.byteSize() < least) {
      throw new IllegalArgumentException(
          what + ": expected at least " + least + " bytes, found " + buffer.byteSize());
    }
  }

  private static void checkPacked(long plain, long found) {
    if (found > plain) {
      throw new IllegalArgumentException(
          "a packed assignment: expected at most " + plain + " bytes, found " + found);
    }
  }

  @Override
  public long pack(Buffer witness, long variables, Buffer target) throws DeviceException {
    checkLength("the assignment", variables * CurveId.SCALAR_BYTES, witness.byteSize());
    Memory bytes = NativeLibrary.handle();
    library.call(
        label,
        "cuzk_witness_pack",
        device(),
        new Pointer(witness.address()),
        variables,
        new Pointer(target.address()),
        target.byteSize(),
        bytes);
    Reference.reachabilityFence(witness);
    Reference.reachabilityFence(target);
    return bytes.getLong(0);
  }

  @Override
  public double upload(Buffer source) throws DeviceException {
    Memory ms = NativeLibrary.handle();
    library.call(
        label, "cuzk_upload", device(), new Pointer(source.address()), source.byteSize(), ms);
    Reference.reachabilityFence(source);
    return ms.getDouble(0);
  }

  private static Pointer address(ByteBuffer buffer) {
    if (!buffer.isDirect()) {
      throw new IllegalArgumentException("native code reads direct buffers only");
    }
    if (buffer.capacity() == 0) {
      return Pointer.NULL;
    }
    return Native.getDirectBufferPointer(buffer).share(buffer.position());
  }

  private static void fence(ByteBuffer one, ByteBuffer other) {
    Reference.reachabilityFence(one);
    Reference.reachabilityFence(other);
  }

  private Pointer device() {
    if (device == null) {
      throw new IllegalStateException(label + " was closed");
    }
    return device;
  }

  @Override
  public void close() {
    if (device == null) {
      return;
    }
    if (open.get() > 0) {
      throw new IllegalStateException(
          label + ": " + open.get() + " buffers, keys or tasks are still open");
    }
    library.callVoid("cuzk_device_close", device);
    device = null;
  }
}
