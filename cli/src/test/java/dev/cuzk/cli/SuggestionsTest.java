package dev.cuzk.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionsTest {
  @ParameterizedTest
  @CsvSource({
    "prvoe, prove",
    "doctr, doctor",
    "mrege, merge",
    "inspct, inspect",
    "circiut, circuit",
    "hlep, help"
  })
  void shouldFindTheCommandThatWasMeant(String typed, String meant) {
    assertEquals(Optional.of(meant), Suggestions.closest(typed, CommandTable.NAMES));
  }

  @Test
  void shouldStaySilentWhenNothingIsClose() {
    assertEquals(Optional.empty(), Suggestions.closest("frobnicate", CommandTable.NAMES));
  }

  @Test
  void shouldCountSwappedNeighboursOnce() {
    assertEquals(1, Suggestions.distance("--kye", "--key"));
    assertEquals(3, Suggestions.distance("abc", ""));
    assertEquals(Optional.of("a"), Suggestions.closest("x", List.of("b", "a")));
  }
}
