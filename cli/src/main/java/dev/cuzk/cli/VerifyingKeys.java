package dev.cuzk.cli;

import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.ParamsFile;
import dev.cuzk.key.ZkeyKey;
import dev.cuzk.proof.BellmanVerifyingKey;
import dev.cuzk.proof.SnarkjsDocument;
import dev.cuzk.proof.VerifyingKey;
import dev.cuzk.proof.VerifyingKeyCheck;
import java.nio.file.Path;

/** Verifying keys that the user names: a JSON file, or the proving key that carries one. */
final class VerifyingKeys {
  private VerifyingKeys() {}

  /**
   * Reads a key and refuses one with a point off the curve, outside the subgroup or at infinity.
   *
   * @param strict whether warnings are errors too
   */
  static VerifyingKey read(Path file, boolean strict, Console console) throws InputException {
    VerifyingKey key;
    InputKind kind = InputKind.of(file);
    if (isBellman(kind)) {
      key = bellman(file).key();
    } else if (kind == InputKind.PROVING_KEY) {
      try (ZkeyKey proving = ZkeyKey.open(file)) {
        key = proving.verifyingKey();
        // A key without any contribution is found below, from its points.
        if (!key.delta2().equals(key.gamma2())) {
          for (String warning : proving.warnings()) {
            warn(file, warning, strict, console);
          }
        }
      }
    } else {
      key = SnarkjsDocument.read(file).verifyingKey();
    }
    check(file, key, strict, console);
    return key;
  }

  /** Whether a file is a bellman key, which holds or is a verifying key. */
  static boolean isBellman(InputKind kind) {
    return kind == InputKind.PARAMS || kind == InputKind.BELLMAN_VERIFYING_KEY;
  }

  /** The verifying key of a .vk or .params, unchecked. */
  static BellmanVerifyingKey bellman(Path file) throws InputException {
    try (ParamsFile params = ParamsFile.open(FileRange.whole(file))) {
      return BellmanVerifyingKey.read(params);
    }
  }

  /** The checks of {@link #read}, for a key that was read before. */
  static void check(Path file, VerifyingKey key, boolean strict, Console console)
      throws InputException {
    for (VerifyingKeyCheck.Finding finding : VerifyingKeyCheck.check(key, null)) {
      warn(file, finding.message(), finding.fatal() || strict, console);
    }
  }

  private static void warn(Path file, String message, boolean refuse, Console console)
      throws InputException {
    if (refuse) {
      throw new InputException(file.toString(), message);
    }
    console.warning(file + ": " + message);
  }
}
