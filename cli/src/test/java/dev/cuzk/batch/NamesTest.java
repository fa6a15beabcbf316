package dev.cuzk.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class NamesTest {
  private static List<String> assign(String... files) throws UsageException {
    return Names.assign(List.of(files).stream().map(Path::of).toList());
  }

  @Test
  void shouldTakeTheFileNameWithoutOneEnding() throws UsageException {
    assertEquals(
        List.of("a", "b.tar", "c.wtns", "d"),
        assign("x/a.wtns", "b.tar.json", "c.wtns.bin", "/y/d"));
  }

  @Test
  void shouldTellCollidingNamesApartByTheShortestTail() throws UsageException {
    assertEquals(List.of("a__x", "b__x", "y"), assign("/r/a/x.wtns", "/r/b/x.wtns", "/r/c/y.wtns"));
    assertEquals(
        List.of("a__1__x", "b__1__x", "b__2__x"),
        assign("/r/a/1/x.wtns", "/r/b/1/x.wtns", "/r/b/2/x.wtns"));
  }

  @Test
  void shouldGiveAllInACollisionTailsOfTheSameLength() throws UsageException {
    assertEquals(List.of("r__x", "s__x"), assign("/r/x.wtns", "/q/s/x.json"));
  }

  @Test
  void shouldRefuseFilesThatNoTailTellsApart() {
    UsageException twice =
        assertThrows(UsageException.class, () -> assign("/a/x.wtns", "/a/x.wtns"));
    assertTrue(twice.getMessage().contains("/a/x.wtns"));
    assertThrows(UsageException.class, () -> assign("/a/x.wtns", "/a/x.json"));
  }

  @Test
  void shouldRefuseATailThatIsAnotherFilesName() {
    assertThrows(UsageException.class, () -> assign("/a/x.wtns", "/b/x.wtns", "/c/a__x.wtns"));
  }

  @Test
  void shouldRefuseNamesThatAreNotPlain() {
    for (String file :
        List.of("a b.wtns", ".hidden.wtns", "-x.wtns", "é.wtns", "x".repeat(129) + ".wtns")) {
      assertThrows(UsageException.class, () -> assign(file), file);
    }
  }

  @Provide
  Arbitrary<Set<String>> paths() {
    Arbitrary<String> part = Arbitraries.of("a", "b", "c", "a.b", "x");
    return part.list()
        .ofMinSize(1)
        .ofMaxSize(4)
        .map(parts -> "/" + String.join("/", parts) + ".wtns")
        .set()
        .ofMaxSize(20);
  }

  @Property(tries = 500)
  void shouldGiveDistinctValidNamesThatAreTailsOfTheirPaths(@ForAll("paths") Set<String> paths)
      throws UsageException {
    List<Path> files = new LinkedHashSet<>(paths).stream().map(Path::of).toList();
    List<String> names = Names.assign(files);
    assertEquals(files.size(), new HashSet<>(names).size());
    for (int i = 0; i < names.size(); i++) {
      assertTrue(Names.valid(names.get(i)));
      String whole = Names.withoutEnding(files.get(i).toString()).replace("/", "__");
      assertTrue(whole.endsWith("__" + names.get(i)));
    }
  }

  @Property(tries = 200)
  void shouldNotDependOnTheOrderOfFiles(@ForAll("paths") Set<String> paths) throws UsageException {
    List<Path> files = new ArrayList<>(paths.stream().map(Path::of).toList());
    List<String> names = Names.assign(files);
    Collections.reverse(files);
    List<String> reversed = new ArrayList<>(Names.assign(files));
    Collections.reverse(reversed);
    assertEquals(names, reversed);
  }

  @Test
  void shouldNameAListsEntryThatIsNoPath() {
    assertEquals("w?x", Names.of(new ListReader.Entry(null, "a/w\0x.wtns", 1)));
    assertEquals("job", Names.of(new ListReader.Entry("job", "a/w\0x.wtns", 1)));
  }
}
