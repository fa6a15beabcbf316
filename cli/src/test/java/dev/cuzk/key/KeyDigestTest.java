package dev.cuzk.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.fail;

import dev.cuzk.format.ByteSource;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyDigestTest {
  /** SHA-256 of "abc" (FIPS 180-2, appendix B.1). */
  private static final String ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  /** The first 16 bytes of BLAKE2b-512 of "abc" (RFC 7693, appendix A). */
  private static final String PUBLISHED_ABC = "ba80a53f981c4d0d6a2797b69f12f6e9";

  @TempDir Path folder;

  private Path file;
  private Path cache;

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(folder.resolve("key"), "abc");
    cache = folder.resolve("new/cache");
  }

  private KeyDigest.Result digest() throws InputException {
    return KeyDigest.rememberedIn(cache).of(FileRange.whole(file), Progress.NONE);
  }

  private Path remembered() throws IOException {
    try (Stream<Path> files = Files.list(cache.resolve("digests"))) {
      return files.findFirst().orElseThrow();
    }
  }

  @Test
  void shouldRememberTheDigestOfAFile() throws IOException, InputException {
    assertEquals(new KeyDigest.Result(ABC, KeyDigest.State.COMPUTED), digest());
    assertEquals(new KeyDigest.Result(ABC, KeyDigest.State.REMEMBERED), digest());
    assertEquals(
        "rwx------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(cache.resolve("digests"))));
  }

  @Test
  void shouldMakeBothDigestsOfAPublishedKeyInOnePass() throws InputException {
    KeyDigest digests = KeyDigest.rememberedIn(cache);
    try (ByteSource source = FileRange.whole(file).open()) {
      KeyDigest.Result computed = digests.published(source, 0, Progress.NONE);
      assertEquals(new KeyDigest.Result(PUBLISHED_ABC, KeyDigest.State.COMPUTED), computed);
      assertEquals(
          new KeyDigest.Result(PUBLISHED_ABC, KeyDigest.State.REMEMBERED),
          digests.published(source, 0, Progress.NONE));
    }
    assertEquals(new KeyDigest.Result(ABC, KeyDigest.State.REMEMBERED), digest());
  }

  @Test
  void shouldRememberNothingOfAPublishedKeyWithoutAFolder() throws InputException {
    KeyDigest digests = KeyDigest.forgetful();
    try (ByteSource source = FileRange.whole(file).open()) {
      digests.published(source, 0, Progress.NONE);
      assertEquals(
          new KeyDigest.Result(PUBLISHED_ABC, KeyDigest.State.COMPUTED),
          digests.published(source, 0, Progress.NONE));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldReadAPublishedKeyOnceWhereNothingCanBeRemembered(boolean folderIsAFile)
      throws IOException, InputException {
    cache = Files.writeString(folder.resolve("file"), "not a folder");
    KeyDigest digests = folderIsAFile ? KeyDigest.rememberedIn(cache) : KeyDigest.forgetful();
    try (ByteSource source = FileRange.whole(file).open()) {
      digests.published(source, 0, Progress.NONE);
      KeyDigest.Result sha256 =
          digests.of(source, 0, (done, total) -> fail("the key is read again"));
      assertEquals(new KeyDigest.Result(ABC, KeyDigest.State.COMPUTED), sha256);
    }
  }

  @Test
  void shouldKnowOnlyWhatItNeedNotRead() throws InputException {
    KeyDigest digests = KeyDigest.rememberedIn(cache);
    try (ByteSource source = FileRange.whole(file).open()) {
      assertEquals(Optional.empty(), digests.known(source, 0));
      digests.of(source, 0, Progress.NONE);
      assertEquals(
          Optional.of(new KeyDigest.Result(ABC, KeyDigest.State.REMEMBERED)),
          digests.known(source, 0));
    }
  }

  @Test
  void shouldComputeAgainForAnotherTimeOrInode() throws IOException, InputException {
    digest();
    FileTime before = Files.getLastModifiedTime(file);
    Files.setLastModifiedTime(file, FileTime.fromMillis(before.toMillis() + 1000));
    assertEquals(KeyDigest.State.COMPUTED, digest().state());
    assertEquals(KeyDigest.State.REMEMBERED, digest().state());
    // Another file of the same size, content and times under the same name: an own inode.
    Path copy = Files.copy(file, folder.resolve("copy"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.move(copy, file, StandardCopyOption.REPLACE_EXISTING);
    assertEquals(KeyDigest.State.COMPUTED, digest().state());
  }

  @Test
  void shouldComputeAgainAfterAChange() throws IOException, InputException {
    digest();
    Files.writeString(file, "abcd", StandardOpenOption.TRUNCATE_EXISTING);
    KeyDigest.Result again = digest();
    assertEquals(KeyDigest.State.COMPUTED, again.state());
    assertNotEquals(ABC, again.hex());
  }

  @Test
  void shouldTellApartTheKeysInsideOneFile() throws InputException {
    KeyDigest digests = KeyDigest.rememberedIn(cache);
    FileRange first = new FileRange(file, "key#16", 0, 2);
    FileRange second = new FileRange(file, "key#17", 1, 2);
    String one = digests.of(first, Progress.NONE).hex();
    String two = digests.of(second, Progress.NONE).hex();
    assertNotEquals(one, two);
    assertEquals(
        new KeyDigest.Result(two, KeyDigest.State.REMEMBERED), digests.of(second, Progress.NONE));
  }

  @Test
  void shouldIgnoreWhatItDidNotWrite() throws IOException, InputException {
    digest();
    for (String line :
        new String[] {"", "nonsense", "cuzk-digest-1 3 0 " + ABC, "x".repeat(5000)}) {
      Files.writeString(remembered(), line, StandardOpenOption.TRUNCATE_EXISTING);
      assertEquals(new KeyDigest.Result(ABC, KeyDigest.State.COMPUTED), digest());
    }
  }

  @Test
  void shouldComputeWithoutAFolderThatCanBeWritten() throws IOException, InputException {
    cache = Files.writeString(folder.resolve("file"), "not a folder");
    assertEquals(new KeyDigest.Result(ABC, KeyDigest.State.COMPUTED), digest());
    assertEquals(new KeyDigest.Result(ABC, KeyDigest.State.COMPUTED), digest());
  }

  @Test
  void shouldTellHowFarItIs() throws InputException {
    AtomicLong last = new AtomicLong();
    KeyDigest.forgetful().of(FileRange.whole(file), (done, total) -> last.set(done * 100 + total));
    assertEquals(303, last.get());
  }
}
