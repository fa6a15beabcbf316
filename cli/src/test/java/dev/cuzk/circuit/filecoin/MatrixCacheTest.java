package dev.cuzk.circuit.filecoin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.circuit.CircuitTesting;
import dev.cuzk.circuit.CompactMatrices;
import dev.cuzk.circuit.CompactMatricesFile;
import dev.cuzk.circuit.ConstraintDigest;
import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MatrixCacheTest {
  private static final FilecoinCircuit CIRCUIT = PostCircuit.window(SectorShape.KIB_32);
  private static final String ROOT = CIRCUIT.reference().root();

  @TempDir Path folder;

  private Path file() throws IOException {
    try (var files = Files.list(folder.resolve("matrices"))) {
      List<Path> all = files.toList();
      assertEquals(1, all.size());
      return all.get(0);
    }
  }

  private static String digest(CompactMatrices matrices) throws InputException {
    return ConstraintDigest.of(matrices, CircuitTesting.POOL).root().hex();
  }

  private String refusal(Path path, String digest, CurveId curve) {
    return assertThrows(
            InputException.class,
            () -> CompactMatricesFile.read(path, CIRCUIT.name(), curve, digest))
        .getMessage();
  }

  @Test
  void shouldKeepMatricesThatExpandToTheSameDigest() throws Exception {
    MatrixCache cache = MatrixCache.in(folder.resolve("deep"));
    assertEquals(ROOT, digest(cache.of(CIRCUIT)));
    assertFalse(Files.exists(folder.resolve("matrices")));
    Path kept = folder.resolve("deep/matrices/" + ROOT + ".matrices");
    CompactMatrices read =
        CompactMatricesFile.read(kept, CIRCUIT.name(), FilecoinCircuit.CURVE, ROOT);
    assertEquals(ROOT, digest(read));
    assertEquals(CIRCUIT.publicInputs(), read.publicInputs());
    assertEquals(CIRCUIT.matrices().variables(), read.variables());
    assertArrayEquals(Files.readAllBytes(kept), CompactMatricesFile.encode(read, ROOT).array());
    assertEquals(
        "rwx------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(kept.getParent())));
  }

  @Test
  void shouldReadWhatIsKept() throws Exception {
    MatrixCache cache = MatrixCache.in(folder);
    cache.of(CIRCUIT);
    // Another circuit's matrices under this one's name: only who reads the file sees them.
    FilecoinCircuit other = PostCircuit.window(SectorShape.KIB_2);
    Files.write(file(), CompactMatricesFile.encode(other.matrices(), ROOT).array());
    assertEquals(other.reference().root(), digest(cache.of(CIRCUIT)));
  }

  @Test
  void shouldMakeADamagedFileAnew() throws Exception {
    MatrixCache cache = MatrixCache.in(folder);
    cache.of(CIRCUIT);
    byte[] whole = Files.readAllBytes(file());
    for (int place : new int[] {0, 9, 45, 80, whole.length / 2, whole.length - 1}) {
      byte[] damaged = whole.clone();
      damaged[place] ^= 4;
      Files.write(file(), damaged);
      assertEquals(ROOT, digest(cache.of(CIRCUIT)));
      assertArrayEquals(whole, Files.readAllBytes(file()), "byte " + place);
    }
  }

  @Test
  void shouldWorkWithoutAFolder() throws Exception {
    assertEquals(ROOT, digest(MatrixCache.none().of(CIRCUIT)));
    Path occupied = Files.writeString(folder.resolve("occupied"), "a file, not a folder");
    assertEquals(ROOT, digest(MatrixCache.in(occupied).of(CIRCUIT)));
  }

  @Test
  void shouldRefuseFilesThatAreNotTheCircuits() throws Exception {
    Path path = folder.resolve("some.matrices");
    byte[] whole = CompactMatricesFile.encode(CIRCUIT.matrices(), ROOT).array();
    Files.write(path, whole);
    String otherRoot = PostCircuit.window(SectorShape.KIB_2).reference().root();
    assertTrue(refusal(path, otherRoot, FilecoinCircuit.CURVE).contains("another circuit"));
    assertTrue(refusal(path, ROOT, CurveId.BN254).contains("another circuit"));
    Files.write(path, Arrays.copyOf(whole, 100));
    assertTrue(refusal(path, ROOT, FilecoinCircuit.CURVE).contains("too short (100 bytes)"));
    Files.write(path, Arrays.copyOf(whole, whole.length - 1));
    assertTrue(refusal(path, ROOT, FilecoinCircuit.CURVE).contains("SHA-256"));
    Files.write(path, new byte[200]);
    assertTrue(
        refusal(path, ROOT, FilecoinCircuit.CURVE).contains("not a file of compact matrices"));
    assertTrue(
        refusal(folder.resolve("absent"), ROOT, FilecoinCircuit.CURVE).contains("cannot be read"));
  }
}
