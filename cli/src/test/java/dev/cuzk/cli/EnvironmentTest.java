package dev.cuzk.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What a process of its own gets; everything else about the environment is tested in commands. */
class EnvironmentTest {
  /** A bare FileInputStream asked for all its bytes seeks, which a pipe refuses. */
  @Test
  void shouldReadAnInputFromAPipe() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "prove",
                "--gpus",
                "none",
                "-")
            .redirectErrorStream(true)
            .start();
    try (OutputStream in = process.getOutputStream()) {
      in.write("{\"a\":1}".getBytes(StandardCharsets.UTF_8));
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(2, process.waitFor(), said);
    assertFalse(said.contains("seek"), said);
    assertTrue(said.contains("standard input: a circom input needs a proving key"), said);
  }
}
