package dev.cuzk.format.filecoin;

/**
 * The parents' labels that a label is made of.
 *
 * @param parentsOffset where they stand
 * @param parents how many
 * @param layer from 1
 * @param node the labelled node
 */
public record LabelingProof(int parentsOffset, int parents, long layer, long node) {}
