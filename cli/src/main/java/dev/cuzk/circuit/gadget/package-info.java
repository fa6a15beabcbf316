/**
 * Gadgets of which Filecoin's circuits are made, constraint for constraint as bellperson, neptune
 * and the storage-proofs crates make them. Each is a function over a {@link
 * dev.cuzk.circuit.ConstraintSystem}.
 */
package dev.cuzk.circuit.gadget;
