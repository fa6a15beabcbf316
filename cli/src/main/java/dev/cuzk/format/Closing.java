package dev.cuzk.format;

import java.io.Closeable;
import java.io.IOException;

/** Closing what has nothing left to lose. */
public final class Closing {
  private Closing() {}

  /**
   * Closes a resource whose failure to close would tell nothing: it was only read from, its content
   * is already on the disk, or a failure before it is the one to report. Null is nothing to close.
   */
  public static void quietly(Closeable resource) {
    if (resource == null) {
      return;
    }
    try {
      resource.close();
    } catch (IOException e) {
      // The caller has chosen not to hear of it.
      return;
    }
  }
}
