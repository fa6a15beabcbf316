package dev.cuzk.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Which file it is, and whether it is still the same: what is remembered of a file when it is
 * opened and compared after it was read.
 *
 * @param device number of the device that holds it
 * @param inode its number on that device
 * @param size in bytes
 * @param modifiedNanos time of the last change of its content, nanoseconds since 1970
 */
public record FileIdentity(long device, long inode, long size, long modifiedNanos) {
  /** Asks the file system; symbolic links are followed. */
  public static FileIdentity of(Path path) throws IOException {
    Map<String, Object> attributes =
        Files.readAttributes(path, "unix:dev,ino,size,lastModifiedTime");
    return new FileIdentity(
        (Long) attributes.get("dev"),
        (Long) attributes.get("ino"),
        (Long) attributes.get("size"),
        ((FileTime) attributes.get("lastModifiedTime")).to(TimeUnit.NANOSECONDS));
  }

  /** Written out: linking a record's own methods takes a short command longer than the check. */
  @Override
  public boolean equals(Object other) {
    return other instanceof FileIdentity identity
        && device == identity.device
        && inode == identity.inode
        && size == identity.size
        && modifiedNanos == identity.modifiedNanos;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(31 * inode + device);
  }
}
