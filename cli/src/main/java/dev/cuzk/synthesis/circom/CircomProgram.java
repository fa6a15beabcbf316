package dev.cuzk.synthesis.circom;

import com.dylibso.chicory.runtime.ChicoryInterruptedException;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Machine;
import com.dylibso.chicory.wasm.ChicoryException;
import com.dylibso.chicory.wasm.WasmModule;
import dev.cuzk.format.ByteSource;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.synthesis.UnsatisfiedException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Function;

/**
 * A circom 2 witness program ({@code circuit.wasm}), loaded and ready to make witnesses.
 *
 * <p>Safe for use by any number of threads: each witness is made in an instance and a memory of its
 * own. Memories are kept for the next witness, zeroed, so that nothing of a witness outlives it and
 * signals that a circuit never assigns are zero in every witness.
 *
 * <p>Components of a circuit call each other, so a deep circuit needs a deep stack: a witness that
 * overflows its thread's stack is made again on a thread with {@value #LARGE_STACK_BYTES} bytes.
 */
public final class CircomProgram {
  private static final long LARGE_STACK_BYTES = 1L << 30;
  private static final long MAXIMUM_MODULE_BYTES = 1L << 30;
  private static final int READER_BYTES = 1 << 18;

  private final String file;
  private final String sha256;
  private final WasmModule module;
  private final Function<Instance, Machine> machineFactory;
  private final int pages;
  private final Deque<FlatMemory> memories = new ConcurrentLinkedDeque<>();
  private CurveId curve;
  private int witnessSize;
  private int inputSize;
  private volatile boolean deep;

  private CircomProgram(String file, String sha256, CompiledProgram compiled)
      throws InputException {
    this.file = file;
    this.sha256 = sha256;
    this.module = compiled.parse();
    ProgramAbi.check(file, module);
    this.pages = ProgramAbi.memoryPages(file, module);
    this.machineFactory = compiled.machineFactory();
  }

  /**
   * Opens a program: a file, or a part of a container.
   *
   * @throws InputException as {@link #load}, or if the file cannot be read
   */
  public static CircomProgram open(FileRange file, ProgramCache cache) throws InputException {
    byte[] wasm;
    try (ByteSource source = file.open()) {
      if (source.length() > MAXIMUM_MODULE_BYTES) {
        throw new InputException(
            source.name(),
            "too large for a circom program (expected at most "
                + MAXIMUM_MODULE_BYTES
                + " bytes, found "
                + source.length()
                + ")");
      }
      wasm = new byte[(int) source.length()];
      source.read(0, ByteBuffer.wrap(wasm));
      source.verifyUnchanged();
    }
    return load(file.name(), wasm, cache);
  }

  /**
   * Loads a program; compiles it unless the cache has it.
   *
   * @param file the file or the part of a container, for messages
   * @param wasm the module
   * @throws InputException if it is not a WebAssembly module, does not have circom 2's calling
   *     convention, or computes over another field than the two curves'
   */
  public static CircomProgram load(String file, byte[] wasm, ProgramCache cache)
      throws InputException {
    String sha256 = ProgramCache.digest(wasm);
    Optional<CompiledProgram> kept = cache.load(sha256);
    CompiledProgram compiled;
    if (kept.isPresent()) {
      compiled = kept.get();
    } else {
      ProgramAbi.checkBeforeCompiling(file, wasm);
      compiled = ProgramCompiler.compile(file, wasm);
      cache.store(sha256, compiled);
    }
    CircomProgram program = new CircomProgram(file, sha256, compiled);
    program.readFacts();
    return program;
  }

  private void readFacts() throws InputException {
    FlatMemory memory = acquire();
    try {
      ProgramInstance instance = new ProgramInstance(module, machineFactory, memory);
      ProgramAbi.checkVersion(file, instance.number("getVersion"));
      int words = instance.number("getFieldNumLen32");
      BigInteger prime = words == ProgramInstance.FIELD_WORDS ? instance.prime() : null;
      curve =
          Optional.ofNullable(prime)
              .flatMap(CurveId::byScalarModulus)
              .orElseThrow(
                  () ->
                      new InputException(
                          file,
                          "computes over another field than bn254's or bls12-381's (prime "
                              + (prime == null ? "of " + 32 * words + " bits" : prime)
                              + "); compile the circuit with --prime bn128 or bls12381"));
      witnessSize = instance.number("getWitnessSize");
      inputSize = instance.number("getInputSize");
    } catch (ChicoryException | LinkageError | IndexOutOfBoundsException e) {
      throw new InputException(file, "cannot be run: " + e.getMessage(), e);
    } finally {
      release(memory);
    }
  }

  /** The program, as the user named it. */
  public String file() {
    return file;
  }

  /** SHA-256 of the module, 64 hex digits. */
  public String sha256() {
    return sha256;
  }

  /** The curve over whose scalar field the program computes. */
  public CurveId curve() {
    return curve;
  }

  /** Scalars in a witness, ONE counted. */
  public int witnessSize() {
    return witnessSize;
  }

  /** Values that an input has, over all signals. */
  public int inputSize() {
    return inputSize;
  }

  /** Host memory that making one witness takes, in bytes: the program's memory and a reader's. */
  public long hostBytes() {
    return (long) pages * FlatMemory.PAGE_SIZE + READER_BYTES;
  }

  /**
   * Makes a witness: {@link #witnessSize} canonical little-endian scalars of 32 bytes.
   *
   * @param target has exactly the witness's length
   * @throws InputException if the input is not JSON, lacks a signal, has one that the circuit does
   *     not have, or one with too few or too many values
   * @throws CancellationException if the thread was interrupted
   * @throws UnsatisfiedException if an assertion of the circuit fails, with circom's message
   */
  public void makeWitness(ByteSource input, Buffer target)
      throws InputException, UnsatisfiedException {
    if (target.byteSize() != (long) witnessSize * CurveId.SCALAR_BYTES) {
      throw new IllegalArgumentException(
          "the target has " + target.byteSize() + " bytes for " + witnessSize + " scalars");
    }
    if (!deep) {
      try {
        run(input, target);
        return;
      } catch (StackOverflowError e) {
        deep = true;
      }
    }
    runWithLargeStack(input, target);
  }

  private void run(ByteSource input, Buffer target) throws InputException, UnsatisfiedException {
    FlatMemory memory = acquire();
    try {
      ProgramInstance instance = new ProgramInstance(module, machineFactory, memory);
      new InputFeeder(file, input, instance, curve, inputSize).feed();
      copyWitness(instance, target);
    } catch (ChicoryInterruptedException e) {
      CancellationException cancelled = new CancellationException("interrupted");
      cancelled.initCause(e);
      throw cancelled;
    } catch (ChicoryException | IndexOutOfBoundsException | ArithmeticException e) {
      throw new InputException(file, "fails on input " + input.name() + ": " + e.getMessage(), e);
    } finally {
      release(memory);
    }
  }

  private void copyWitness(ProgramInstance instance, Buffer target) {
    int index = 0;
    int scalarsInView = Integer.MAX_VALUE / CurveId.SCALAR_BYTES;
    while (index < witnessSize) {
      int count = Math.min(witnessSize - index, scalarsInView);
      ByteBuffer view =
          target.view((long) index * CurveId.SCALAR_BYTES, count * CurveId.SCALAR_BYTES);
      for (int end = index + count; index < end; index++) {
        instance.loadWitness(index);
        view.put(instance.memory(), instance.valueStart(), CurveId.SCALAR_BYTES);
      }
    }
  }

  private void runWithLargeStack(ByteSource input, Buffer target)
      throws InputException, UnsatisfiedException {
    Throwable[] failure = new Throwable[1];
    Thread thread =
        new Thread(
            null,
            () -> {
              try {
                run(input, target);
              } catch (Throwable e) {
                failure[0] = e;
              }
            },
            "circom-large-stack",
            LARGE_STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
        thread.interrupt();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    rethrow(input, failure[0]);
  }

  private void rethrow(ByteSource input, Throwable failure)
      throws InputException, UnsatisfiedException {
    if (failure instanceof StackOverflowError) {
      throw new InputException(
          file,
          "calls itself too deeply on input "
              + input.name()
              + " (the stack of "
              + LARGE_STACK_BYTES
              + " bytes is full)");
    } else if (failure instanceof InputException e) {
      throw e;
    } else if (failure instanceof UnsatisfiedException e) {
      throw e;
    } else if (failure instanceof RuntimeException e) {
      throw e;
    } else if (failure instanceof Error e) {
      throw e;
    }
  }

  private FlatMemory acquire() {
    FlatMemory memory = memories.pollFirst();
    return memory != null ? memory : new FlatMemory(pages);
  }

  private void release(FlatMemory memory) {
    memory.zero();
    memories.addFirst(memory);
  }
}
