package dev.cuzk.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.math.CurveId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BenchOptionsTest {
  private static final Path FILE = Path.of("x");

  static BenchOptions options(
      BenchKind kind, List<Long> sizes, List<String> circuits, Path key, Path input) {
    return new BenchOptions(
        kind,
        List.of(CurveId.BN254),
        List.of(BenchOptions.Group.G1),
        sizes,
        circuits,
        Optional.ofNullable(key),
        Optional.ofNullable(input),
        Optional.empty(),
        false,
        false,
        0,
        2,
        Optional.empty(),
        OptionalDouble.empty());
  }

  private static String refused(
      BenchKind kind, List<Long> sizes, List<String> circuits, Path key, Path input) {
    return assertThrows(BenchUsageException.class, () -> options(kind, sizes, circuits, key, input))
        .getMessage();
  }

  @Test
  void shouldDemandASourceOfProofs() {
    String message = refused(BenchKind.PROVE, List.of(), List.of(), null, null);
    assertEquals(message, refused(BenchKind.PROVE, List.of(), List.of("chain-9"), FILE, FILE));
    assertTrue(message.contains("--circuit"));
    assertTrue(
        refused(BenchKind.PROVE, List.of(), List.of(), FILE, null).contains("belong together"));
    assertEquals(
        List.of("chain-9"),
        options(BenchKind.PROVE, List.of(), List.of("chain-9"), null, null).circuits());
  }

  @Test
  void shouldDemandSizesOfPrimitives() {
    assertTrue(refused(BenchKind.MSM, List.of(), List.of(), null, null).contains("--size"));
    assertTrue(refused(BenchKind.NTT, List.of(3L), List.of(), null, null).contains("power of two"));
    assertTrue(refused(BenchKind.NTT, List.of(4L), List.of("x"), null, null).contains("no key"));
    assertEquals(List.of(3L), options(BenchKind.MSM, List.of(3L), List.of(), null, null).sizes());
  }

  @Test
  void shouldDemandASourceOfWitnesses() {
    assertTrue(refused(BenchKind.SYNTH, List.of(), List.of(), null, null).contains("--input"));
    assertEquals(
        Optional.of(FILE), options(BenchKind.SYNTH, List.of(), List.of(), null, FILE).input());
  }

  @ParameterizedTest
  @EnumSource(names = {"MSM", "NTT", "UPLOAD"})
  void shouldWantSizes(BenchKind kind) {
    String message = refused(kind, List.of(), List.of(), null, null);
    assertTrue(message.startsWith("bench " + kind.printedName() + " needs --size"), message);
  }

  @Test
  void shouldRefuseALimitWithoutAnythingToCompareWith() {
    assertThrows(
        BenchUsageException.class,
        () ->
            new BenchOptions(
                BenchKind.MSM,
                List.of(CurveId.BN254),
                List.of(),
                List.of(4L),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false,
                false,
                0,
                1,
                Optional.empty(),
                OptionalDouble.of(5)));
  }

  private static BenchOptions withTables(BenchKind kind, boolean streamed) {
    return new BenchOptions(
        kind,
        List.of(CurveId.BN254),
        List.of(BenchOptions.Group.G1),
        kind == BenchKind.PROVE ? List.of() : List.of(4L),
        kind == BenchKind.PROVE ? List.of("chain-4") : List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        streamed,
        true,
        0,
        1,
        Optional.empty(),
        OptionalDouble.empty());
  }

  @Test
  void shouldRefuseTablesWhereThereIsNoResidentKey() {
    assertTrue(withTables(BenchKind.PROVE, false).tables());
    assertThrows(BenchUsageException.class, () -> withTables(BenchKind.PROVE, true));
    assertThrows(BenchUsageException.class, () -> withTables(BenchKind.NTT, false));
  }

  @Test
  void shouldKnowItsKindsByName() {
    for (BenchKind kind : BenchKind.values()) {
      assertEquals(Optional.of(kind), BenchKind.byName(kind.printedName()));
    }
    assertEquals(Optional.empty(), BenchKind.byName("msms"));
  }
}
