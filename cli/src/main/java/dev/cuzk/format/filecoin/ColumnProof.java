package dev.cuzk.format.filecoin;

/**
 * One column of the layers' labels and its path in tree C.
 *
 * @param node the column's number
 * @param rowsOffset where its hashes stand, layer 1 first
 * @param rows how many
 * @param inclusion path of the column's hash
 */
public record ColumnProof(long node, int rowsOffset, int rows, MerkleProof inclusion) {}
