package dev.cuzk.format.filecoin;

import dev.cuzk.format.InputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * Reads bincode 1.3 (little-endian, fixed width) from its beginning to its end: counts are compared
 * with what is left before anything is made of them. docs/FORMATS.md has the layouts.
 */
final class BincodeReader {
  private static final int HASH = MerkleProof.HASH_BYTES;
  private static final int LARGEST_ARITY = 64;

  private final String file;
  private final byte[] bytes;
  private int at;

  BincodeReader(String file, byte[] bytes) {
    this.file = file;
    this.bytes = bytes;
  }

  private interface Element<T> {
    T read() throws InputException;
  }

  C1Output c1(String format, OptionalLong sectorNumber, OptionalLong sectorSize)
      throws InputException {
    RegisteredProof proof = registeredProof();
    String vanillaSize = vanillaSize();
    // A challenge has several paths; 16 bytes is less than any.
    List<List<PorepChallenge>> partitions =
        list("partitions", 8, () -> list("challenges", 16, this::porepChallenge));
    int commitments = skip("comm_r, comm_d, replica_id, seed, ticket", 5 * HASH);
    requireEnd();
    return new C1Output(
        file, format, bytes, proof, vanillaSize, partitions, commitments, sectorNumber, sectorSize);
  }

  private RegisteredProof registeredProof() throws InputException {
    int place = at;
    int number = u32("the registered proof");
    return RegisteredProof.ofNumber(RegisteredProof.Kind.SEAL, number)
        .orElseThrow(() -> problem("it names no registered proof", place, "0 to 19", number));
  }

  private String vanillaSize() throws InputException {
    int place = at;
    int number = u32("the kind of the vanilla proofs");
    if (number < 0 || number > 4) {
      throw problem("it names no kind of vanilla proofs", place, "0 to 4", number);
    }
    return RegisteredProof.ofNumber(RegisteredProof.Kind.SEAL, number).orElseThrow().sizeLabel();
  }

  private PorepChallenge porepChallenge() throws InputException {
    return new PorepChallenge(
        merkleProof(),
        merkleProof(),
        columnProof(),
        list("base parents", HASH, this::columnProof),
        list("expander parents", HASH, this::columnProof),
        list("labeling proofs", 20, this::labelingProof),
        labelingProof());
  }

  private ColumnProof columnProof() throws InputException {
    long node = Integer.toUnsignedLong(u32("a column's number"));
    int rows = count("a column's rows", HASH);
    int rowsOffset = skip("a column's rows", rows * HASH);
    return new ColumnProof(node, rowsOffset, rows, merkleProof());
  }

  private LabelingProof labelingProof() throws InputException {
    int parents = count("a label's parents", HASH);
    int parentsOffset = skip("a label's parents", parents * HASH);
    long layer = Integer.toUnsignedLong(u32("a label's layer"));
    return new LabelingProof(parentsOffset, parents, layer, u64("a label's node"));
  }

  PostSectorProof postSector() throws InputException {
    long sector = u64("the sector's number");
    int commR = skip("comm_r", HASH);
    int place = at;
    int sectors = count("sectors", 8);
    if (sectors != 1) {
      throw problem("a vanilla proof is of one sector", place, 1, sectors);
    }
    List<MerkleProof> inclusions = list("inclusion proofs", 4, this::merkleProof);
    int commC = skip("comm_c", HASH);
    int commRLast = skip("comm_r_last", HASH);
    requireEnd();
    return new PostSectorProof(file, bytes, sector, commR, inclusions, commC, commRLast);
  }

  UpdatePartitionProof updatePartition() throws InputException {
    int commC = skip("comm_c", HASH);
    int count = count("apex leaves", HASH);
    int leaves = skip("apex leaves", count * HASH);
    List<UpdatePartitionProof.Challenge> challenges =
        list(
            "challenges",
            12,
            () -> new UpdatePartitionProof.Challenge(merkleProof(), merkleProof(), merkleProof()));
    requireEnd();
    return new UpdatePartitionProof(file, bytes, commC, leaves, count, challenges);
  }

  private MerkleProof merkleProof() throws InputException {
    int place = at;
    int form = u32("the form of a Merkle proof");
    if (form < 0 || form > 2) {
      throw problem("a Merkle proof has no known form", place, "0 to 2", form);
    }
    int root = form == 0 ? skip("a root and a leaf", 2 * HASH) : 0;
    PathBuilder path = new PathBuilder();
    path(path);
    int subLevel = path.size();
    if (form > 0) {
      path(path);
    }
    int topLevel = path.size();
    if (form > 1) {
      path(path);
    }
    if (form > 0) {
      root = skip("a root and a leaf", 2 * HASH);
    }
    return path.build(bytes, form, root, subLevel, topLevel);
  }

  private void path(PathBuilder path) throws InputException {
    int levels = count("the levels of a path", 16);
    for (int level = 0; level < levels; level++) {
      int place = at;
      int siblings = count("siblings", HASH);
      if (siblings + 1 > LARGEST_ARITY) {
        throw problem("a tree's nodes have too many children", place, LARGEST_ARITY, siblings + 1);
      }
      int offset = skip("siblings", siblings * HASH);
      place = at;
      long index = u64("a position among siblings");
      if (index > siblings) {
        throw problem(
            "a position among siblings is out of range", place, "0 to " + siblings, index);
      }
      path.add(offset, siblings + 1, (int) index);
    }
  }

  /** Grows as levels come; most paths have few. */
  private static final class PathBuilder {
    private int[] levels = new int[16];
    private byte[] arities = new byte[16];
    private byte[] indices = new byte[16];
    private int size;

    int size() {
      return size;
    }

    void add(int offset, int arity, int index) {
      if (size == levels.length) {
        levels = Arrays.copyOf(levels, 2 * size);
        arities = Arrays.copyOf(arities, 2 * size);
        indices = Arrays.copyOf(indices, 2 * size);
      }
      levels[size] = offset;
      arities[size] = (byte) arity;
      indices[size++] = (byte) index;
    }

    MerkleProof build(byte[] bytes, int form, int root, int subLevel, int topLevel) {
      return new MerkleProof(
          bytes,
          form,
          root,
          root + HASH,
          Arrays.copyOf(levels, size),
          Arrays.copyOf(arities, size),
          Arrays.copyOf(indices, size),
          subLevel,
          topLevel);
    }
  }

  private <T> List<T> list(String what, int leastBytes, Element<T> element) throws InputException {
    int count = count(what, leastBytes);
    List<T> elements = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      elements.add(element.read());
    }
    return elements;
  }

  /** A count of elements of at least that many bytes each. */
  private int count(String what, int leastBytes) throws InputException {
    int place = at;
    long count = u64("the number of " + what);
    long most = (bytes.length - at) / leastBytes;
    if (count > most) {
      throw problem("it ends before all " + what, place, "at most " + most, count);
    }
    return (int) count;
  }

  private int u32(String what) throws InputException {
    int offset = skip(what, 4);
    return (bytes[offset] & 0xff)
        | (bytes[offset + 1] & 0xff) << 8
        | (bytes[offset + 2] & 0xff) << 16
        | bytes[offset + 3] << 24;
  }

  private long u64(String what) throws InputException {
    int place = at;
    long value = Integer.toUnsignedLong(u32(what)) | (long) u32(what) << 32;
    if (value < 0) {
      throw problem(
          "a number is out of range: " + what,
          place,
          "less than 2^63",
          Long.toUnsignedString(value));
    }
    return value;
  }

  private int skip(String what, int count) throws InputException {
    if (bytes.length - at < count) {
      throw problem("it ends in " + what, at, count + " bytes", bytes.length - at);
    }
    int offset = at;
    at += count;
    return offset;
  }

  private void requireEnd() throws InputException {
    if (at != bytes.length) {
      throw problem(
          "there is more after its end", at, "the end of the file", bytes.length - at + " bytes");
    }
  }

  private InputException problem(String problem, int offset, Object expected, Object found) {
    return InputException.at(
        file, problem, "offset " + offset, expected, found, InputException.DAMAGED);
  }
}
