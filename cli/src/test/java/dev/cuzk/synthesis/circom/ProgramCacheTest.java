package dev.cuzk.synthesis.circom;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramCacheTest {
  private static final String NAME = "none-bn128";
  private static final CompiledProgram PROGRAM =
      new CompiledProgram(new byte[] {1, 2, 3}, Map.of("a.B", new byte[] {4, 5}));

  @TempDir private Path folder;
  private final List<String> warnings = new ArrayList<>();

  private ProgramCache cache() {
    return ProgramCache.in(folder.resolve("cache"), warnings::add);
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> list = Files.list(folder.resolve("cache/wasm"))) {
      return list.toList();
    }
  }

  private void loadAndRun() throws Exception {
    CircomProgram program =
        CircomProgram.load("none.wasm", CircomTesting.bytes(NAME + ".wasm"), cache());
    assertArrayEquals(
        CircomTesting.bytes(NAME + ".wtns"),
        CircomTesting.wtnsFile(program, CircomTesting.witness(program, "{}")));
  }

  @Test
  void shouldKeepProgramsInAPrivateFolder() throws Exception {
    loadAndRun();
    assertEquals(1, files().size());
    assertEquals(
        "rwx------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("cache/wasm"))));
    assertEquals(
        "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(files().get(0))));
    assertEquals(List.of(), warnings);
  }

  @Test
  void shouldNotCompileTwice() throws Exception {
    String digest = ProgramCache.digest(CircomTesting.bytes(NAME + ".wasm"));
    loadAndRun();
    CompiledProgram kept = cache().load(digest).orElseThrow();
    // A kept program whose code differs shows that it is the one that runs.
    Map<String, byte[]> without = new java.util.LinkedHashMap<>(kept.classes());
    without.remove(CompiledProgram.MAIN_CLASS);
    cache().store(digest, new CompiledProgram(kept.module(), without));
    org.junit.jupiter.api.Assertions.assertThrows(LinkageError.class, this::loadAndRun);
  }

  @Test
  void shouldCompileAgainWhatIsDamaged() throws Exception {
    loadAndRun();
    Path file = files().get(0);
    byte[] whole = Files.readAllBytes(file);
    List<byte[]> damaged = new ArrayList<>();
    for (int position : new int[] {0, 20, 100, whole.length / 2, whole.length - 1}) {
      byte[] copy = whole.clone();
      copy[position] ^= 1;
      damaged.add(copy);
    }
    damaged.add(new byte[0]);
    damaged.add(java.util.Arrays.copyOf(whole, whole.length - 100));
    for (byte[] copy : damaged) {
      Files.write(file, copy);
      loadAndRun();
      assertTrue(cache().load(file.getFileName().toString().substring(0, 64)).isPresent());
      assertEquals(List.of(file), files());
    }
    assertEquals(List.of(), warnings);
  }

  @Test
  void shouldWorkWithoutAFolderThatCanBeWritten() throws Exception {
    // A file stands where the folder should be: not even root can write there.
    Files.writeString(folder.resolve("cache"), "");
    ProgramCache cache = cache();
    cache.store("00", PROGRAM);
    assertTrue(cache.load("00").isEmpty());
    cache.store("01", PROGRAM);
    assertEquals(1, warnings.size());
    assertTrue(warnings.get(0).contains("cannot be kept here"), warnings.get(0));
    loadAndRun();
  }

  @Test
  void shouldNotUseAFolderThatOthersCanWriteTo() throws Exception {
    ProgramCache cache = cache();
    cache.store("00", PROGRAM);
    assertTrue(cache.load("00").isPresent());
    Files.setPosixFilePermissions(
        folder.resolve("cache/wasm"), PosixFilePermissions.fromString("rwxrwxrwx"));
    assertFalse(cache.load("00").isPresent());
    assertEquals(1, warnings.size());
    assertTrue(warnings.get(0).contains("others own it or can write to it"), warnings.get(0));
  }

  @Test
  void shouldNotUseAFolderOfSomebodyElse() throws Exception {
    ProgramCache cache = cache();
    cache.store("00", PROGRAM);
    try {
      Files.setAttribute(folder.resolve("cache/wasm"), "unix:uid", 4711);
    } catch (IOException e) {
      assumeTrue(false, "only root can give a folder away");
    }
    assertFalse(cache.load("00").isPresent());
    cache.store("01", PROGRAM);
    assertEquals(1, files().size());
    assertEquals(1, warnings.size());
  }

  @Test
  void shouldKeepNothingWithoutACache() {
    ProgramCache cache = ProgramCache.none();
    cache.store("00", PROGRAM);
    assertTrue(cache.load("00").isEmpty());
  }
}
