package dev.cuzk.synthesis.filecoin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cuzk.circuit.filecoin.SectorShape;
import dev.cuzk.device.Backend;
import dev.cuzk.device.BackendOptions;
import dev.cuzk.device.CpuBackend;
import dev.cuzk.format.ByteSource;
import dev.cuzk.format.InputException;
import dev.cuzk.format.TestFiles;
import dev.cuzk.format.filecoin.C1File;
import dev.cuzk.format.filecoin.C1Output;
import dev.cuzk.format.filecoin.PorepChallenge;
import dev.cuzk.memory.Buffer;
import dev.cuzk.memory.PackedScalars;
import dev.cuzk.memory.PlainBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VanillaSynthesizerTest {
  private static final int VALUE_BYTES = ValueWriter.VALUE_BYTES;
  private static final long BLOCK_BYTES = 65_536L * VALUE_BYTES;
  private static final ForkJoinPool POOL = ForkJoinPool.commonPool();

  /** Proofs that are in memory already. */
  static <P> VanillaSource<P> source(P proofs) throws InputException {
    return VanillaSource.read(List.of(), none -> proofs);
  }

  /** SHA-256 of each 65,536 values, then of all. */
  static List<String> digests(Buffer assignment) throws Exception {
    MessageDigest whole = MessageDigest.getInstance("SHA-256");
    MessageDigest block = MessageDigest.getInstance("SHA-256");
    List<String> digests = new ArrayList<>();
    for (long at = 0; at < assignment.byteSize(); at += BLOCK_BYTES) {
      ByteBuffer view =
          assignment.view(at, (int) Math.min(BLOCK_BYTES, assignment.byteSize() - at));
      whole.update(view.duplicate());
      block.update(view);
      digests.add(HexFormat.of().formatHex(block.digest()));
    }
    digests.add(HexFormat.of().formatHex(whole.digest()));
    return digests;
  }

  /** The reference's digests of a partition. */
  static List<String> expected(FilecoinCase vector, int partition) throws IOException {
    Path blocks = vector.folder().resolve("partition-" + partition + ".blocks.txt");
    List<String> digests = new ArrayList<>();
    Files.readAllLines(blocks).stream().map(line -> line.split("\\s+")[0]).forEach(digests::add);
    JsonNode facts = vector.facts().get("partitions").get(partition);
    digests.add(facts.get("assignment_sha256").asText());
    return digests;
  }

  static VanillaSynthesizer<?> synthesizer(FilecoinCase vector, int partition) throws Exception {
    String name = vector.toString();
    if (name.contains("porep")) {
      return new PorepSynthesizer(vector.porep(), source(vector.c1()), partition);
    }
    return name.contains("snap")
        ? new UpdateSynthesizer(vector.update(), source(vector.partitionProofs()), partition)
        : new PostSynthesizer(vector.post(), source(vector.sectors()), partition);
  }

  static PlainBuffer synthesize(VanillaSynthesizer<?> synthesizer) throws Exception {
    PlainBuffer target = PlainBuffer.allocate(synthesizer.variables() * VALUE_BYTES);
    InputException[] refusal = new InputException[1];
    POOL.submit(
            () -> {
              try {
                synthesizer.synthesize(target);
              } catch (InputException e) {
                refusal[0] = e;
              }
            })
        .get();
    if (refusal[0] != null) {
      throw refusal[0];
    }
    return target;
  }

  /** The large ones are FilecoinTiming's. */
  static Stream<FilecoinCase> vectors() throws IOException {
    return FilecoinCase.all("")
        .filter(vector -> !vector.toString().contains("32g") || vector.toString().contains("winn"));
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("vectors")
  void shouldMakeTheReferencesAssignments(FilecoinCase vector) throws Exception {
    for (int i = 0; i < vector.facts().get("partitions").size(); i++) {
      try (PlainBuffer assignment = synthesize(synthesizer(vector, i))) {
        assertEquals(expected(vector, i), digests(assignment), vector + " partition " + i);
      }
    }
  }

  /** Byte for byte what the library makes of the plain form, and no more than was promised. */
  @Test
  void shouldPackAsTheLibraryDoes() throws Exception {
    VanillaSynthesizer<?> maker = seal(file("porep-2KiB.c1.bincode"));
    try (PlainBuffer plain = synthesize(maker);
        PackedScalars packed = new PackedScalars(maker.variables());
        PlainBuffer found = PlainBuffer.allocate(maker.packedBytes());
        Backend cpu = CpuBackend.open(BackendOptions.cpu(2));
        Buffer expected = cpu.allocatePinned(plain.byteSize() / 2)) {
      POOL.submit(
              () -> {
                maker.synthesize(packed);
                return null;
              })
          .get();
      assertEquals(cpu.pack(plain, maker.variables(), expected), packed.byteSize());
      assertTrue(packed.byteSize() <= maker.packedBytes(), "packed: " + packed.byteSize());
      packed.write(found);
      int size = (int) packed.byteSize();
      assertEquals(-1, expected.view(0, size).mismatch(found.view(0, size)));
    }
  }

  // ---- refusals

  private static byte[] file(String name) {
    return TestFiles.read(TestFiles.testdata("filecoin/" + name));
  }

  private static void assertRefused(VanillaSynthesizer<?> synthesizer, String... words) {
    String message =
        assertThrows(InputException.class, () -> synthesize(synthesizer).close()).getMessage();
    for (String word : words) {
      assertTrue(message.contains(word), message);
    }
  }

  private static PorepSynthesizer seal(byte[] bincode) throws InputException {
    C1Output c1 = C1File.read(ByteSource.of("c1", bincode));
    PorepStatement statement =
        new PorepStatement(
            SectorShape.KIB_2,
            c1.proof(),
            Hash32.of(c1.bytes(), c1.replicaId()),
            Hash32.of(c1.bytes(), c1.commD()),
            Hash32.of(c1.bytes(), c1.commR()),
            Hash32.of(c1.bytes(), c1.seed()));
    return new PorepSynthesizer(statement, source(c1), 0);
  }

  @Test
  void shouldNameWhatLeadsToNoRoot() throws Exception {
    byte[] whole = file("porep-2KiB.c1.bincode");
    PorepChallenge challenge = C1File.read(ByteSource.of("c1", whole)).partitions().get(0).get(1);
    String place = "partition 0, challenge 1 (node 55)";
    int[] offsets = {
      challenge.data().sibling(3, 0),
      challenge.replica().sibling(1, 6),
      challenge.expanderParents().get(3).rowsOffset(),
      challenge.column().inclusion().sibling(0, 2)
    };
    String[] trees = {"tree D", "tree R", "tree C", "tree C"};
    for (int i = 0; i < offsets.length; i++) {
      byte[] mauled = whole.clone();
      mauled[offsets[i]] ^= 1;
      assertRefused(seal(mauled), "c1: " + trees[i], place);
    }
    byte[] large = whole.clone();
    large[challenge.data().sibling(2, 0) + 31] = (byte) 0xff;
    assertRefused(seal(large), "sibling 0 on level 2 is no field element", place);
    large = whole.clone();
    large[challenge.baseParents().get(2).rowsOffset() + 31] = (byte) 0xff;
    assertRefused(seal(large), "base parent 2", "is no field element", place);
  }
}
