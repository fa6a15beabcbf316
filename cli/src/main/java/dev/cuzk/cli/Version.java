package dev.cuzk.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Version and build of the Java half, as the build wrote them. */
final class Version implements IVersionProvider {
  /** The release, for example {@code 0.1.0}. */
  static String number() {
    return property("version");
  }

  /** The commit of the sources, or {@code unknown}. */
  static String build() {
    return property("build");
  }

  private static String property(String name) {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("build.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty(name);
  }

  @Override
  public String[] getVersion() {
    return new String[] {
      "cuzk " + number(),
      "build " + build(),
      "java " + System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + ")"
    };
  }
}
