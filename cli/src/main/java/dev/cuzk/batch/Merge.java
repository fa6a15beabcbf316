package dev.cuzk.batch;

import dev.cuzk.engine.JobFailure;
import dev.cuzk.format.InputException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Joins the shards of a run into one output folder: proofs, verifying keys and journal. All shards
 * must be there and finished, and none may contradict another or what the folder already has;
 * otherwise nothing is written.
 */
public final class Merge {
  private static final Pattern SHARD = Pattern.compile("([0-9]{1,6})-of-([0-9]{1,6})");
  private static final int GROUP = 64;

  private final TreeMap<Integer, Path> shards = new TreeMap<>();
  private final Path target;
  private int count;

  /**
   * What was joined.
   *
   * @param out where the result is
   */
  public record Result(Path out, int shards, long proofs) {}

  private record Found(JournalLine first, List<JournalLine> lines, Path shard) {}

  /**
   * Finds the shards.
   *
   * @param folders output folders that have {@code shards/}, or shard folders; the result goes into
   *     the first one's output folder
   */
  public Merge(List<Path> folders) throws UsageException, InputException {
    if (folders.isEmpty()) {
      throw new UsageException("no folder given. Name the output folders of the shards.");
    }
    for (Path folder : folders) {
      if (isShard(folder)) {
        add(folder);
        continue;
      }
      List<Path> found = shardsIn(folder);
      if (found.isEmpty()) {
        throw new InputException(
            folder.toString(), "has no shards (expected shards/I-of-N). Give an output folder.");
      }
      for (Path shard : found) {
        add(shard);
      }
    }
    Path first = folders.get(0);
    target = isShard(first) ? outOf(first) : first;
    for (int i = 1; i <= count; i++) {
      if (!shards.containsKey(i)) {
        throw new InputException(
            target.resolve(OutputFolder.SHARDS).resolve(i + "-of-" + count).toString(),
            "shard " + i + " of " + count + " is missing. Run it, or copy it here.");
      }
    }
  }

  private static Path outOf(Path shard) {
    Path above = shard.toAbsolutePath().normalize().getParent();
    return above.getParent() == null ? above : above.getParent();
  }

  private static boolean isShard(Path folder) {
    Path name = folder.toAbsolutePath().normalize().getFileName();
    return name != null && SHARD.matcher(name.toString()).matches();
  }

  private static List<Path> shardsIn(Path folder) throws InputException {
    List<Path> found = new ArrayList<>();
    Path shards = folder.resolve(OutputFolder.SHARDS);
    if (!Files.isDirectory(shards)) {
      return found;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(shards)) {
      for (Path entry : entries) {
        if (Files.isDirectory(entry) && isShard(entry)) {
          found.add(entry);
        }
      }
    } catch (IOException e) {
      throw Digests.unreadable(shards, e);
    }
    return found;
  }

  private void add(Path folder) throws InputException {
    Matcher name = SHARD.matcher(folder.toAbsolutePath().normalize().getFileName().toString());
    if (!name.matches()) {
      throw new IllegalStateException("not a shard: " + folder);
    }
    int index = Integer.parseInt(name.group(1));
    int of = Integer.parseInt(name.group(2));
    if (count != 0 && of != count) {
      throw new InputException(
          folder.toString(),
          "contradicts the other shards (expected I-of-" + count + ", found " + of + " shards).");
    }
    if (index < 1 || index > of) {
      throw new InputException(folder.toString(), "there is no such shard (I is 1 to N).");
    }
    count = of;
    Path twin = shards.put(index, folder);
    if (twin != null && !InputReader.identity(twin).equals(InputReader.identity(folder))) {
      throw new InputException(
          folder.toString(), "shard " + index + " was given twice, also as " + twin + ".");
    }
  }

  /**
   * Checks all shards, then joins them.
   *
   * @param toolVersion for the journal
   * @throws InputException if a shard is unfinished, incomplete, or contradicts something
   * @throws JobFailure with class OUTPUT
   */
  public Result run(String toolVersion) throws InputException, JobFailure {
    Map<String, Found> proofs = new LinkedHashMap<>();
    for (Map.Entry<Integer, Path> shard : shards.entrySet()) {
      read(shard.getKey(), shard.getValue(), proofs);
    }
    try (OutputFolder out = OutputFolder.open(target);
        Journal journal = Journal.open(out.journal())) {
      List<Found> fresh = new ArrayList<>();
      for (Found found : proofs.values()) {
        if (isNew(found, journal)) {
          fresh.add(found);
        }
      }
      journal.beginRun(toolVersion, RunEvents.now());
      copyKeys(out);
      for (int first = 0; first < fresh.size(); first += GROUP) {
        accept(fresh.subList(first, Math.min(fresh.size(), first + GROUP)), journal);
      }
      List<Found> all = List.copyOf(proofs.values());
      for (int first = 0; first < all.size(); first += GROUP) {
        copyProofs(all.subList(first, Math.min(all.size(), first + GROUP)), out);
      }
      journal.endRun(0, RunEvents.now());
      return new Result(target, count, proofs.size());
    }
  }

  private void read(int index, Path shard, Map<String, Found> proofs) throws InputException {
    Path file = shard.resolve(Journal.FILE);
    if (!Files.exists(file)) {
      throw new InputException(
          shard.toString(), "has no journal (" + Journal.FILE + "). Run this shard.");
    }
    Journal.Contents journal = Journal.load(file);
    if (!journal.ended()) {
      throw new InputException(
          file.toString(), "the shard's last run did not come to its end. Run it again.");
    }
    for (Map.Entry<String, List<JournalLine>> entry : journal.linesByName().entrySet()) {
      String name = entry.getKey();
      if (Shard.shardOf(name, count) != index) {
        throw new InputException(
            file.toString(),
            "job \""
                + name
                + "\" belongs to another shard (expected "
                + Shard.shardOf(name, count)
                + ", found "
                + index
                + ").");
      }
      JournalLine first = entry.getValue().get(0);
      if (entry.getValue().size() < first.partitions()) {
        continue;
      }
      for (Path proof : Outputs.ToFolder.filesThere(shard, first)) {
        if (!Files.isRegularFile(proof)) {
          throw new InputException(
              proof.toString(), "is missing though the journal has it. Run this shard again.");
        }
      }
      Path key =
          OutputFolder.keyFile(shard.resolve(OutputFolder.KEYS), first.source().verifyingKey());
      if (!Files.isRegularFile(key)) {
        throw new InputException(key.toString(), "is missing. Run this shard again.");
      }
      proofs.put(name, new Found(first, entry.getValue(), shard));
    }
  }

  private boolean isNew(Found found, Journal journal) throws InputException {
    var known = journal.find(found.first().name());
    if (known.isEmpty()) {
      return true;
    }
    if (!known.get().source().sameAs(found.first().source())) {
      throw new InputException(
          found.shard().toString(),
          "job \""
              + found.first().name()
              + "\" contradicts "
              + target
              + ", which has it from another input or key. Merge into another folder.");
    }
    return !known.get().complete();
  }

  private static void accept(List<Found> group, Journal journal) throws JobFailure {
    List<JournalLine> lines = new ArrayList<>();
    group.forEach(found -> lines.addAll(found.lines()));
    journal.accept(lines);
  }

  private void copyKeys(OutputFolder out) throws JobFailure {
    for (Path shard : shards.values()) {
      copyAll(filesIn(shard.resolve(OutputFolder.KEYS)), out.keys());
    }
  }

  private static List<Path> filesIn(Path folder) throws JobFailure {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "*.json")) {
      entries.forEach(files::add);
      return files;
    } catch (IOException e) {
      throw Failures.unwritable(folder, e);
    }
  }

  private static void copyProofs(List<Found> group, OutputFolder out) throws JobFailure {
    List<Path> files = new ArrayList<>();
    for (Found found : group) {
      files.addAll(Outputs.ToFolder.filesThere(found.shard(), found.first()));
    }
    copyAll(files, out.proofs());
  }

  private static void copyAll(List<Path> files, Path to) throws JobFailure {
    Map<Path, byte[]> contents = new LinkedHashMap<>();
    try {
      for (Path file : files) {
        contents.put(to.resolve(file.getFileName()), Files.readAllBytes(file));
      }
      AtomicFiles.writeAll(contents);
    } catch (IOException e) {
      throw Failures.unwritable(to, e);
    }
  }
}
