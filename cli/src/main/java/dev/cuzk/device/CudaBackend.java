package dev.cuzk.device;

/** One NVIDIA GPU, through libcuzk-cuda. */
public final class CudaBackend extends NativeBackend {
  private CudaBackend(NativeLibrary library, BackendOptions options) throws DeviceException {
    super(library, options);
  }

  /**
   * Opens a GPU and makes its context.
   *
   * @throws DeviceException NO_DEVICE or UNSUPPORTED_DEVICE if library, driver or GPU cannot be
   *     used
   */
  public static CudaBackend open(BackendOptions options) throws DeviceException {
    return new CudaBackend(NativeLibrary.get(NativeLibrary.Kind.CUDA), options);
  }

  /** The library's build line. */
  public static String buildId() throws DeviceException {
    return NativeLibrary.get(NativeLibrary.Kind.CUDA).buildId();
  }
}
