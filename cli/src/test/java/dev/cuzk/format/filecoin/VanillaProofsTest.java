package dev.cuzk.format.filecoin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.format.ByteSource;
import dev.cuzk.format.InputException;
import dev.cuzk.format.TestFiles;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class VanillaProofsTest {
  private static final byte[] SECTOR = file("window-2KiB-sector-7.bin");
  private static final byte[] OTHER = file("window-2KiB-sector-14.bin");
  private static final byte[] UPDATE = file("update-2KiB.bin");

  private static byte[] file(String name) {
    return TestFiles.read(TestFiles.testdata("filecoin/" + name));
  }

  private static ByteSource source(byte[] content) {
    return ByteSource.of("proof", content);
  }

  private static byte[] array(byte[]... elements) {
    return Stream.of(elements)
        .map(each -> "\"" + Base64.getEncoder().encodeToString(each) + "\"")
        .collect(Collectors.joining(",\n ", "[", "]"))
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static Optional<FilecoinFormat> format(byte[] content) throws InputException {
    return FilecoinFormat.of(source(content));
  }

  private static void assertRefused(byte[] content, String... words) {
    String message =
        assertThrows(InputException.class, () -> VanillaProofs.readSectors(source(content)))
            .getMessage();
    for (String word : words) {
      assertTrue(message.contains(word), message);
    }
  }

  @Test
  void shouldReadSectors() throws Exception {
    List<PostSectorProof> alone = VanillaProofs.readSectors(source(SECTOR));
    assertEquals(1, alone.size());
    assertEquals(7, alone.get(0).sectorId());
    assertEquals(10, alone.get(0).inclusions().size());
    assertEquals(8, alone.get(0).commR());
    List<PostSectorProof> both = VanillaProofs.readSectors(source(array(SECTOR, OTHER)));
    assertEquals(List.of(7L, 14L), both.stream().map(PostSectorProof::sectorId).toList());
    assertArrayEquals(OTHER, both.get(1).bytes());
    assertEquals("proof[1]", both.get(1).file());
  }

  @Test
  void shouldReadPartitions() throws Exception {
    UpdatePartitionProof proof = VanillaProofs.readPartitions(source(UPDATE)).get(0);
    assertEquals(8, proof.apexLeafCount());
    assertEquals(10, proof.challenges().size());
    UpdatePartitionProof.Challenge challenge = proof.challenges().get(3);
    assertEquals(challenge.oldReplica().leafIndex(), challenge.newReplica().leafIndex());
    assertEquals(challenge.oldReplica().leafIndex(), challenge.newData().leafIndex());
    assertEquals(1, VanillaProofs.readPartitions(source(array(UPDATE))).size());
  }

  @Test
  void shouldTellFormsByContent() throws Exception {
    assertEquals(Optional.of(FilecoinFormat.POST_SECTOR), format(SECTOR));
    assertEquals(Optional.of(FilecoinFormat.UPDATE_PARTITION), format(UPDATE));
    assertEquals(Optional.of(FilecoinFormat.BASE64_ARRAY), format(array(SECTOR)));
    assertEquals(Optional.of(FilecoinFormat.C1_BINCODE), format(file("porep-2KiB.c1.bincode")));
    assertEquals(Optional.of(FilecoinFormat.C1_ENVELOPE), format(file("porep-2KiB.c1.json")));
    assertEquals(Optional.empty(), format(file("window-2KiB.vk")));
    assertEquals(Optional.empty(), format(file("window-2KiB.proof")));
    assertEquals(Optional.empty(), format("[\"12\"]".getBytes(StandardCharsets.US_ASCII)));
    assertEquals(Optional.empty(), format(new byte[0]));
  }

  @Test
  void shouldRefuseTruncatedSectors() {
    for (int length = 0; length < SECTOR.length; length += 97) {
      assertRefused(Arrays.copyOf(SECTOR, length), "proof", "offset");
    }
    assertRefused(Arrays.copyOf(SECTOR, SECTOR.length + 3), "more after its end", "3 bytes");
  }

  @Test
  void shouldRefuseSectorsWithAnotherCount() {
    byte[] two = SECTOR.clone();
    two[40] = 2;
    assertRefused(two, "of one sector", "offset 40", "found 2");
  }

  @Test
  void shouldRefuseArraysOfSomethingElse() {
    String text = new String(array(SECTOR), StandardCharsets.US_ASCII);
    assertRefused((text + "1").getBytes(StandardCharsets.US_ASCII), "after the array");
    assertRefused(
        text.replace("]", ",1]").getBytes(StandardCharsets.US_ASCII), "element 1", "base64");
    assertRefused(text.replace("]", "").getBytes(StandardCharsets.US_ASCII), "JSON");
    assertRefused(text.replaceFirst("AAA", "A*A").getBytes(StandardCharsets.US_ASCII), "JSON");
    assertRefused(array(SECTOR, new byte[3]), "proof[1]", "ends in");
  }
}
