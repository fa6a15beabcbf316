/**
 * Filecoin's files: C1 outputs, vanilla proofs of updates and PoSts. Readers know layouts, not what
 * the values mean: sizes of trees, challenges and commitments are checked above.
 */
package dev.cuzk.format.filecoin;
