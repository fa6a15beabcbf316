package dev.cuzk.batch;

import dev.cuzk.circuit.R1csConstraints;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.key.ProvingKey;

/** A constraint system that witnesses are compared with. */
record ConstraintFile(R1csConstraints constraints) {
  static ConstraintFile open(FileRange range) throws InputException {
    return new ConstraintFile(R1csConstraints.open(range));
  }

  /** Refuses a key of another circuit, from headers alone. */
  void requireFits(KeyTable.Key key) throws InputException {
    ProvingKey proving = key.provingKey();
    if (constraints.curve() != proving.curve()) {
      throw InputException.at(
          constraints.name(),
          "is over another curve's field than the key " + key.name(),
          "section 1",
          proving.curve(),
          constraints.curve());
    }
    if (constraints.variables() != proving.variables()
        || constraints.publicInputs() != proving.publicInputs()) {
      throw InputException.at(
          constraints.name(),
          "is of another circuit than the key " + key.name(),
          "section 1",
          proving.variables() + " variables, " + proving.publicInputs() + " public",
          constraints.variables() + ", " + constraints.publicInputs());
    }
  }
}
