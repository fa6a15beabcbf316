package dev.cuzk.format;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.format.BadInputs.BadFile;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.PlainBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class BadInputsTest {
  private static final Duration AT_MOST = Duration.ofSeconds(1);
  private static final Pattern PLACE =
      Pattern.compile("\\(.*(section|offset|header).*, expected .+, found .+\\)");

  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> shouldAnswerEachBrokenFileOfTheQuickstart() {
    return tests(BadInputs.ofQuickstart(), 936);
  }

  @TestFactory
  Stream<DynamicTest> shouldAnswerEachBrokenSample() {
    Path sample = TestFiles.shared("samples/merkle16-bn128");
    return Files.isDirectory(sample)
        ? tests(
            BadInputs.of(sample.resolve("circuit.snarkjs.zkey"), sample.resolve("witness_0.wtns")),
            3873)
        : Stream.empty();
  }

  private Stream<DynamicTest> tests(Map<String, BadFile> files, long variables) {
    return files.entrySet().stream()
        .map(
            entry ->
                DynamicTest.dynamicTest(
                    entry.getKey(), () -> check(entry.getKey(), entry.getValue(), variables)));
  }

  private void check(String name, BadFile bad, long variables) throws Exception {
    Path file = Files.write(folder.resolve(name), bad.bytes());
    if (!bad.isRefusedByReaders()) {
      read(file, variables);
      return;
    }
    InputException e =
        assertTimeoutPreemptively(
            AT_MOST, () -> assertThrows(InputException.class, () -> read(file, variables)));
    String message = e.getMessage();
    assertTrue(message.startsWith(file + ": "), message);
    assertTrue(Pattern.compile(bad.mention()).matcher(message).find(), message);
    assertTrue(PLACE.matcher(message).find(), message);
    assertFalse(message.contains("\n"), message);
    if (bad.found() == BadInputs.Found.AT_OPENING) {
      assertThrows(InputException.class, () -> open(file, variables));
    }
  }

  private static void open(Path file, long variables) throws InputException {
    if (file.toString().endsWith(".wtns")) {
      try (WtnsFile witness = WtnsFile.open(FileRange.whole(file))) {
        witness.requireFits("circuit.zkey", CurveId.BN254, variables);
      }
    } else {
      ZkeyFile.open(FileRange.whole(file)).close();
    }
  }

  private static void read(Path file, long variables) throws InputException {
    open(file, variables);
    if (file.toString().endsWith(".wtns")) {
      try (WtnsFile witness = WtnsFile.open(FileRange.whole(file));
          PlainBuffer buffer = PlainBuffer.allocate(witness.variables() * 32)) {
        witness.readInto(buffer);
      }
    } else {
      try (ZkeyFile key = ZkeyFile.open(FileRange.whole(file))) {
        key.checkEntries(Progress.NONE);
        key.contributions();
      }
    }
  }
}
