package dev.cuzk.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibraryTest {
  @TempDir Path folder;

  private Path file(String version) {
    return folder.resolve("libcuzk-cpu-" + version + ".so");
  }

  private void compile(String source) throws IOException, InterruptedException {
    Path code = Files.writeString(folder.resolve("library.c"), source);
    Process compiler;
    try {
      compiler =
          new ProcessBuilder(
                  "cc",
                  "-shared",
                  "-fPIC",
                  "-o",
                  file(NativeLibrary.version()).toString(),
                  code.toString())
              .inheritIO()
              .start();
    } catch (IOException noCompiler) {
      assumeTrue(false, "no C compiler");
      return;
    }
    assertTrue(compiler.waitFor(30, TimeUnit.SECONDS) && compiler.exitValue() == 0);
  }

  private DeviceException refused() {
    return assertThrows(
        DeviceException.class, () -> NativeLibrary.load(NativeLibrary.Kind.CPU, folder.toString()));
  }

  @Test
  void shouldNameAMissingLibraryAndTheRemedy() {
    DeviceException failure = refused();
    assertEquals(DeviceStatus.NO_DEVICE, failure.status());
    assertTrue(failure.getMessage().contains(file(NativeLibrary.version()).toString()));
    assertTrue(failure.getMessage().contains("./install.sh"));
  }

  @Test
  void shouldSayThatNoFolderIsSet() {
    DeviceException failure =
        assertThrows(
            DeviceException.class, () -> NativeLibrary.load(NativeLibrary.Kind.CUDA, null));
    assertTrue(failure.getMessage().contains("cuzk.library.path"), failure.getMessage());
  }

  @Test
  void shouldRefuseWhatIsNoLibrary() throws IOException {
    Files.writeString(file(NativeLibrary.version()), "text");
    DeviceException failure = refused();
    assertEquals(DeviceStatus.UNSUPPORTED_DEVICE, failure.status());
    assertTrue(failure.getMessage().contains("cannot be loaded"), failure.getMessage());
  }

  @Test
  void shouldRefuseAnotherInterfaceVersionByName() throws Exception {
    compile("unsigned cuzk_abi_version(void) { return 99; }");
    DeviceException failure = refused();
    assertEquals(DeviceStatus.UNSUPPORTED_DEVICE, failure.status());
    assertTrue(failure.getMessage().contains("interface version 99"), failure.getMessage());
  }

  @Test
  void shouldRefuseAnotherBuildByName() throws Exception {
    compile(
        "unsigned cuzk_abi_version(void) { return "
            + NativeLibrary.ABI_VERSION
            + "; } const char *cuzk_build_id(void) { return \"libcuzk-cpu 0.0.9 (x)\"; }");
    assertTrue(refused().getMessage().contains("libcuzk-cpu 0.0.9"));
  }

  @Test
  void shouldRefuseALibraryWithoutAFunction() throws Exception {
    compile(
        "unsigned cuzk_abi_version(void) { return "
            + NativeLibrary.ABI_VERSION
            + "; } const char *cuzk_build_id(void) { return \"libcuzk-cpu "
            + NativeLibrary.version()
            + " (x)\"; }");
    assertTrue(refused().getMessage().contains("has no function cuzk_"));
  }
}
