package dev.cuzk.device;

/** {@code cuzk_status} of cuzk.h, same order. */
public enum DeviceStatus {
  OK,
  INVALID_ARGUMENT,
  OUT_OF_HOST_MEMORY,
  OUT_OF_PINNED_MEMORY,
  OUT_OF_DEVICE_MEMORY,
  NO_DEVICE,
  UNSUPPORTED_DEVICE,
  DEVICE_LOST,
  INVALID_POINT,
  INVALID_SCALAR,
  INDEX_OUT_OF_RANGE,
  INCOMPLETE,
  CANCELLED,
  INTERNAL
}
