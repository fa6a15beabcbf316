package dev.cuzk.format.filecoin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.cuzk.format.ByteSource;
import dev.cuzk.format.InputException;
import dev.cuzk.format.SourceStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the vanilla proofs of PoSts (one a sector) and updates (one a partition): a bincode file
 * each, or a JSON array with all of them in base64. An array is read element by element.
 */
public final class VanillaProofs {
  /** Longest element: 2 GiB is above every proof, Jackson's own limit below. */
  private static final int LONGEST_ELEMENT = Integer.MAX_VALUE - 64;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(LONGEST_ELEMENT).build())
          .build();

  private interface Form<T> {
    T read(BincodeReader reader) throws InputException;
  }

  private VanillaProofs() {}

  /** A bincode file of one sector, or an array of several. */
  public static List<PostSectorProof> readSectors(ByteSource source) throws InputException {
    return read(source, BincodeReader::postSector);
  }

  /** A bincode file of one partition, or an array of all. */
  public static List<UpdatePartitionProof> readPartitions(ByteSource source) throws InputException {
    return read(source, BincodeReader::updatePartition);
  }

  /** What the first element of an array is; empty if it is no vanilla proof. */
  public static Optional<FilecoinFormat> elementFormat(ByteSource source) throws InputException {
    try (JsonParser json = JSON.createParser(new SourceStream(source))) {
      json.nextToken();
      if (json.nextToken() != JsonToken.VALUE_STRING) {
        return Optional.empty();
      }
      return FilecoinFormat.of(ByteSource.of(source.name() + "[0]", json.getBinaryValue()));
    } catch (IOException e) {
      throw C1File.described(source, e);
    }
  }

  private static <T> List<T> read(ByteSource source, Form<T> form) throws InputException {
    boolean array =
        FilecoinFormat.of(source).filter(f -> f == FilecoinFormat.BASE64_ARRAY).isPresent();
    List<T> proofs = new ArrayList<>();
    if (array) {
      readArray(source, form, proofs);
    } else {
      proofs.add(form.read(new BincodeReader(source.name(), C1File.content(source))));
    }
    source.verifyUnchanged();
    return proofs;
  }

  private static <T> void readArray(ByteSource source, Form<T> form, List<T> proofs)
      throws InputException {
    try (JsonParser json = JSON.createParser(new SourceStream(source))) {
      json.nextToken();
      JsonToken token = json.nextToken();
      for (; token == JsonToken.VALUE_STRING; token = json.nextToken()) {
        byte[] bincode = json.getBinaryValue();
        proofs.add(
            form.read(new BincodeReader(source.name() + "[" + proofs.size() + "]", bincode)));
      }
      if (token != JsonToken.END_ARRAY) {
        throw new InputException(
            source.name(), "element " + proofs.size() + " of the array is no string of base64");
      }
      if (json.nextToken() != null) {
        throw new InputException(source.name(), "there is more after the array");
      }
    } catch (IOException e) {
      throw C1File.described(source, e);
    }
  }
}
