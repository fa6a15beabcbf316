/**
 * Proof and verifying-key types, their encodings, the pairing verifier and batch verification, all
 * in Java. Knows no native code and shares none with the prover.
 */
package dev.cuzk.proof;
