package dev.cuzk.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.Progress;
import dev.cuzk.key.ParameterCache.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParameterCacheTest {
  /** The first 16 bytes of BLAKE2b-512 of "abc" (RFC 7693, appendix A). */
  private static final String ABC = "ba80a53f981c4d0d6a2797b69f12f6e9";

  @TempDir Path folder;

  /** Names of the reference's own files of 2 KiB sectors (shared filecoin/VECTORS.md). */
  @ParameterizedTest
  @CsvSource({
    "porep-2KiB, v28-stacked-proof-of-replication-merkletree-poseidon_hasher-8-0-0-sha256_hasher-"
        + "032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f",
    "window-2KiB, v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
        + "0170db1f394b35d995252228ee359194b13199d259380541dc529fb0099096b0",
    "winning-2KiB, v28-proof-of-spacetime-fallback-merkletree-poseidon_hasher-8-0-0-"
        + "3ea05428c9d11689f23529cde32fd30aabd50f7d2c93657c1d3650bca3e8ea9e",
    "update-2KiB, v28-empty-sector-update-merkletree-poseidon_hasher-8-0-0-"
        + "fb9e095bebdd77511c0269b967b4d87ba8b8a525edaa0e165de23ba454510194",
  })
  void shouldFindParametersByTheNetworksNames(String circuit, String stem) throws Exception {
    ParameterCache cache = new ParameterCache(folder);
    String message = assertThrows(InputException.class, () -> cache.params(circuit)).getMessage();
    assertTrue(message.contains(stem + ".params: the parameters of " + circuit), message);
    Path params = Files.createFile(folder.resolve(stem + ".params"));
    Path vk = Files.createFile(folder.resolve(stem + ".vk"));
    assertEquals(params, cache.params(circuit));
    assertEquals(vk, cache.verifyingKey(circuit));
  }

  @Test
  void shouldKnowTheCircuitsOfAllSizesAndKinds() {
    for (String kind : new String[] {"porep", "update", "window", "winning"}) {
      for (String size : new String[] {"2KiB", "8MiB", "512MiB", "32GiB", "64GiB"}) {
        assertTrue(ParameterCache.knows(kind + "-" + size), kind + "-" + size);
      }
    }
    assertFalse(ParameterCache.knows("update-poseidon-2KiB"));
  }

  @Test
  void shouldSayHowSureItIs() throws Exception {
    FileRange file = FileRange.whole(Files.writeString(folder.resolve("key"), "abc"));
    KeyDigest digests = KeyDigest.rememberedIn(folder.resolve("cache"));
    assertEquals(
        State.VERIFIED, ParameterCache.compare("porep-2KiB", ABC, file, digests, Progress.NONE));
    assertEquals(
        State.REMEMBERED, ParameterCache.compare("porep-2KiB", ABC, file, digests, Progress.NONE));
    assertEquals(
        State.NOT_CHECKED,
        ParameterCache.check("porep-2KiB", true, file, digests, true, Progress.NONE));
    assertEquals("not checked", State.NOT_CHECKED.toString());
  }

  @Test
  void shouldRefuseAnotherFileEvenWhereItsDigestIsRemembered() throws IOException, InputException {
    FileRange file = FileRange.whole(Files.writeString(folder.resolve("key"), "abc"));
    KeyDigest digests = KeyDigest.rememberedIn(folder.resolve("cache"));
    for (int i = 0; i < 2; i++) {
      String message =
          assertThrows(
                  InputException.class,
                  () ->
                      ParameterCache.check(
                          "window-32GiB", true, file, digests, false, Progress.NONE))
              .getMessage();
      assertTrue(message.contains("it is not the published file of window-32GiB"), message);
      assertTrue(message.contains("found " + ABC), message);
    }
  }
}
