package dev.cuzk.engine;

import dev.cuzk.device.Backend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.memory.Buffer;
import dev.cuzk.report.EngineFigures.LockFigures;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The assignment buffers of one device, reused by length: page-locking is slow, and a batch has
 * many assignments of few lengths. Admission bounds what is in use; what is idle is given back
 * before the sum of both would pass the limit. Buffers are zeroed on their way back.
 */
final class WitnessPool {
  private final Backend backend;
  private final long limit;
  private final MeteredLock lock;
  private final ArrayDeque<Buffer> idle = new ArrayDeque<>();
  private long idleBytes;
  private long usedBytes;
  private int used;

  WitnessPool(String name, Backend backend, long limit, Scheduler scheduler) {
    this.lock = new MeteredLock(name, scheduler);
    this.backend = backend;
    this.limit = limit;
  }

  LockFigures lockFigures() {
    return lock.figures();
  }

  /** Whether assignments go from here to another memory, so that packing them saves time. */
  boolean uploads() {
    return !backend.description().isCpu();
  }

  /** A zeroed buffer of exactly this length. */
  Buffer take(long bytes) throws DeviceException {
    List<Buffer> surplus = new ArrayList<>();
    Buffer found;
    lock.lock();
    try {
      found = poll(bytes);
      usedBytes += bytes;
      used++;
      while (found == null && usedBytes + idleBytes > limit && !idle.isEmpty()) {
        Buffer oldest = idle.pollFirst();
        idleBytes -= oldest.byteSize();
        surplus.add(oldest);
      }
    } finally {
      lock.unlock();
    }
    close(surplus);
    if (found != null) {
      return found;
    }
    try {
      return allocate(bytes);
    } catch (DeviceException | RuntimeException | Error failure) {
      lock.lock();
      try {
        usedBytes -= bytes;
        used--;
      } finally {
        lock.unlock();
      }
      throw failure;
    }
  }

  private Buffer allocate(long bytes) throws DeviceException {
    MeteredLock.slow("allocating a buffer");
    try {
      return backend.allocatePinned(bytes);
    } catch (DeviceException first) {
      // Another process may have taken the memory: what lies idle here comes first.
      drop();
      return backend.allocatePinned(bytes);
    }
  }

  private Buffer poll(long bytes) {
    for (Iterator<Buffer> newestFirst = idle.descendingIterator(); newestFirst.hasNext(); ) {
      Buffer buffer = newestFirst.next();
      if (buffer.byteSize() == bytes) {
        newestFirst.remove();
        idleBytes -= bytes;
        return buffer;
      }
    }
    return null;
  }

  /** Takes a buffer back. */
  void give(Buffer buffer) {
    MeteredLock.slow("zeroing a buffer");
    buffer.zero();
    lock.lock();
    try {
      usedBytes -= buffer.byteSize();
      used--;
      idleBytes += buffer.byteSize();
      idle.addLast(buffer);
    } finally {
      lock.unlock();
    }
  }

  /** Closes what is not in use. */
  void drop() {
    List<Buffer> surplus;
    lock.lock();
    try {
      surplus = new ArrayList<>(idle);
      idle.clear();
      idleBytes = 0;
    } finally {
      lock.unlock();
    }
    close(surplus);
  }

  private static void close(List<Buffer> surplus) {
    if (!surplus.isEmpty()) {
      MeteredLock.slow("freeing buffers");
      surplus.forEach(Buffer::close);
    }
  }

  /** Buffers that were taken and not given back. */
  int inUse() {
    lock.lock();
    try {
      return used;
    } finally {
      lock.unlock();
    }
  }
}
