package dev.cuzk.synthesis.filecoin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cuzk.format.InputException;
import dev.cuzk.memory.Buffer;
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
}
