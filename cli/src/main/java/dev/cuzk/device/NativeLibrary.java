package dev.cuzk.device;

import com.sun.jna.Function;
import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/**
 * The binding of cuzk.h: one class for both libraries, which export the same functions.
 *
 * <p>A library is loaded when it is first asked for, from the folder that the system property
 * {@value #PATH_PROPERTY} names, under a file name that carries the version; its symbols stay its
 * own (RTLD_LOCAL), so that both can live in one process. One of another interface version or build
 * is refused by name. What went wrong is remembered: asking again gives the same answer.
 */
final class NativeLibrary {
  static final String PATH_PROPERTY = "cuzk.library.path";

  /** CUZK_ABI_VERSION of the header that this class was written against. */
  static final int ABI_VERSION = 3;

  enum Kind {
    CPU,
    CUDA;

    /** For example {@code libcuzk-cpu}. */
    String libraryName() {
      return "libcuzk-" + name().toLowerCase(Locale.ROOT);
    }
  }

  private static final List<String> FUNCTIONS =
      List.of(
          "cuzk_abi_version",
          "cuzk_build_id",
          "cuzk_device_open",
          "cuzk_device_describe",
          "cuzk_device_limit_threads",
          "cuzk_device_close",
          "cuzk_pinned_allocate",
          "cuzk_pinned_free",
          "cuzk_plan_needs",
          "cuzk_plan_choose",
          "cuzk_key_create",
          "cuzk_key_append",
          "cuzk_key_append_file",
          "cuzk_key_append_multiples",
          "cuzk_key_append_entries",
          "cuzk_key_append_matrices",
          "cuzk_key_finish",
          "cuzk_key_destroy",
          "cuzk_proofs_submit",
          "cuzk_proofs_wait",
          "cuzk_proofs_cancel",
          "cuzk_job_destroy",
          "cuzk_witness_pack",
          "cuzk_upload",
          "cuzk_msm",
          "cuzk_fixed_base",
          "cuzk_ntt",
          "cuzk_sparse_product");

  /** dlopen's RTLD_NOW; RTLD_LOCAL is 0, and JNA's own choice would be RTLD_GLOBAL. */
  private static final int RTLD_NOW = 2;

  private static final Map<Kind, Object> LOADED = new EnumMap<>(Kind.class);

  private final Kind kind;
  private final String buildId;
  private final Map<String, Function> functions = new HashMap<>();

  private NativeLibrary(Kind kind, Path file) throws DeviceException {
    this.kind = kind;
    com.sun.jna.NativeLibrary library;
    try {
      library =
          com.sun.jna.NativeLibrary.getInstance(
              file.toString(), Map.of(Library.OPTION_OPEN_FLAGS, RTLD_NOW));
    } catch (LinkageError failure) {
      throw unusable(
          DeviceStatus.UNSUPPORTED_DEVICE,
          file + " cannot be loaded: " + firstLine(failure) + ". " + remedy(kind),
          failure);
    }
    int version = exported(library, "cuzk_abi_version", file).invokeInt(new Object[0]);
    if (version != ABI_VERSION) {
      throw unusable(
          DeviceStatus.UNSUPPORTED_DEVICE,
          file
              + ": has interface version "
              + Integer.toUnsignedString(version)
              + ", this cuzk needs "
              + ABI_VERSION
              + ": it was built from other sources. Run ./install.sh again.",
          null);
    }
    this.buildId = exported(library, "cuzk_build_id", file).invokeString(new Object[0], false);
    String expected = kind.libraryName() + " " + version() + " ";
    if (!(buildId + " ").startsWith(expected)) {
      throw unusable(
          DeviceStatus.UNSUPPORTED_DEVICE,
          file
              + ": is '"
              + buildId
              + "', expected '"
              + expected.trim()
              + "'. Run ./install.sh again.",
          null);
    }
    for (String name : FUNCTIONS) {
      functions.put(name, exported(library, name, file));
    }
  }

  /** The library, loaded now or before; or the remembered reason why it cannot be used. */
  static NativeLibrary get(Kind kind) throws DeviceException {
    synchronized (LOADED) {
      Object known = LOADED.get(kind);
      if (known == null) {
        try {
          known = load(kind, System.getProperty(PATH_PROPERTY));
        } catch (DeviceException failure) {
          known = failure;
        }
        LOADED.put(kind, known);
      }
      if (known instanceof DeviceException failure) {
        throw new DeviceException(failure.status(), 0, failure.getMessage(), failure);
      }
      return (NativeLibrary) known;
    }
  }

  /** Loads a library from a folder, without remembering anything. */
  static NativeLibrary load(Kind kind, String folder) throws DeviceException {
    if (folder == null || folder.isEmpty()) {
      throw unusable(
          DeviceStatus.NO_DEVICE,
          kind.libraryName()
              + ": the system property "
              + PATH_PROPERTY
              + " names no folder. Start cuzk through its launcher.",
          null);
    }
    Path file = Path.of(folder, kind.libraryName() + "-" + version() + ".so").toAbsolutePath();
    if (!Files.exists(file)) {
      throw unusable(DeviceStatus.NO_DEVICE, file + ": no such file. " + remedy(kind), null);
    }
    return new NativeLibrary(kind, file);
  }

  private static String remedy(Kind kind) {
    return kind == Kind.CUDA
        ? "Run ./install.sh --cuda, or use --gpus none."
        : "Run ./install.sh again; glibc 2.31 or later is needed.";
  }

  private static DeviceException unusable(DeviceStatus status, String message, Throwable cause) {
    return new DeviceException(status, 0, message, cause);
  }

  private static String firstLine(Throwable failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }

  private static Function exported(com.sun.jna.NativeLibrary library, String name, Path file)
      throws DeviceException {
    try {
      return library.getFunction(name);
    } catch (UnsatisfiedLinkError missing) {
      throw unusable(
          DeviceStatus.UNSUPPORTED_DEVICE,
          file
              + ": has no function "
              + name
              + ": it was built from other sources. Run ./install.sh again.",
          missing);
    }
  }

  static String version() {
    Properties properties = new Properties();
    try (InputStream in = NativeLibrary.class.getResourceAsStream("build.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }

  Kind kind() {
    return kind;
  }

  String buildId() {
    return buildId;
  }

  /**
   * Calls a function that returns a status, its last parameter being the error to fill in.
   *
   * @param device how messages call the device
   * @throws DeviceException if the status is not OK
   */
  void call(String device, String function, Object... arguments) throws DeviceException {
    Memory error = new Memory(NativeLayout.ERROR_SIZE);
    error.clear();
    Object[] all = new Object[arguments.length + 1];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = error;
    int status = functions.get(function).invokeInt(all);
    if (status != 0) {
      throw NativeLayout.exception(status, error, device, function);
    }
  }

  /** Calls a function that returns nothing and cannot fail. */
  void callVoid(String function, Object... arguments) {
    functions.get(function).invokeVoid(arguments);
  }

  /** A pointer parameter that receives a handle. */
  static Memory handle() {
    Memory memory = new Memory(8);
    memory.setPointer(0, Pointer.NULL);
    return memory;
  }
}
