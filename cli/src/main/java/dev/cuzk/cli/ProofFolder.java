package dev.cuzk.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.cuzk.format.InputException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An output folder as {@code verify} sees it: the proofs that are there or should be, and the
 * verifying keys that its journal names for them.
 *
 * @param folder of a run or a shard
 * @param keyDigests by proof name; a name without one may belong to any key of the folder
 * @param names of all proofs, in order
 */
record ProofFolder(Path folder, Map<String, String> keyDigests, List<String> names) {
  private static final String PROOF_ENDING = ".proof.json";
  private static final String PUBLIC_ENDING = ".public.json";
  private static final JsonFactory JSON = new JsonFactory();

  Path proof(String name) {
    return folder.resolve("proofs").resolve(name + PROOF_ENDING);
  }

  Path publicSignals(String name) {
    return folder.resolve("proofs").resolve(name + PUBLIC_ENDING);
  }

  /** Files of the verifying keys that a proof may belong to. */
  List<Path> keys(String name) throws InputException {
    Path keys = folder.resolve("keys");
    String digest = keyDigests.get(name);
    return digest == null ? list(keys, "*.json") : List.of(keys.resolve(digest + ".json"));
  }

  /**
   * The folder of a run and those of its shards.
   *
   * @throws InputException if there is no output folder at that place
   */
  static List<ProofFolder> open(Path folder) throws InputException {
    List<ProofFolder> found = new ArrayList<>();
    if (Files.isDirectory(folder.resolve("proofs"))) {
      found.add(read(folder));
    }
    if (Files.isDirectory(folder.resolve("shards"))) {
      for (Path shard : list(folder.resolve("shards"), "*-of-*")) {
        if (Files.isDirectory(shard.resolve("proofs"))) {
          found.add(read(shard));
        }
      }
    }
    if (found.isEmpty()) {
      throw new InputException(
          folder.toString(), "not an output folder of cuzk prove (it has no folder 'proofs')");
    }
    return found;
  }

  private static ProofFolder read(Path folder) throws InputException {
    Map<String, String> digests = readJournal(folder.resolve("journal.jsonl"));
    TreeMap<String, Boolean> names = new TreeMap<>();
    digests.keySet().forEach(name -> names.put(name, true));
    for (Path file : list(folder.resolve("proofs"), "*" + PROOF_ENDING)) {
      String name = file.getFileName().toString();
      names.put(name.substring(0, name.length() - PROOF_ENDING.length()), true);
    }
    return new ProofFolder(folder, digests, List.copyOf(names.keySet()));
  }

  private static List<Path> list(Path folder, String glob) throws InputException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, glob)) {
      stream.forEach(files::add);
    } catch (IOException e) {
      throw new InputException(folder.toString(), Errors.reason(e), e);
    }
    files.sort(null);
    return files;
  }

  /** A job of several partitions counts when the last of them was accepted. */
  private static Map<String, String> readJournal(Path journal) throws InputException {
    Map<String, String> digests = new HashMap<>();
    if (!Files.exists(journal)) {
      return digests;
    }
    try (BufferedReader reader = Files.newBufferedReader(journal)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        readLine(line, digests);
      }
    } catch (IOException e) {
      throw new InputException(journal.toString(), Errors.reason(e), e);
    }
    return digests;
  }

  private static void readLine(String line, Map<String, String> digests) {
    String name = null;
    String digest = null;
    try (JsonParser parser = JSON.createParser(line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return;
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        parser.nextToken();
        if (field.equals("name")) {
          name = parser.getText();
        } else if (field.equals("vk")) {
          digest = parser.getText();
        }
        parser.skipChildren();
      }
    } catch (IOException e) {
      // A kill leaves half a line; its proof was not accepted.
      return;
    }
    if (name != null && digest != null) {
      digests.put(name, digest);
    }
  }
}
