package dev.cuzk.format.filecoin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FactTextTest {
  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  /** The strings were made with Python's base64 from version, codec, hash and length in LEB128. */
  @ParameterizedTest
  @CsvSource({
    "bagboea4b5abcauavnat67g7zmumfektbbgauhtaq23vodhrcgi3jyuhla3a3tyie,"
        + "50156827ef9bf96518522a61098143cc10d6eae19e2232369c50eb06c1b9e104",
    "baga6ea4seaqfiies24yacbzlsbzxn42hrybyvi6ynowkh2m7yjy73tmwsiw7ggq,"
        + "542092d73001072b907376f3478e038aa3d86baca3e99fc271fdcd96922df31a",
  })
  void shouldReadCommitmentsAsCidsAndHex(String cid, String digits) {
    assertArrayEquals(hex(digits), FactText.commitment(cid).orElseThrow());
    assertArrayEquals(hex(digits), FactText.commitment(digits).orElseThrow());
    assertArrayEquals(
        hex(digits), FactText.commitment(digits.toUpperCase(Locale.ROOT)).orElseThrow());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "50156827ef9bf96518522a61098143cc10d6eae19e2232369c50eb06c1b9e1",
        // cut, extended, upper case, of an ordinary file, with bits set after the digest
        "bagboea4b5abcauavnat67g7zmumfektbbgauhtaq23vodhrcgi3jyuhla3a3tyi",
        "bagboea4b5abcauavnat67g7zmumfektbbgauhtaq23vodhrcgi3jyuhla3a3tyieaa",
        "BAGBOEA4B5ABCAUAVNAT67G7ZMUMFEKTBBGAUHTAQ23VODHRCGI3JYUHLA3A3TYIE",
        "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi",
        "baga6ea4seaqfiies24yacbzlsbzxn42hrybyvi6ynowkh2m7yjy73tmwsiw7ggr",
      })
  void shouldRefuseWhatIsNoCommitment(String text) {
    assertTrue(FactText.commitment(text).isEmpty());
  }

  @Test
  void shouldReadRandomness() {
    byte[] bytes = new byte[32];
    bytes[3] = 77;
    assertArrayEquals(
        bytes, FactText.randomness(Base64.getEncoder().encodeToString(bytes)).orElseThrow());
    assertArrayEquals(bytes, FactText.randomness(HexFormat.of().formatHex(bytes)).orElseThrow());
    assertTrue(FactText.randomness(Base64.getEncoder().encodeToString(new byte[31])).isEmpty());
    assertTrue(FactText.randomness("?").isEmpty());
  }

  @Test
  void shouldReadMiners() {
    for (String text : new String[] {"1001", "f01001", "t01001"}) {
      assertEquals(OptionalLong.of(1001), FactText.minerId(text));
    }
    for (String text : new String[] {"", "f1001", "f2abc", "-1", "9223372036854775808", "x01"}) {
      assertEquals(OptionalLong.empty(), FactText.minerId(text), text);
    }
  }
}
