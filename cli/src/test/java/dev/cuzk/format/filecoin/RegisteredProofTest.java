package dev.cuzk.format.filecoin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cuzk.format.filecoin.RegisteredProof.Kind;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegisteredProofTest {
  @ParameterizedTest
  @CsvSource({
    "SEAL, go:3, StackedDrg32GiBV1",
    "SEAL, go:8, StackedDrg32GiBV1_1",
    "SEAL, go:13, StackedDrg32GiBV1_1_Feat_SyntheticPoRep",
    "SEAL, go:19, StackedDrg64GiBV1_2_Feat_NonInteractivePoRep",
    "WINNING_POST, go:3, StackedDrgWinning32GiBV1",
    "WINDOW_POST, go:8, StackedDrgWindow32GiBV1",
    "WINDOW_POST, go:13, StackedDrgWindow32GiBV1_2",
    "WINDOW_POST, StackedDrgWindow32GiBV1_1, StackedDrgWindow32GiBV1_2",
    "UPDATE, go:4, StackedDrg64GiBV1",
    "UPDATE, StackedDrg8MiBV1, StackedDrg8MiBV1",
  })
  void shouldKnowNamesAndNumbers(Kind kind, String text, String name) {
    RegisteredProof proof = RegisteredProof.parse(kind, text).orElseThrow();
    assertEquals(name, proof.name());
    assertEquals(Optional.of(proof), RegisteredProof.ofNumber(kind, proof.number()));
    assertEquals(Optional.of(proof), RegisteredProof.parse(kind, proof.name()));
  }

  @Test
  void shouldRefuseWhatIsOfAnotherKind() {
    assertEquals(Optional.empty(), RegisteredProof.parse(Kind.SEAL, "go:20"));
    assertEquals(Optional.empty(), RegisteredProof.parse(Kind.WINDOW_POST, "go:3"));
    assertEquals(Optional.empty(), RegisteredProof.parse(Kind.WINNING_POST, "go:5"));
    assertEquals(Optional.empty(), RegisteredProof.parse(Kind.UPDATE, "StackedDrg2KiBV1_1"));
    assertEquals(Optional.empty(), RegisteredProof.parse(Kind.SEAL, "StackedDrg4KiBV1"));
    assertEquals(Optional.empty(), RegisteredProof.parse(Kind.SEAL, "StackedDrgWindow2KiBV1"));
    assertEquals(Optional.empty(), RegisteredProof.parse(Kind.SEAL, ""));
  }
}
