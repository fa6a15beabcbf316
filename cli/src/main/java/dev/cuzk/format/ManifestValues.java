package dev.cuzk.format;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The forms of single values in a manifest. */
final class ManifestValues {
  private static final Pattern HEX_32 = Pattern.compile("[0-9a-fA-F]{64}");
  private static final Pattern SECTOR_SIZE = Pattern.compile("(\\d{1,3})(KiB|MiB|GiB)");
  private static final Map<String, Integer> UNITS = Map.of("KiB", 10, "MiB", 20, "GiB", 30);
  private static final long SMALLEST_SECTOR = 1L << 11;
  private static final long LARGEST_SECTOR = 1L << 36;
  private static final Pattern PROOF = Pattern.compile("go:\\d{1,3}|[A-Za-z][A-Za-z0-9_]{0,79}");
  private static final Pattern COMMITMENT = Pattern.compile("[0-9a-fA-F]{64}|b[a-z2-7]{40,120}");
  private static final Pattern MINER = Pattern.compile("(?:[ft]0)?(\\d{1,19})");

  private ManifestValues() {}

  static String sha256(JsonValue value) throws InputException {
    return value.string(HEX_32, "64 hex digits").toLowerCase(Locale.ROOT);
  }

  static String path(JsonValue value, boolean allowOutside) throws InputException {
    String text = value.string();
    Path path;
    try {
      path = Path.of(text);
    } catch (InvalidPathException e) {
      throw value.problem(
          "a path is malformed",
          "a path",
          text.indexOf('\0') >= 0 ? "one with a zero byte" : "no file name of this locale");
    }
    if (text.isEmpty()) {
      throw value.problem("a path is empty", "a path", "\"\"");
    }
    boolean outside = path.isAbsolute();
    for (Path part : path) {
      outside |= part.toString().equals("..");
    }
    if (outside && !allowOutside) {
      throw value.problem(
          "a path leads outside the manifest's folder",
          "a relative path without ..; --allow-outside lifts this",
          value.describe());
    }
    return text;
  }

  /** Bytes of a sector, from {@code "32GiB"} or an integer. */
  static long sectorSize(JsonValue value) throws InputException {
    long bytes;
    if (value.isString()) {
      Matcher match = SECTOR_SIZE.matcher(value.string());
      bytes = match.matches() ? Long.parseLong(match.group(1)) << UNITS.get(match.group(2)) : 0;
    } else {
      bytes = value.integer(SMALLEST_SECTOR, LARGEST_SECTOR);
    }
    if (Long.bitCount(bytes) != 1 || bytes < SMALLEST_SECTOR || bytes > LARGEST_SECTOR) {
      throw value.problem("it is no sector size", "2KiB, 4KiB … 64GiB", value.describe());
    }
    return bytes;
  }

  static String registeredProof(JsonValue value) throws InputException {
    return value.string(PROOF, "a registered proof's name, or go:N");
  }

  static String commitment(JsonValue value) throws InputException {
    return value.string(COMMITMENT, "64 hex digits or a CID");
  }

  /** A miner's number, from an integer or from {@code f0N}, {@code t0N}, {@code N}. */
  static long minerId(JsonValue value) throws InputException {
    if (!value.isString()) {
      return value.integer(0, Long.MAX_VALUE);
    }
    Matcher match = MINER.matcher(value.string());
    if (!match.matches()) {
      throw value.problem("it is no miner id", "N, \"f0N\" or \"t0N\"", value.describe());
    }
    try {
      return Long.parseLong(match.group(1));
    } catch (NumberFormatException e) {
      throw value.problem("it is no miner id", "a number below 2^63", value.describe());
    }
  }

  /** 32 bytes as 64 hex digits or base64. */
  static String randomness(JsonValue value) throws InputException {
    String text = value.string();
    if (HEX_32.matcher(text).matches()) {
      return text;
    }
    try {
      if (Base64.getDecoder().decode(text).length == 32) {
        return text;
      }
    } catch (IllegalArgumentException e) {
      throw value.problem("it is no randomness", "32 bytes in hex or base64", "neither");
    }
    throw value.problem("it is no randomness", "32 bytes in hex or base64", "another length");
  }
}
