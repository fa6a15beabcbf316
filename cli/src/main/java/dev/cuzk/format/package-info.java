/**
 * Readers and writers of every file that a user has: iden3 binfile, witness, r1cs, zkey sections,
 * bellman parameters, Filecoin inputs, the {@code cuzk} container. Knows bytes, not their meaning.
 */
package dev.cuzk.format;
