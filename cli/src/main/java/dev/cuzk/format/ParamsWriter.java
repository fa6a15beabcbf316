package dev.cuzk.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Writes a bellman proving key (.params), or the verifying key that it begins with (.vk). Usage:
 * construct, {@link #begin}, {@link #append} and {@link #end} for each list in the order of {@link
 * ParamsFile.Section}, {@link #commit}; a verifying key ends after {@code IC}. Not thread-safe.
 */
public final class ParamsWriter implements AutoCloseable {
  private final AtomicOutput output;
  private ParamsFile.Section open;
  private int next;
  private long countPlace;

  /**
   * Starts a file; nothing is there under its name before {@link #commit}.
   *
   * @param singlePoints alpha1, beta1, beta2, gamma2, delta1, delta2, as they stand in the file
   */
  public ParamsWriter(Path target, byte[] singlePoints) throws IOException {
    if (singlePoints.length != ParamsFile.SINGLE_BYTES) {
      throw new IllegalArgumentException("six points have " + ParamsFile.SINGLE_BYTES + " bytes");
    }
    this.output = new AtomicOutput(target);
    output.write(ByteBuffer.wrap(singlePoints));
  }

  /** Starts the next list. */
  public void begin(ParamsFile.Section section) throws IOException {
    if (open != null || section.ordinal() != next) {
      throw new IllegalStateException(section + " does not come now");
    }
    open = section;
    countPlace = output.position();
    output.write(ByteBuffer.allocate(4));
  }

  /** Appends whole points to the open list, as they stand in the file. */
  public void append(ByteBuffer points) throws IOException {
    output.write(points);
  }

  /** Ends the open list and stores how many points it has got. */
  public void end() throws IOException {
    long bytes = output.position() - countPlace - 4;
    long count = bytes / open.pointBytes();
    if (bytes % open.pointBytes() != 0 || count >= 1L << 32) {
      throw new IllegalStateException(open + " got " + bytes + " bytes");
    }
    output.patch(countPlace, ByteBuffer.allocate(4).putInt((int) count).flip());
    open = null;
    next++;
  }

  /** Completes the file, forces it to the disk and gives it its name. */
  public void commit() throws IOException {
    int last = ParamsFile.Section.values().length;
    if (open != null || next != last && next != ParamsFile.Section.IC.ordinal() + 1) {
      throw new IllegalStateException("lists are missing");
    }
    output.commit();
  }

  @Override
  public void close() throws IOException {
    output.close();
  }
}
