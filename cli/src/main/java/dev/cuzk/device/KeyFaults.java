package dev.cuzk.device;

import dev.cuzk.format.InputException;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.key.Query;

/** Failures of loading a key, in words for whoever has its file. */
final class KeyFaults {
  private KeyFaults() {}

  /**
   * What a failed append means for the key's file.
   *
   * @param query whose piece was appended; null for matrix entries
   * @return the failure itself where the file is not at fault
   * @throws InputException where it is: the message names the place
   */
  static DeviceException translated(ProvingKey key, Query query, DeviceException failure)
      throws InputException {
    long index = failure.detail();
    switch (failure.status()) {
      case INVALID_POINT -> {
        String what = "point " + index + " of query " + query;
        throw wrongPoint(key, what, key.place(query, index), failure);
      }
      case INPUT_CHANGED ->
          throw new InputException(
              key.path().toString(), failure.getMessage() + ". Get the key again.", failure);
      case INDEX_OUT_OF_RANGE ->
          throw new InputException(
              key.path().toString(),
              "matrix entry "
                  + index
                  + " names a row or variable that the circuit does not have ("
                  + key.entryPlace(index)
                  + ", expected a row below "
                  + (1L << key.domainLog2())
                  + " and a variable below "
                  + key.variables()
                  + "). Get the key again.",
              failure);
      case INVALID_SCALAR ->
          throw new InputException(
              key.path().toString(),
              "the value of matrix entry "
                  + index
                  + " is not below the scalar modulus ("
                  + key.entryPlace(index)
                  + "). Get the key again.",
              failure);
      default -> {
        return failure;
      }
    }
  }

  /** A point that is none; {@code what} and {@code place} are for the message. */
  static InputException wrongPoint(
      ProvingKey key, String what, String place, DeviceException failure) {
    return new InputException(
        key.path().toString(),
        what
            + " is not a point of "
            + key.curve()
            + " ("
            + place
            + ", expected coordinates below the modulus that satisfy the curve's equation)."
            + " Get the key again.",
        failure);
  }
}
