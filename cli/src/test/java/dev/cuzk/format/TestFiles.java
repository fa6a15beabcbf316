package dev.cuzk.format;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where tests find real files. */
public final class TestFiles {
  public static final Path ROOT =
      Path.of(System.getProperty("cuzk.project.root", "..")).toAbsolutePath().normalize();

  private TestFiles() {}

  /** A file under testdata/, there in every checkout. */
  public static Path testdata(String name) {
    return ROOT.resolve("testdata").resolve(name);
  }

  /** A file of the project. */
  public static Path project(String name) {
    return ROOT.resolve(name);
  }

  /** A file or folder among the larger ones beside the checkout; may be missing. */
  public static Path shared(String name) {
    return ROOT.resolve("../shared").resolve(name).normalize();
  }

  /** A sample, a folder or a file in one; the test is skipped where it is missing. */
  public static Path sample(String name) {
    Path sample = samples().resolve(name);
    assumeTrue(Files.exists(sample), "the samples are not here");
    return sample;
  }

  private static Path samples() {
    return shared("samples");
  }

  /** Skips the test where the CPU library has not been built. */
  public static void requireCpuLibrary() {
    Path libraries = Path.of(System.getProperty("cuzk.library.path"));
    boolean built = false;
    if (Files.isDirectory(libraries)) {
      try (Stream<Path> files = Files.list(libraries)) {
        built = files.anyMatch(file -> file.getFileName().toString().startsWith("libcuzk-cpu"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    assumeTrue(built, "the native library has not been built");
  }

  /** All sample files whose name ends so, in order; empty where the samples are missing. */
  public static List<Path> samples(String suffix) {
    if (!Files.isDirectory(samples())) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(samples(), 2)) {
      return files.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All bytes of a small file. */
  public static byte[] read(Path path) {
    try {
      return Files.readAllBytes(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
