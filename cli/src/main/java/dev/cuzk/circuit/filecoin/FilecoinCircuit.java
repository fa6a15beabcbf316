package dev.cuzk.circuit.filecoin;

import dev.cuzk.circuit.CompactMatrices;
import dev.cuzk.circuit.ConstraintSystem;
import dev.cuzk.circuit.Namespaces;
import dev.cuzk.circuit.TemplateSystem;
import dev.cuzk.math.CurveId;

/**
 * One of Filecoin's circuits for one sector size, constraint for constraint as the storage-proofs
 * crates 19.1.0 make it, over the scalar field of BLS12-381.
 */
public interface FilecoinCircuit {
  /** The curve of all of Filecoin's proofs. */
  CurveId CURVE = CurveId.BLS12_381;

  /** For example {@code porep-32GiB}. */
  String name();

  /** One line for people. */
  String description();

  /** The size of sectors. */
  SectorShape shape();

  /** Number of public inputs, ONE not counted. */
  int publicInputs();

  /** Number of private variables. */
  long auxiliaries();

  /**
   * Makes the circuit's variables and constraints. Values that come from outside are those of
   * variables allocated without a value, in that order.
   */
  void define(ConstraintSystem system);

  /** The reference's sizes and digest of this circuit. */
  default ReferenceDigest reference() {
    return ReferenceDigest.of(name()).orElseThrow();
  }

  /** The circuit's matrices, made anew. */
  default CompactMatrices matrices() {
    TemplateSystem system = new TemplateSystem(name(), CURVE, 0);
    define(system);
    return system.finish();
  }

  /** The circuit's namespaces down to a depth, those that the reference has. */
  default Namespaces namespaces(int depth) {
    TemplateSystem system = new TemplateSystem(name(), CURVE, depth);
    define(system);
    return system.namespaces();
  }
}
