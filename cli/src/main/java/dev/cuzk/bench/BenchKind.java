package dev.cuzk.bench;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What {@code cuzk bench} can be asked to time. */
public enum BenchKind {
  /** Whole proofs, from an assignment being ready to the proof's three points, key loaded. */
  PROVE("prove"),
  /** Multi-scalar multiplications over distinct points and uniform scalars. */
  MSM("msm"),
  /** Forward transforms of uniform values. */
  NTT("ntt"),
  /** Making a witness from an input. */
  SYNTH("synth"),
  /** Copies to a GPU's memory, from page-locked and from ordinary memory. */
  UPLOAD("upload"),
  /** The engine's own overhead. */
  ENGINE("engine");

  private final String printedName;

  BenchKind(String printedName) {
    this.printedName = printedName;
  }

  /** The word of the command line. */
  public String printedName() {
    return printedName;
  }

  /** The kind of that name, whatever its case. */
  public static Optional<BenchKind> byName(String name) {
    for (BenchKind kind : values()) {
      if (kind.printedName.equals(name.toLowerCase(Locale.ROOT))) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }

  void check(boolean hasKey, boolean hasInput, boolean hasCircuit, List<Long> sizes) {
    switch (this) {
      case PROVE -> {
        if (hasCircuit == hasKey) {
          throw new BenchUsageException(
              "bench prove takes either --circuit NAME (Filecoin's with --input FILE) or --key FILE"
                  + " with --input FILE");
        }
        if (hasKey && !hasInput) {
          throw new BenchUsageException("--key and --input belong together");
        }
      }
      case SYNTH -> {
        if (hasInput == hasCircuit) {
          throw new BenchUsageException("bench synth takes either --circuit NAME or --input FILE");
        }
      }
      case MSM, NTT, UPLOAD -> {
        if (sizes.isEmpty()) {
          throw new BenchUsageException("bench " + printedName + " needs --size, for example 2^16");
        }
        if (hasKey || hasInput || hasCircuit) {
          throw new BenchUsageException(
              "bench " + printedName + " takes --size, no key, input or circuit");
        }
        for (long size : sizes) {
          if (this == NTT && Long.bitCount(size) != 1) {
            throw new BenchUsageException("a transform has a power of two of values, not " + size);
          }
        }
      }
      case ENGINE -> {
        if (hasKey || hasInput || hasCircuit || !sizes.isEmpty()) {
          throw new BenchUsageException("bench engine takes no size, key, input or circuit");
        }
      }
      default ->
          throw new BenchUsageException(
              "bench " + printedName + " is not part of this version; see cuzk bench --help");
    }
  }
}
