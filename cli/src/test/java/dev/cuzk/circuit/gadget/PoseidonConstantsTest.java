package dev.cuzk.circuit.gadget;

import static dev.cuzk.circuit.filecoin.FilecoinTesting.reference;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.InputStream;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PoseidonConstantsTest {
  private static PoseidonConstants constants(String name) {
    return name.endsWith("gen-randomness")
        ? PoseidonConstants.randomness()
        : PoseidonConstants.tree(Integer.parseInt(name.substring("poseidon-".length())));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "poseidon-2",
        "poseidon-4",
        "poseidon-8",
        "poseidon-11",
        "poseidon-2-gen-randomness"
      })
  void shouldDeriveTheReferencesConstants(String name) throws Exception {
    JsonNode expected;
    try (InputStream stream = reference("poseidon-constants/" + name + ".json")) {
      expected = new ObjectMapper().readTree(stream);
    }
    PoseidonConstants derived = constants(name);
    int width = derived.width();
    assertEquals(expected.get("width").asInt(), width);
    assertEquals(expected.get("full_rounds").asInt(), PoseidonConstants.FULL_ROUNDS);
    assertEquals(expected.get("partial_rounds").asInt(), derived.partialRounds());
    assertEquals(number(expected.get("domain_tag")), derived.tag());
    JsonNode roundConstants = expected.get("compressed_round_constants");
    assertEquals(roundConstants.size(), derived.roundConstants());
    for (int i = 0; i < roundConstants.size(); i++) {
      assertEquals(number(roundConstants.get(i)), derived.roundConstant(i));
    }
    for (int i = 0; i < width; i++) {
      for (int j = 0; j < width; j++) {
        assertEquals(number(expected.get("mds").get(i).get(j)), derived.matrix(i, j));
        assertEquals(
            number(expected.get("pre_sparse_matrix").get(i).get(j)), derived.preSparse(i, j));
      }
    }
    for (int round = 0; round < derived.partialRounds(); round++) {
      JsonNode sparse = expected.get("sparse_matrixes").get(round);
      for (int i = 0; i < width; i++) {
        assertEquals(number(sparse.get("w_hat").get(i)), derived.sparse(round).column()[i]);
      }
      for (int i = 0; i < width - 1; i++) {
        assertEquals(number(sparse.get("v_rest").get(i)), derived.sparse(round).row()[i]);
      }
    }
  }

  private static BigInteger number(JsonNode hexadecimal) {
    return new BigInteger(hexadecimal.asText(), 16);
  }

  @ParameterizedTest
  @CsvSource({"2, 3, 55", "4, 5, 56", "8, 9, 57", "11, 12, 57"})
  void shouldChooseTheRoundNumbersOfThePaperWithAMargin(int arity, int width, int partial) {
    PoseidonConstants constants = PoseidonConstants.tree(arity);
    assertEquals(width, constants.width());
    assertEquals(partial, constants.partialRounds());
    assertEquals(PoseidonConstants.FULL_ROUNDS * width + partial, constants.roundConstants());
    assertEquals(BigInteger.TWO.pow(arity).subtract(BigInteger.ONE), constants.tag());
  }

  @Test
  void shouldRefuseConstantsBeyondTheLast() {
    PoseidonConstants constants = PoseidonConstants.tree(2);
    assertThrows(
        IndexOutOfBoundsException.class, () -> constants.roundConstant(constants.roundConstants()));
  }
}
