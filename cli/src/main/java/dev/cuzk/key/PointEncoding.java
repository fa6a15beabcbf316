package dev.cuzk.key;

/** How a key file writes its points; the ordinals equal {@code cuzk_point_encoding} in cuzk.h. */
public enum PointEncoding {
  /** .zkey: affine, coordinates in Montgomery form, little-endian, infinity all zero. */
  MONTGOMERY_LITTLE_ENDIAN,
  /** bellman .params: affine, canonical, big-endian, c1 before c0, flag bits in the first byte. */
  UNCOMPRESSED_BIG_ENDIAN
}
