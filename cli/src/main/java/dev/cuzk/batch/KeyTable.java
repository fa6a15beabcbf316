package dev.cuzk.batch;

import dev.cuzk.circuit.filecoin.FilecoinCircuit;
import dev.cuzk.circuit.filecoin.MatrixCache;
import dev.cuzk.format.FileRange;
import dev.cuzk.format.InputException;
import dev.cuzk.format.Progress;
import dev.cuzk.key.FileKey;
import dev.cuzk.key.KeyDigest;
import dev.cuzk.key.ParameterCache;
import dev.cuzk.key.ParamsKey;
import dev.cuzk.key.ProvingKey;
import dev.cuzk.key.ZkeyKey;
import dev.cuzk.proof.VerifyingKey;
import dev.cuzk.synthesis.CircuitKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** The proving keys of a run, each opened once. Safe for use by several threads. */
final class KeyTable implements AutoCloseable {
  private final Map<FileRange, Key> keys = new LinkedHashMap<>();
  private final KeyDigest digests;
  private final MatrixCache matrices;
  private final boolean strict;
  private final Consumer<String> warnings;
  private final Reading reading;

  /**
   * @param cache where digests are remembered; null = nowhere
   * @param strict a key that deserves a warning is refused
   * @param reading hears of keys that are read whole for their digest
   */
  KeyTable(Path cache, boolean strict, Consumer<String> warnings, Reading reading) {
    this.digests = cache == null ? KeyDigest.forgetful() : KeyDigest.rememberedIn(cache);
    this.matrices = cache == null ? MatrixCache.none() : MatrixCache.in(cache);
    this.strict = strict;
    this.warnings = warnings;
    this.reading = reading;
  }

  /** A key with what the batch wants to know of it. */
  static final class Key {
    private final FileRange file;
    private final ProvingKey key;
    private final FileKey digested;
    private final ParameterCache.State published;
    private final boolean trusted;
    private final Reading reading;
    private final VerifyingKey verifyingKey;
    private byte[] verifyingKeyFile;
    private String verifyingKeySha256;
    private KeyDigest.Result digest;

    private Key(
        FileRange file,
        ProvingKey key,
        FileKey digested,
        ParameterCache.State published,
        boolean trusted,
        Reading reading)
        throws InputException {
      this.file = file;
      this.key = key;
      this.digested = digested;
      this.published = published;
      this.trusted = trusted;
      this.reading = reading;
      this.verifyingKey = key.verifyingKey();
    }

    FileRange file() {
      return file;
    }

    String name() {
      return file.name();
    }

    ProvingKey provingKey() {
      return key;
    }

    VerifyingKey verifyingKey() {
      return verifyingKey;
    }

    /** What {@code keys/} holds for it; made when first asked for, since it takes a pairing. */
    synchronized byte[] verifyingKeyFile() {
      if (verifyingKeyFile == null) {
        verifyingKeyFile = ProofFiles.verifyingKey(verifyingKey);
      }
      return verifyingKeyFile;
    }

    synchronized String verifyingKeySha256() {
      if (verifyingKeySha256 == null) {
        verifyingKeySha256 = Digests.of(verifyingKeyFile());
      }
      return verifyingKeySha256;
    }

    /**
     * Of the whole proving key; reads the file if the digest is not remembered. Null for parameters
     * that are trusted and of which it is not: 44 GiB are then not read for it.
     */
    synchronized String sha256() throws InputException {
      if (digest == null) {
        digest =
            trusted ? digested.remembered().orElse(null) : digested.digest(reading.of(file.name()));
      }
      return knownSha256();
    }

    /** The digest if it was needed; null if not. */
    synchronized String knownSha256() {
      return digest == null ? null : digest.hex();
    }

    /** Whether it is one of the network's, which everyone has. */
    boolean isPublished() {
      return published != null;
    }

    /** Of network parameters: whether they were found to be the published ones. */
    synchronized String digestState() {
      if (published != null) {
        return published.toString();
      }
      return digest == null ? "not checked" : digest.state().name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Opens a key, or finds it again.
   *
   * @throws InputException if it is malformed, or under {@code --strict} not to be trusted
   */
  synchronized Key open(FileRange range) throws InputException {
    Key known = keys.get(range);
    if (known != null) {
      return known;
    }
    ZkeyKey opened = ZkeyKey.open(range, digests);
    try {
      for (String warning : opened.warnings()) {
        if (strict) {
          throw new InputException(opened.name(), warning + " (refused by --strict)");
        }
        warnings.accept(opened.name() + ": " + warning);
      }
      Key key = new Key(range, opened, opened, null, false, reading);
      keys.put(range, key);
      return key;
    } catch (InputException | RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  /**
   * Opens the parameters of one of Filecoin's circuits, or finds them again.
   *
   * @param own they are not the network's: no digest is published for them
   * @param trust nobody compares them with the published digest
   * @throws InputException if they are malformed, of another circuit, or not the published ones
   */
  synchronized Key open(FileRange range, FilecoinCircuit circuit, boolean own, boolean trust)
      throws InputException {
    Key known = keys.get(range);
    if (known != null) {
      if (known.provingKey().variables() != 1 + circuit.publicInputs() + circuit.auxiliaries()) {
        throw new InputException(range.name(), "it is not the key of " + circuit.name());
      }
      return known;
    }
    ParamsKey params = ParamsKey.open(range, digests);
    try {
      // Counts first: taking the digest of a large file of another circuit is of no use.
      ProvingKey opened = CircuitKey.of(params, matrices.of(circuit));
      Progress heard = reading.of(range.name());
      ParameterCache.State state =
          own ? null : ParameterCache.check(circuit.name(), true, range, digests, trust, heard);
      Key key = new Key(range, opened, params, state, !own && trust, reading);
      keys.put(range, key);
      return key;
    } catch (InputException | RuntimeException e) {
      params.close();
      throw e;
    }
  }

  /** All keys in the order in which they were opened. */
  synchronized List<Key> all() {
    return new ArrayList<>(keys.values());
  }

  @Override
  public synchronized void close() {
    keys.values().forEach(key -> key.key.close());
  }
}
