package dev.cuzk.synthesis;

import dev.cuzk.format.ByteSource;
import dev.cuzk.format.InputException;

/**
 * Opens an input when its partition's turn comes: thousands of jobs may wait, and none of them
 * holds a file open. {@code FileRange::open} is one; content of a pipe is another.
 */
@FunctionalInterface
public interface SourceOpener {
  /** The input's bytes; the caller closes it. */
  ByteSource open() throws InputException;
}
