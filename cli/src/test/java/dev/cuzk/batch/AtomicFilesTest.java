package dev.cuzk.batch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFilesTest {
  @TempDir Path folder;

  private long files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.count();
    }
  }

  @Test
  void shouldReplaceAFile() throws IOException {
    Path file = folder.resolve("a");
    AtomicFiles.write(file, new byte[] {1});
    AtomicFiles.write(file, new byte[] {2, 3});
    assertArrayEquals(new byte[] {2, 3}, Files.readAllBytes(file));
    assertEquals(1, files());
  }

  @Test
  void shouldLeaveNothingWhenOneOfSeveralCannotBeWritten() throws IOException {
    Files.createDirectory(folder.resolve("b"));
    Map<Path, byte[]> contents = new LinkedHashMap<>();
    contents.put(folder.resolve("a"), new byte[1]);
    contents.put(folder.resolve("b"), new byte[1]);
    assertThrows(IOException.class, () -> AtomicFiles.writeAll(contents));
    assertEquals(1, files());
  }

  @Test
  void shouldRefuseAFolderThatIsNotThere() {
    assertThrows(IOException.class, () -> AtomicFiles.write(folder.resolve("x/y"), new byte[1]));
  }

  @Test
  void shouldRemoveLeftoversOnly() throws IOException {
    Path file = folder.resolve("a.json");
    Files.write(file, new byte[1]);
    Files.write(AtomicFiles.temporaryFor(file), new byte[1]);
    AtomicFiles.removeLeftovers(folder);
    assertEquals(1, files());
    AtomicFiles.removeLeftovers(folder.resolve("missing"));
  }

  @Test
  void shouldWriteToADeviceAndLeaveItInItsPlace() throws IOException {
    // A link, so that a fault would replace the link and not the device.
    Path device = Files.createSymbolicLink(folder.resolve("null"), Path.of("/dev/null"));
    AtomicFiles.write(device, new byte[] {1, 2, 3});
    assertTrue(Files.isSymbolicLink(device));
    try (var files = Files.list(folder)) {
      assertEquals(1, files.count());
    }
  }
}
