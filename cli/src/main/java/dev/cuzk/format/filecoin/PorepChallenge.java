package dev.cuzk.format.filecoin;

import java.util.List;

/**
 * What a vanilla PoRep proof opens for one challenge.
 *
 * @param data the data node's path in tree D
 * @param replica the encoded node's path in tree R
 * @param column of the challenged node
 * @param baseParents columns of its parents in the same layer
 * @param expanderParents columns of its parents in the layer before
 * @param labels one a layer, layer 1 first
 * @param encoding the last layer's once more
 */
public record PorepChallenge(
    MerkleProof data,
    MerkleProof replica,
    ColumnProof column,
    List<ColumnProof> baseParents,
    List<ColumnProof> expanderParents,
    List<LabelingProof> labels,
    LabelingProof encoding) {}
