package dev.cuzk.synthesis.filecoin;

import dev.cuzk.circuit.filecoin.SectorShape;
import dev.cuzk.format.filecoin.RegisteredProof;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * That a sector's replica was made as the protocol says (storage-proofs-porep 19.1.0, stacked):
 * replica_id, comm_d, comm_r, and for each challenge its number in tree D, the numbers of its
 * parents, and its number in the replica, tree R and tree C.
 *
 * @param proof a seal of version V1 or V1_1
 */
public record PorepStatement(
    SectorShape shape,
    RegisteredProof proof,
    Hash32 replicaId,
    Hash32 commD,
    Hash32 commR,
    Hash32 seed)
    implements Statement {
  private static final String FIRST_VERSION = "V1";
  private static final int LONGEST_LEB128 = 10;

  /** Whether this version derives the challenges of such seals. */
  public static boolean supports(RegisteredProof proof) {
    return proof.version().equals(FIRST_VERSION) || proof.version().equals("V1_1");
  }

  /** 8 bytes of the registered proof's number, 8 of a nonce that is zero, zeros. */
  static byte[] porepId(RegisteredProof proof) {
    return ByteBuffer.allocate(Hash32.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(proof.number())
        .array();
  }

  /** A miner's actor number as unsigned LEB128, filled up with zeros. */
  static byte[] proverId(long miner) {
    byte[] id = new byte[Hash32.BYTES];
    long rest = miner;
    for (int i = 0; i < LONGEST_LEB128; i++) {
      id[i] = (byte) (rest & 0x7f);
      rest >>>= 7;
      if (rest == 0) {
        return id;
      }
      id[i] |= (byte) 0x80;
    }
    return id;
  }

  /** The id of a replica: whose it is, of which data, made when. */
  public static Hash32 replicaId(
      RegisteredProof proof, long miner, long sectorNumber, Hash32 ticket, Hash32 commD) {
    byte[] sector = ByteBuffer.allocate(Long.BYTES).putLong(sectorNumber).array();
    return Hash32.sha256(proverId(miner), sector, ticket.bytes(), commD.bytes(), porepId(proof))
        .truncated();
  }

  @Override
  public String circuit() {
    return "porep-" + shape.label();
  }

  @Override
  public int partitions() {
    return shape.porepPartitions();
  }

  StackedGraph graph() {
    return new StackedGraph(shape.nodes(), porepId(proof), proof.version().equals(FIRST_VERSION));
  }

  /** The challenged nodes of a partition. */
  long[] challenges(int partition) {
    long[] challenges = new long[shape.porepChallenges()];
    for (int i = 0; i < challenges.length; i++) {
      byte[] number =
          ByteBuffer.allocate(Integer.BYTES)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putInt(partition * challenges.length + i)
              .array();
      BigInteger hash = Hash32.sha256(replicaId.bytes(), seed.bytes(), number).number();
      challenges[i] = hash.mod(BigInteger.valueOf(shape.nodes() - 1)).longValueExact() + 1;
    }
    return challenges;
  }

  @Override
  public List<BigInteger> publicInputs(int partition) {
    List<BigInteger> inputs = new ArrayList<>();
    inputs.add(replicaId.number());
    inputs.add(commD.number());
    inputs.add(commR.number());
    StackedGraph graph = graph();
    for (long challenge : challenges(partition)) {
      BigInteger number = BigInteger.valueOf(challenge);
      inputs.add(number);
      for (long parent : graph.baseParents(challenge)) {
        inputs.add(BigInteger.valueOf(parent));
      }
      for (long parent : graph.expanderParents(challenge)) {
        inputs.add(BigInteger.valueOf(parent));
      }
      inputs.add(number);
      inputs.add(number);
      inputs.add(number);
    }
    return inputs;
  }
}
