package dev.cuzk.device;

/**
 * A {@code --gpus} list that makes no sense on this machine (exit code 2); one line for the user.
 */
public final class DeviceSelectionException extends Exception {
  private static final long serialVersionUID = 1L;

  public DeviceSelectionException(String message) {
    super(message);
  }
}
