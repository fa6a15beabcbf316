package dev.cuzk.device;

/** The processor, through libcuzk-cpu. */
public final class CpuBackend extends NativeBackend {
  private CpuBackend(NativeLibrary library, BackendOptions options) throws DeviceException {
    super(library, options);
  }

  /**
   * Opens the processor.
   *
   * @throws DeviceException NO_DEVICE or UNSUPPORTED_DEVICE if the library cannot be used
   */
  public static CpuBackend open(BackendOptions options) throws DeviceException {
    return new CpuBackend(NativeLibrary.get(NativeLibrary.Kind.CPU), options);
  }

  /** The version of the native interface that this program was written against; loads nothing. */
  public static int abiVersion() {
    return NativeLibrary.ABI_VERSION;
  }

  /** The library's build line. */
  public static String buildId() throws DeviceException {
    return NativeLibrary.get(NativeLibrary.Kind.CPU).buildId();
  }
}
