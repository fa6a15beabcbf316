package dev.cuzk.device;

import dev.cuzk.format.InputException;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.key.Query;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;

/**
 * Reads a proving key in pieces, in the order a device wants them: the queries, unless they lie in
 * a file that the library reads, then the matrix entries, unless it expands the matrices. A thread
 * of its own reads ahead into a ring of buffers while the device works on earlier pieces; a key of
 * one piece a query is read without one.
 */
final class KeyStream {
  /** Bytes in a matrix entry. */
  static final int ENTRY_BYTES = 44;

  private static final int PIECE_BYTES = 8 << 20;
  private static final int RING = 4;

  /** A part of a query, or of the matrix entries ({@code query} is null). */
  record Piece(Query query, long first, int count, int bytes) {}

  /** Takes a piece that was read; the buffer's first {@code piece.bytes} hold it. */
  interface Consumer {
    void take(Piece piece, Buffer buffer) throws DeviceException, InputException;
  }

  private record Slot(Piece piece, Buffer buffer, Throwable failure) {}

  private final ProvingKey key;
  private final List<Piece> pieces;

  /**
   * @param withEntries whether the matrix entries are wanted too
   */
  KeyStream(ProvingKey key, boolean withEntries) {
    this.key = key;
    this.pieces = pieces(key, withEntries);
  }

  private static List<Piece> pieces(ProvingKey key, boolean withEntries) {
    List<Piece> pieces = new ArrayList<>();
    for (Query query : Query.values()) {
      if (key.pointsInFile(query).isPresent()) {
        continue; // read by the library itself
      }
      int bytes =
          key.knowsLogarithms() ? CurveId.SCALAR_BYTES : key.curve().pointBytes(query.isG2());
      cut(pieces, query, key.count(query), bytes);
    }
    if (withEntries) {
      cut(pieces, null, key.entryCount(), ENTRY_BYTES);
    }
    return pieces;
  }

  private static void cut(List<Piece> pieces, Query query, long count, int bytesEach) {
    int most = PIECE_BYTES / bytesEach;
    for (long first = 0; first < count; first += most) {
      int here = (int) Math.min(most, count - first);
      pieces.add(new Piece(query, first, here, here * bytesEach));
    }
  }

  /** Buffers this long are wanted from the allocator. */
  private int bufferBytes() {
    return pieces.stream().mapToInt(Piece::bytes).max().orElse(0);
  }

  /** Makes the buffers that a stream reads into. */
  interface Allocator {
    Buffer allocate(long bytes) throws DeviceException;
  }

  /**
   * Streams the whole key. Interrupting the thread ends it after the piece in hand.
   *
   * @throws DeviceException CANCELLED if the thread was interrupted; else what the consumer threw
   */
  void run(Allocator allocator, Consumer consumer) throws DeviceException, InputException {
    boolean small = pieces.size() <= Query.values().length + 1;
    int count = pieces.isEmpty() ? 0 : small ? 1 : RING;
    List<Buffer> ring = new ArrayList<>(count);
    try {
      for (int i = 0; i < count; i++) {
        ring.add(allocator.allocate(bufferBytes()));
      }
      if (small) {
        for (Piece piece : pieces) {
          read(piece, ring.get(0));
          checkInterrupt();
          consumer.take(piece, ring.get(0));
        }
      } else {
        overlap(ring, consumer);
      }
    } finally {
      ring.forEach(Buffer::close);
    }
  }

  private void overlap(List<Buffer> ring, Consumer consumer)
      throws DeviceException, InputException {
    BlockingQueue<Buffer> free = new ArrayBlockingQueue<>(RING, false, ring);
    BlockingQueue<Slot> full = new ArrayBlockingQueue<>(RING + 1);
    CompletableFuture<Void> ended = new CompletableFuture<>();
    Thread reader =
        new Thread(
            () -> {
              try {
                readAhead(free, full);
              } finally {
                ended.complete(null);
              }
            },
            "cuzk-key-reader");
    reader.setDaemon(true);
    reader.start();
    try {
      for (int i = 0; i < pieces.size(); i++) {
        Slot slot = full.take();
        if (slot.failure != null) {
          throw rethrown(slot.failure);
        }
        consumer.take(slot.piece, slot.buffer);
        free.add(slot.buffer);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw cancelled();
    } finally {
      reader.interrupt();
      // It writes into the ring: nobody may free that before it has ended. Not Thread.join, which
      // an interrupt ends.
      ended.join();
    }
  }

  private void readAhead(BlockingQueue<Buffer> free, BlockingQueue<Slot> full) {
    try {
      for (Piece piece : pieces) {
        Buffer buffer = free.take();
        read(piece, buffer);
        full.put(new Slot(piece, buffer, null));
      }
    } catch (InterruptedException notWantedAnyMore) {
      Thread.currentThread().interrupt();
    } catch (Throwable failure) {
      full.offer(new Slot(null, null, failure));
    }
  }

  private void read(Piece piece, Buffer buffer) throws InputException {
    if (piece.query == null) {
      key.readEntries(piece.first, piece.count, buffer.view(0, piece.bytes));
    } else if (key.knowsLogarithms()) {
      key.readLogarithms(piece.query, piece.first, piece.count, buffer.view(0, piece.bytes));
    } else {
      key.readPoints(piece.query, piece.first, piece.count, buffer.view(0, piece.bytes));
    }
  }

  private static RuntimeException rethrown(Throwable failure) throws InputException {
    if (failure instanceof InputException input) {
      throw input;
    }
    if (failure instanceof Error error) {
      throw error;
    }
    return failure instanceof RuntimeException runtime
        ? runtime
        : new IllegalStateException(failure);
  }

  static void checkInterrupt() throws DeviceException {
    if (Thread.currentThread().isInterrupted()) {
      throw cancelled();
    }
  }

  private static DeviceException cancelled() {
    return new DeviceException(DeviceStatus.CANCELLED, 0, "loading the key was cancelled");
  }
}
