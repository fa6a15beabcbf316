package dev.cuzk.device;

/**
 * A native call that failed. The status decides the failure's class; the message names device, call
 * and remedy.
 */
public final class DeviceException extends Exception {
  private static final long serialVersionUID = 1L;

  private final DeviceStatus status;
  private final long detail;

  public DeviceException(DeviceStatus status, long detail, String message) {
    super(message);
    this.status = status;
    this.detail = detail;
  }

  public DeviceException(DeviceStatus status, long detail, String message, Throwable cause) {
    super(message, cause);
    this.status = status;
    this.detail = detail;
  }

  public DeviceStatus status() {
    return status;
  }

  /** The index or the bytes that cuzk.h documents for the status; 0 where it documents none. */
  public long detail() {
    return detail;
  }
}
