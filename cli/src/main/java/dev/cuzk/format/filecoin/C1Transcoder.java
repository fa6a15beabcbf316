package dev.cuzk.format.filecoin;

import dev.cuzk.format.InputException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Turns the JSON form of a C1 output into its bincode form, value by value, so that there is one
 * model and one reader for both. Members may come in any order and unknown ones are skipped, as the
 * reference does; each known one must be there exactly once.
 */
final class C1Transcoder {
  private static final int HASH = MerkleProof.HASH_BYTES;
  private static final long U32 = 0xffffffffL;

  private final JsonBytes json;
  private byte[] out;
  private int length;

  /** One member of an object, and how its value is written. */
  private record Member(byte[] name, Writer writer) {}

  private interface Writer {
    void write() throws InputException;
  }

  private final Member[] merkleMembers = {member("data", this::tree)};
  private final Member[] pathMembers = {member("path", () -> list(this::pathElement))};
  private final Member[] elementMembers = {
    member("hashes", () -> list(this::hash)), member("index", () -> u64("a position"))
  };
  private final Member[] singleMembers = {
    member("root", this::hash), member("leaf", this::hash), member("path", this::path)
  };
  private final Member[] subMembers = {
    member("base_proof", this::path),
    member("sub_proof", this::path),
    member("root", this::hash),
    member("leaf", this::hash)
  };
  private final Member[] topMembers = {
    member("base_proof", this::path),
    member("sub_proof", this::path),
    member("top_proof", this::path),
    member("root", this::hash),
    member("leaf", this::hash)
  };
  private final Member[] columnMembers = {
    member("index", () -> u32("a column's number")), member("rows", () -> list(this::hash))
  };
  private final Member[] columnProofMembers = {
    member("column", () -> object(columnMembers)), member("inclusion_proof", this::merkle)
  };
  private final Member[] columnsMembers = {
    member("c_x", this::columnProof),
    member("drg_parents", () -> list(this::columnProof)),
    member("exp_parents", () -> list(this::columnProof))
  };
  private final Member[] labelMembers = {
    member("parents", () -> list(this::hash)),
    member("layer_index", () -> u32("a label's layer")),
    member("node", () -> u64("a label's node"))
  };
  private final Member[] challengeMembers = {
    member("comm_d_proofs", this::merkle),
    member("comm_r_last_proof", this::merkle),
    member("replica_column_proofs", () -> object(columnsMembers)),
    member("labeling_proofs", () -> list(this::label)),
    member("encoding_proof", this::label)
  };
  private final Member[] documentMembers = {
    member("registered_proof", this::registeredProof),
    member("vanilla_proofs", this::vanillaProofs),
    member("comm_r", this::hash),
    member("comm_d", this::hash),
    member("replica_id", this::hash),
    member("seed", this::hash),
    member("ticket", this::hash)
  };

  private C1Transcoder(JsonBytes json, int expectedBytes) {
    this.json = json;
    this.out = new byte[expectedBytes];
  }

  private static Member member(String name, Writer writer) {
    return new Member(name.getBytes(StandardCharsets.US_ASCII), writer);
  }

  /**
   * The bincode form of a whole JSON document.
   *
   * @param jsonBytes about how long it is
   */
  static byte[] transcode(String file, InputStream in, long jsonBytes) throws InputException {
    // A byte takes 3.4 characters on average.
    int expected = (int) Math.min(1 << 30, jsonBytes / 3 + 4096);
    C1Transcoder transcoder = new C1Transcoder(new JsonBytes(file, in), expected);
    transcoder.object(transcoder.documentMembers);
    transcoder.json.requireEnd();
    return Arrays.copyOf(transcoder.out, transcoder.length);
  }

  private void room(int count) throws InputException {
    if (out.length - length < count) {
      long wanted = Math.max((long) length + count, 2L * out.length);
      if ((long) length + count > Integer.MAX_VALUE - 64) {
        throw json.problem("the vanilla proofs are too large", "less than 2 GiB", "more");
      }
      out = Arrays.copyOf(out, (int) Math.min(wanted, Integer.MAX_VALUE - 64));
    }
  }

  private void object(Member[] members) throws InputException {
    json.expect('{');
    int[] starts = new int[members.length];
    int[] ends = new int[members.length];
    int begin = length;
    boolean inOrder = true;
    int next = 0;
    for (boolean first = true; !json.take('}'); first = false) {
      if (!first) {
        json.expect(',');
      }
      int found =
          next < members.length && json.takeString(members[next].name) ? next : find(members);
      json.expect(':');
      if (found < 0) {
        json.skipValue(0);
        continue;
      }
      if (ends[found] != 0) {
        throw json.problem("a member is there twice", "distinct members", name(members[found]));
      }
      inOrder &= found == next;
      starts[found] = length;
      members[found].writer.write();
      ends[found] = length;
      next = found + 1;
    }
    for (int i = 0; i < members.length; i++) {
      if (ends[i] == 0) {
        throw json.problem("a member is missing", name(members[i]), "the end of its object");
      }
    }
    if (!inOrder) {
      reorder(begin, starts, ends);
    }
  }

  private static String name(Member member) {
    return "\"" + new String(member.name, StandardCharsets.US_ASCII) + "\"";
  }

  private int find(Member[] members) throws InputException {
    String name = json.string();
    for (int i = 0; i < members.length; i++) {
      if (name.equals(new String(members[i].name, StandardCharsets.US_ASCII))) {
        return i;
      }
    }
    return -1;
  }

  /** Bincode has no names: members stand in the order of their declaration. */
  private void reorder(int begin, int[] starts, int[] ends) {
    byte[] written = Arrays.copyOfRange(out, begin, length);
    int at = begin;
    for (int i = 0; i < starts.length; i++) {
      int count = ends[i] - starts[i];
      System.arraycopy(written, starts[i] - begin, out, at, count);
      at += count;
    }
  }

  private void list(Writer element) throws InputException {
    json.expect('[');
    int place = length;
    putU64(0);
    long count = 0;
    if (!json.take(']')) {
      do {
        element.write();
        count++;
      } while (json.take(','));
      json.expect(']');
    }
    int end = length;
    length = place;
    putU64(count);
    length = end;
  }

  private void hash() throws InputException {
    room(HASH);
    json.hash(out, length);
    length += HASH;
  }

  private void u32(String what) throws InputException {
    putU32(json.number(what, U32));
  }

  private void u64(String what) throws InputException {
    putU64(json.number(what, Long.MAX_VALUE));
  }

  private void putU32(long value) throws InputException {
    room(4);
    for (int i = 0; i < 4; i++) {
      out[length++] = (byte) (value >>> 8 * i);
    }
  }

  private void putU64(long value) throws InputException {
    putU32(value & U32);
    putU32(value >>> 32);
  }

  private void registeredProof() throws InputException {
    String name = json.string();
    RegisteredProof proof =
        RegisteredProof.parse(RegisteredProof.Kind.SEAL, name)
            .orElseThrow(
                () ->
                    json.problem(
                        "it names no registered proof",
                        RegisteredProof.known(RegisteredProof.Kind.SEAL),
                        "\"" + name + "\""));
    putU32(proof.number());
  }

  /** An object of one member, whose name is that of a V1 proof of the size. */
  private void vanillaProofs() throws InputException {
    json.expect('{');
    String name = json.string();
    RegisteredProof proof =
        RegisteredProof.parse(RegisteredProof.Kind.SEAL, name)
            .filter(found -> found.version().equals("V1"))
            .orElseThrow(
                () ->
                    json.problem(
                        "it names no kind of vanilla proofs",
                        "StackedDrg2KiBV1 to StackedDrg64GiBV1",
                        "\"" + name + "\""));
    putU32(proof.number());
    json.expect(':');
    list(() -> list(() -> object(challengeMembers)));
    json.expect('}');
  }

  private void merkle() throws InputException {
    object(merkleMembers);
  }

  /** An object of one member: Single, Sub or Top. */
  private void tree() throws InputException {
    json.expect('{');
    String form = json.string();
    json.expect(':');
    switch (form) {
      case "Single" -> {
        putU32(0);
        object(singleMembers);
      }
      case "Sub" -> {
        putU32(1);
        object(subMembers);
      }
      case "Top" -> {
        putU32(2);
        object(topMembers);
      }
      default ->
          throw json.problem(
              "a Merkle proof has no known form", "Single, Sub or Top", "\"" + form + "\"");
    }
    json.expect('}');
  }

  private void path() throws InputException {
    object(pathMembers);
  }

  private void pathElement() throws InputException {
    object(elementMembers);
  }

  private void columnProof() throws InputException {
    object(columnProofMembers);
  }

  private void label() throws InputException {
    object(labelMembers);
  }
}
