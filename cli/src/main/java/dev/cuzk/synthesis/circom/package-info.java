/**
 * Witness programs that circom 2 writes (circuit.wasm): JSON inputs in, assignments out.
 *
 * <p>A module is compiled to Java classes once ({@link dev.cuzk.synthesis.circom.ProgramCache}
 * keeps them), and run in a memory of its own for every input.
 */
package dev.cuzk.synthesis.circom;
