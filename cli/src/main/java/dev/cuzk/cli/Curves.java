package dev.cuzk.cli;

import dev.cuzk.math.CurveId;

/** The value of {@code --curve}. */
final class Curves {
  private Curves() {}

  static CurveId parse(BaseCommand command, String name) {
    return CurveId.byName(name)
        .orElseThrow(
            () -> command.usage("--curve must be bn254 or bls12-381, found '" + name + "'"));
  }
}
