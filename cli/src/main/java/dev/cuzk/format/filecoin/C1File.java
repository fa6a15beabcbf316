package dev.cuzk.format.filecoin;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.cuzk.format.ByteSource;
import dev.cuzk.format.InputException;
import dev.cuzk.format.SourceStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Reads C1 outputs: the envelope {@code {"SectorNum","Phase1Out","SectorSize"}} that sealing tools
 * write, the JSON inside it, or bincode, told by content. Of an envelope one thread takes the
 * base64 apart while the caller's reads the JSON inside.
 */
public final class C1File {
  private static final int LARGEST_BINCODE = 1 << 30;

  private C1File() {}

  /** Reads a whole file; it is closed by whoever opened it. */
  public static C1Output read(ByteSource source) throws InputException {
    FilecoinFormat format =
        FilecoinFormat.of(source)
            .filter(FilecoinFormat::isC1)
            .orElseThrow(
                () ->
                    new InputException(
                        source.name(),
                        "it is no C1 output (expected the envelope with Phase1Out, the JSON inside"
                            + " it, or bincode)"));
    C1Output output =
        switch (format) {
          case C1_ENVELOPE -> envelope(source);
          case C1_JSON ->
              reader(
                      source,
                      C1Transcoder.transcode(
                          source.name(), new SourceStream(source), source.length()))
                  .c1(format.title(), OptionalLong.empty(), OptionalLong.empty());
          default ->
              reader(source, content(source))
                  .c1(format.title(), OptionalLong.empty(), OptionalLong.empty());
        };
    source.verifyUnchanged();
    return output;
  }

  private static BincodeReader reader(ByteSource source, byte[] bincode) {
    return new BincodeReader(source.name(), bincode);
  }

  /** All bytes of a source, which must fit an array. */
  static byte[] content(ByteSource source) throws InputException {
    if (source.length() > LARGEST_BINCODE) {
      throw InputException.at(
          source.name(),
          "it is too large for vanilla proofs",
          "size",
          "at most " + LARGEST_BINCODE + " bytes",
          source.length());
    }
    byte[] bytes = new byte[(int) source.length()];
    source.read(0, ByteBuffer.wrap(bytes));
    return bytes;
  }

  /** What an envelope says besides the proofs. */
  private record Envelope(OptionalLong sectorNumber, OptionalLong sectorSize) {}

  private static C1Output envelope(ByteSource source) throws InputException {
    BlockPipe pipe = new BlockPipe();
    BlockPipe.Sink sink = pipe.new Sink();
    FutureTask<Envelope> decoding = new FutureTask<>(() -> unwrap(source, sink));
    Thread thread = new Thread(decoding, "cuzk-c1-base64");
    thread.setDaemon(true);
    thread.start();
    byte[] bincode;
    try {
      bincode = C1Transcoder.transcode(source.name(), pipe, source.length() * 3 / 4);
    } finally {
      pipe.close();
    }
    Envelope envelope = join(source, decoding);
    return reader(source, bincode)
        .c1(FilecoinFormat.C1_ENVELOPE.title(), envelope.sectorNumber(), envelope.sectorSize());
  }

  private static Envelope join(ByteSource source, FutureTask<Envelope> decoding)
      throws InputException {
    try {
      return decoding.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("reading " + source.name() + " was interrupted");
    } catch (ExecutionException e) {
      throw described(source, e.getCause());
    }
  }

  /** Writes the decoded Phase1Out into the sink. */
  private static Envelope unwrap(ByteSource source, BlockPipe.Sink sink) throws InputException {
    JsonBytes json = new JsonBytes(source.name(), new SourceStream(source));
    OptionalLong number = OptionalLong.empty();
    OptionalLong size = OptionalLong.empty();
    boolean found = false;
    try {
      json.expect('{');
      for (boolean first = true; !json.take('}'); first = false) {
        if (!first) {
          json.expect(',');
        }
        String name = json.string();
        json.expect(':');
        switch (name) {
          case "Phase1Out" -> {
            if (found) {
              throw json.problem("a member is there twice", "one Phase1Out", "two");
            }
            json.base64(sink);
            sink.close();
            found = true;
          }
          case "SectorNum" -> number = OptionalLong.of(json.number(name, Long.MAX_VALUE));
          case "SectorSize" -> size = OptionalLong.of(json.number(name, Long.MAX_VALUE));
          default -> json.skipValue(0);
        }
      }
      json.requireEnd();
      if (!found) {
        throw json.problem("a member is missing", "Phase1Out", "the end of its object");
      }
      return new Envelope(number, size);
    } catch (IOException | InputException | RuntimeException e) {
      InputException described = described(source, e);
      if (!found) {
        sink.fail(new IOException(described.getMessage(), described));
      }
      throw described;
    }
  }

  static InputException described(ByteSource source, Throwable e) {
    if (e instanceof InputException input) {
      return input;
    }
    if (e.getCause() instanceof InputException input) {
      return input;
    }
    if (e instanceof JsonProcessingException json) {
      JsonLocation at = json.getLocation();
      return new InputException(
          source.name(),
          "it is not valid JSON (offset "
              + (at == null ? 0 : at.getByteOffset())
              + ": "
              + json.getOriginalMessage().lines().findFirst().orElse("")
              + "). "
              + InputException.DAMAGED,
          json);
    }
    return new InputException(source.name(), "it cannot be read: " + e.getMessage(), e);
  }
}
