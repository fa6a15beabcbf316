package dev.cuzk.synthesis.circom;

import com.dylibso.chicory.runtime.ExportFunction;
import com.dylibso.chicory.runtime.HostFunction;
import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Machine;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.ExternalType;
import com.dylibso.chicory.wasm.types.FunctionImport;
import com.dylibso.chicory.wasm.types.FunctionType;
import java.math.BigInteger;
import java.util.function.Function;

/**
 * One run of a program: circom 2's calling convention over a fresh WebAssembly instance.
 *
 * <p>A field element crosses through eight 32-bit words of the program's memory, lowest first. A
 * signal is named by the 64-bit FNV-1a hash of its name, whose halves are separate arguments.
 */
final class ProgramInstance {
  /** 32-bit words of an element of either curve's scalar field. */
  static final int FIELD_WORDS = 8;

  private static final long FNV_OFFSET = 0xCBF2_9CE4_8422_2325L;
  private static final long FNV_PRIME = 0x100_0000_01B3L;
  private static final long WORD = 0xFFFF_FFFFL;

  private final Instance instance;
  private final byte[] memory;
  private final ExportFunction setInputSignal;
  private final ExportFunction getWitness;
  private final StringBuilder printed = new StringBuilder();
  private final int sharedStart;

  /**
   * @param memory zeroed; holds the program's state from now on
   */
  ProgramInstance(
      WasmModule module, Function<Instance, Machine> machineFactory, FlatMemory memory) {
    this.instance =
        Instance.builder(module)
            .withImportValues(imports(module))
            .withMemoryFactory(limits -> memory)
            .withMachineFactory(machineFactory)
            .build();
    this.memory = memory.bytes();
    this.setInputSignal = instance.export("setInputSignal");
    this.getWitness = instance.export("getWitness");
    this.sharedStart = number("getSharedRWMemoryStart");
  }

  private ImportValues imports(WasmModule module) {
    ImportValues.Builder imports = ImportValues.builder();
    for (int i = 0; i < module.importSection().importCount(); i++) {
      if (module.importSection().getImport(i) instanceof FunctionImport function
          && function.importType() == ExternalType.FUNCTION) {
        FunctionType type = module.typeSection().getType(function.typeIndex());
        imports.addFunction(
            new HostFunction(
                function.module(),
                function.name(),
                type,
                (caller, arguments) -> answer(function.name(), arguments)));
      }
    }
    return imports.build();
  }

  /**
   * What the program asks of its host. Its log() output is dropped: it shows parts of the witness,
   * and witnesses reach no log.
   */
  private long[] answer(String function, long[] arguments) {
    switch (function) {
      case "exceptionHandler" ->
          throw new ProgramTrap((int) arguments[0], printed.toString().strip());
      case "printErrorMessage" -> printed.append(message()).append('\n');
      case "writeBufferMessage" -> message();
      default -> {
        // showSharedRWMemory: the value stays where it is.
      }
    }
    return null;
  }

  /** The program hands a text over one character a call; zero ends it. */
  private String message() {
    ExportFunction next = instance.export("getMessageChar");
    StringBuilder text = new StringBuilder();
    for (int c = (int) next.apply()[0]; c != 0; c = (int) next.apply()[0]) {
      text.append((char) c);
    }
    return text.toString();
  }

  int number(String export) {
    return (int) instance.export(export).apply()[0];
  }

  BigInteger prime() {
    instance.export("getRawPrime").apply();
    byte[] bigEndian = new byte[4 * FIELD_WORDS];
    for (int i = 0; i < bigEndian.length; i++) {
      bigEndian[i] = memory[sharedStart + bigEndian.length - 1 - i];
    }
    return new BigInteger(1, bigEndian);
  }

  /** Begins a witness; runs the circuit at once if it has no input. */
  void initialize() {
    instance.export("init").apply(0);
  }

  static long hash(String signal) {
    long hash = FNV_OFFSET;
    for (int i = 0; i < signal.length(); i++) {
      hash = (hash ^ signal.charAt(i)) * FNV_PRIME;
    }
    return hash;
  }

  /** Values that an input signal takes; 0 or less if the circuit has no such signal. */
  int inputSignalSize(long hash) {
    return (int) instance.export("getInputSignalSize").apply(hash >>> Integer.SIZE, hash & WORD)[0];
  }

  /**
   * Sets a value; the last one of all signals runs the circuit.
   *
   * @param value in [0, prime)
   */
  void set(long hash, int position, BigInteger value) {
    byte[] bigEndian = value.toByteArray();
    for (int i = 0; i < 4 * FIELD_WORDS; i++) {
      int from = bigEndian.length - 1 - i;
      memory[sharedStart + i] = from >= 0 ? bigEndian[from] : 0;
    }
    setInputSignal.apply(hash >>> Integer.SIZE, hash & WORD, position);
  }

  /** Converts a witness value; it then stands at {@link #valueStart} in {@link #memory}. */
  void loadWitness(int index) {
    getWitness.apply(index);
  }

  byte[] memory() {
    return memory;
  }

  int valueStart() {
    return sharedStart;
  }
}
