package dev.cuzk.math;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cuzk.format.TestFiles;
import dev.cuzk.math.PoseidonConstants.Domain;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoseidonConstantsTest {
  private static final Path FOLDER = TestFiles.shared("filecoin/poseidon-constants");

  /** Hashes that neptune gives for 0, 1, 2 …, for 1, 2, 3 … and for 1000, 1001 … */
  @ParameterizedTest
  @CsvSource({
    "2, MERKLE_TREE, 0, 396508d75e76a56b739e0fd902efe161a6fba9339d05a69d2e203c369a02e7ff",
    "2, MERKLE_TREE, 1000, 1a08a8ea05bcea0e2a4ef0cc7a10795a24746b162720d94acc60c87bbc1accd5",
    "4, MERKLE_TREE, 0, 58a54b10a9e5848a00db3c6579229399fb6b4605bf1327ec019814ff6662075d",
    "4, MERKLE_TREE, 1, 3d181224e2607dea961f35d9f769acb7cdefca33095ca2f3146437bcf428d9c5",
    "8, MERKLE_TREE, 0, 2394611da3a5de5512010042116770774b682e9d9cc4aed92a9934f56d38a5e6",
    "8, MERKLE_TREE, 1000, 17ef15806b8642ba1db7538a9ca9def5665d6693b30b984369eb540675fbbe60",
    "11, MERKLE_TREE, 1, 04817ecd0e80961686791eaf49dabcca4c6f52adad43dff41c611158e92280bd",
    "11, MERKLE_TREE, 1000, 4229930bf251a6e116a2dbf84c1ccc13c3adcc4fac80185eb62c7de70a59b5ab",
    "2, RANDOMNESS, 0, 314a35c4e7f0924ead1fc58134a0fe25e3580bea397367c7e5a74ec4bc077758",
    "2, RANDOMNESS, 1000, 3e9dc73689d0a5059871e4e7b2031bee81b9872dbf491e71bf0a787bc1a81e18",
  })
  void shouldHashAsNeptuneDoes(int arity, Domain domain, long first, String expected) {
    PoseidonConstants constants = PoseidonConstants.of(arity, domain);
    Field field = constants.field();
    long[] elements = new long[4 * arity];
    for (int i = 0; i < arity; i++) {
      field.set(elements, 4 * i, first + i);
    }
    new Poseidon(constants).hash(elements, 0, elements, 0);
    assertEquals(new BigInteger(expected, 16), field.get(elements, 0));
  }

  @ParameterizedTest
  @CsvSource({
    "poseidon-2, 2, MERKLE_TREE",
    "poseidon-4, 4, MERKLE_TREE",
    "poseidon-8, 8, MERKLE_TREE",
    "poseidon-11, 11, MERKLE_TREE",
    "poseidon-2-gen-randomness, 2, RANDOMNESS",
  })
  void shouldDeriveThePublishedConstants(String name, int arity, Domain domain) throws IOException {
    Path file = FOLDER.resolve(name + ".json");
    assumeTrue(Files.exists(file));
    JsonNode published = new ObjectMapper().readTree(file.toFile());
    PoseidonConstants constants = PoseidonConstants.of(arity, domain);
    assertEquals(published.get("width").asInt(), constants.width());
    assertEquals(published.get("full_rounds").asInt(), constants.fullRounds());
    assertEquals(published.get("partial_rounds").asInt(), constants.partialRounds());
    assertEquals(new BigInteger(published.get("domain_tag").asText(), 16), constants.domainTag());
    assertSame(published.get("round_constants"), constants, constants.roundConstants());
    assertSame(
        published.get("compressed_round_constants"), constants, constants.compressedConstants());
    assertSame(published.get("mds"), constants, constants.mds());
    assertSame(published.get("pre_sparse_matrix"), constants, constants.preSparse());
    List<BigInteger> columns = new ArrayList<>();
    List<BigInteger> rows = new ArrayList<>();
    for (JsonNode matrix : published.get("sparse_matrixes")) {
      flatten(matrix.get("w_hat"), columns);
      flatten(matrix.get("v_rest"), rows);
    }
    assertEquals(columns, numbers(constants, constants.sparseColumns()));
    assertEquals(rows, numbers(constants, constants.sparseRows()));
  }

  private static void assertSame(JsonNode published, PoseidonConstants constants, long[] words) {
    List<BigInteger> expected = new ArrayList<>();
    flatten(published, expected);
    assertEquals(expected, numbers(constants, words));
  }

  private static void flatten(JsonNode node, List<BigInteger> into) {
    if (node.isArray()) {
      node.forEach(each -> flatten(each, into));
    } else {
      into.add(new BigInteger(node.asText(), 16));
    }
  }

  private static List<BigInteger> numbers(PoseidonConstants constants, long[] words) {
    List<BigInteger> numbers = new ArrayList<>();
    for (int at = 0; at < words.length; at += 4) {
      numbers.add(constants.field().get(words, at));
    }
    return numbers;
  }
}
