package dev.cuzk.format;

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

  /** The folder with larger samples beside the checkout; may be missing. */
  public static Path samples() {
    return ROOT.resolve("../shared/samples").normalize();
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
