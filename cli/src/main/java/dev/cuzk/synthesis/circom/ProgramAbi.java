package dev.cuzk.synthesis.circom;

import com.dylibso.chicory.wasm.ChicoryException;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.ExternalType;
import com.dylibso.chicory.wasm.types.Import;
import com.dylibso.chicory.wasm.types.SectionId;
import dev.cuzk.format.InputException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The calling convention of circom 2's WebAssembly programs (circom 2.0.4 and later, whose own
 * witness_calculator.js is its only description).
 */
final class ProgramAbi {
  private static final int MAJOR_VERSION = 2;
  private static final String HOST_MODULE = "runtime";

  private static final List<String> EXPORTS =
      List.of(
          "getVersion",
          "getRawPrime",
          "getFieldNumLen32",
          "getInputSize",
          "getInputSignalSize",
          "getWitnessSize",
          "getSharedRWMemoryStart",
          "init",
          "setInputSignal",
          "getWitness");

  /** Exports that only programs of circom 1 have. */
  private static final Set<String> OLD_EXPORTS = Set.of("getFrLen", "getPRawPrime", "getNVars");

  private static final Set<String> HOST_FUNCTIONS =
      Set.of(
          "exceptionHandler",
          "printErrorMessage",
          "writeBufferMessage",
          "showSharedRWMemory",
          "error",
          "log");

  private ProgramAbi() {}

  /** The checks that need no compilation: it takes seconds, and refusals should not. */
  static void checkBeforeCompiling(String file, byte[] wasm) throws InputException {
    if (!WasmBinary.hasPreamble(wasm)) {
      throw new InputException(
          file, "not a WebAssembly module (expected the bytes 00 61 73 6d 01 00 00 00 first)");
    }
    try {
      WasmModule outline =
          Parser.builder()
              .includeSectionId(SectionId.TYPE)
              .includeSectionId(SectionId.IMPORT)
              .includeSectionId(SectionId.EXPORT)
              .includeSectionId(SectionId.MEMORY)
              .withValidation(false)
              .build()
              .parse(() -> new java.io.ByteArrayInputStream(wasm));
      check(file, outline);
      memoryPages(file, outline);
    } catch (ChicoryException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new InputException(file, "not a valid WebAssembly module: " + e.getMessage(), e);
    }
  }

  /** Exports and imports. */
  static void check(String file, WasmModule module) throws InputException {
    Set<String> exports = new HashSet<>();
    for (int i = 0; i < module.exportSection().exportCount(); i++) {
      if (module.exportSection().getExport(i).exportType() == ExternalType.FUNCTION) {
        exports.add(module.exportSection().getExport(i).name());
      }
    }
    for (String old : OLD_EXPORTS) {
      if (exports.contains(old)) {
        throw new InputException(
            file,
            "made by circom 1 (it exports "
                + old
                + "); only circom 2 programs are understood. Compile the circuit with circom 2,"
                + " or pass witnesses (.wtns) instead");
      }
    }
    for (String export : EXPORTS) {
      if (!exports.contains(export)) {
        throw new InputException(
            file,
            "not a witness program of circom 2 (no exported function "
                + export
                + "). Compile the circuit with circom 2.1 or later, or pass witnesses (.wtns)");
      }
    }
    for (int i = 0; i < module.importSection().importCount(); i++) {
      checkImport(file, module.importSection().getImport(i));
    }
  }

  private static void checkImport(String file, Import imported) throws InputException {
    if (imported.importType() != ExternalType.FUNCTION
        || !imported.module().equals(HOST_MODULE)
        || !HOST_FUNCTIONS.contains(imported.name())) {
      throw new InputException(
          file,
          "not a witness program of circom 2 (it imports "
              + imported.module()
              + "."
              + imported.name()
              + ")");
    }
  }

  static void checkVersion(String file, int version) throws InputException {
    if (version != MAJOR_VERSION) {
      throw new InputException(
          file, "made by another circom (expected major version 2, found " + version + ")");
    }
  }

  /** The size of the program's one memory. */
  static int memoryPages(String file, WasmModule module) throws InputException {
    int count = module.memorySection().map(section -> section.memoryCount()).orElse(0);
    if (count != 1) {
      throw new InputException(
          file, "not a witness program of circom 2 (" + count + " memories of its own)");
    }
    int pages = module.memorySection().orElseThrow().getMemory(0).limits().initialPages();
    if (pages > FlatMemory.MAXIMUM_PAGES) {
      throw new InputException(
          file,
          "needs too much memory (expected at most "
              + FlatMemory.MAXIMUM_PAGES
              + " pages of 64 KiB, found "
              + pages
              + ")");
    }
    return pages;
  }
}
