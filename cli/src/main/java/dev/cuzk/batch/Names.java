package dev.cuzk.batch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The contract's rule for job names: the file's name without its ending; files whose names collide
 * all take the shortest path tail that tells them apart, with {@code /} written {@code __}.
 */
final class Names {
  static final Pattern PATTERN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  private static final List<String> ENDINGS = List.of(".wtns", ".json", ".bin");

  private Names() {}

  static boolean valid(String name) {
    return PATTERN.matcher(name).matches();
  }

  /** What is wrong with a name, for a message that says where it stands. */
  static String problem(String name) {
    return "\""
        + printable(name)
        + "\" is no job name (expected "
        + PATTERN.pattern()
        + "). Rename the file, or name the job in a list or a manifest.";
  }

  private static String printable(String name) {
    return name.replaceAll("\\p{Cntrl}", "?");
  }

  /** The file's name without its ending. */
  static String of(Path file) {
    return withoutEnding(file.getFileName() == null ? "" : file.getFileName().toString());
  }

  /** The name of a list's entry; its text need not be a path that the platform knows. */
  static String of(ListReader.Entry entry) {
    String path = entry.path();
    return entry.name() != null
        ? entry.name()
        : withoutEnding(printable(path.substring(path.lastIndexOf('/') + 1)));
  }

  static String withoutEnding(String fileName) {
    for (String ending : ENDINGS) {
      if (fileName.endsWith(ending)) {
        return fileName.substring(0, fileName.length() - ending.length());
      }
    }
    return fileName;
  }

  /**
   * Names for files, in their order.
   *
   * @throws UsageException if two files cannot be told apart, or a name is not valid
   */
  static List<String> assign(List<Path> files) throws UsageException {
    Map<String, List<Integer>> byName = new LinkedHashMap<>();
    for (int i = 0; i < files.size(); i++) {
      byName.computeIfAbsent(of(files.get(i)), name -> new ArrayList<>()).add(i);
    }
    String[] names = new String[files.size()];
    for (Map.Entry<String, List<Integer>> group : byName.entrySet()) {
      List<Integer> members = group.getValue();
      if (members.size() == 1) {
        names[members.get(0)] = group.getKey();
      } else {
        List<String> tails = tellApart(members.stream().map(files::get).toList());
        for (int i = 0; i < members.size(); i++) {
          names[members.get(i)] = tails.get(i);
        }
      }
    }
    requireDistinct(names, files);
    for (int i = 0; i < names.length; i++) {
      if (!valid(names[i])) {
        throw new UsageException(files.get(i) + ": " + problem(names[i]));
      }
    }
    return List.of(names);
  }

  private static List<String> tellApart(List<Path> files) throws UsageException {
    List<Path> absolute = files.stream().map(file -> file.toAbsolutePath().normalize()).toList();
    int longest = absolute.stream().mapToInt(Path::getNameCount).max().orElse(0);
    for (int length = 2; length <= longest; length++) {
      List<String> tails = new ArrayList<>();
      for (Path file : absolute) {
        tails.add(tail(file, length));
      }
      if (new HashSet<>(tails).size() == tails.size()) {
        return tails;
      }
    }
    Map<String, Path> seen = new HashMap<>();
    for (int i = 0; i < files.size(); i++) {
      Path twin = seen.put(tail(absolute.get(i), longest), files.get(i));
      if (twin != null) {
        throw sameName(of(files.get(i)), twin, files.get(i));
      }
    }
    throw new IllegalStateException("some of the names are equal");
  }

  private static String tail(Path absolute, int length) {
    int count = absolute.getNameCount();
    StringBuilder tail = new StringBuilder();
    for (int i = Math.max(0, count - length); i < count - 1; i++) {
      tail.append(absolute.getName(i)).append("__");
    }
    return tail.append(of(absolute)).toString();
  }

  private static void requireDistinct(String[] names, List<Path> files) throws UsageException {
    Map<String, Path> seen = new HashMap<>();
    for (int i = 0; i < names.length; i++) {
      Path twin = seen.put(names[i], files.get(i));
      if (twin != null) {
        throw sameName(names[i], twin, files.get(i));
      }
    }
  }

  private static UsageException sameName(String name, Path first, Path second) {
    return new UsageException(
        second
            + ": its job name \""
            + printable(name)
            + "\" is also that of "
            + first
            + ". Name the jobs in a list (--files-from) or a manifest.");
  }

  /** Refuses names that several sources of jobs share. */
  static void requireDistinct(List<JobSpec> jobs) throws UsageException {
    Set<String> seen = new HashSet<>();
    for (JobSpec job : jobs) {
      if (!seen.add(job.name())) {
        throw new UsageException(
            job.source()
                + ": the job name \""
                + job.name()
                + "\" occurs twice in this run. Rename one of the jobs.");
      }
    }
  }
}
