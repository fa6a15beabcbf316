package dev.cuzk.math;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;

class RootsOfUnityTest {
  @Test
  void shouldGiveTheRootsOfUnityOfFfjavascript() {
    Field bn254 = Field.scalar(CurveId.BN254);
    RootsOfUnity roots = new RootsOfUnity(bn254);
    assertEquals(CurveId.BN254.twoAdicity(), roots.twoAdicity());
    assertEquals(
        CurveId.BLS12_381.twoAdicity(),
        new RootsOfUnity(Field.scalar(CurveId.BLS12_381)).twoAdicity());
    long[] v = new long[bn254.size()];
    // 5 is the least non-residue of this field: the well-known root is 5^t.
    roots.get(v, 0, 28);
    assertEquals(
        new BigInteger(
            "19103219067921713944291392827692070036145651957329286315305642004821462161904"),
        bn254.get(v, 0));
    roots.get(v, 0, 1);
    assertEquals(bn254.modulus().subtract(BigInteger.ONE), bn254.get(v, 0));
  }

  @Test
  void shouldGiveRootsOfExactlyTheirOrder() {
    for (Field field :
        List.of(
            Field.scalar(CurveId.BN254),
            Field.scalar(CurveId.BLS12_381),
            new Field(BigInteger.valueOf(257)),
            new Field(BigInteger.valueOf(17)))) {
      RootsOfUnity roots = new RootsOfUnity(field);
      int s = roots.twoAdicity();
      long[] root = new long[field.size()];
      for (int k = s; k > 0; k--) {
        roots.get(root, 0, k);
        for (int i = 1; i < k; i++) {
          field.square(root, 0, root, 0);
        }
        assertFalse(field.isOne(root, 0));
        field.square(root, 0, root, 0);
        assertTrue(field.isOne(root, 0));
      }
      assertThrows(IllegalArgumentException.class, () -> roots.get(root, 0, s + 1));
      assertThrows(IllegalArgumentException.class, () -> roots.get(root, 0, -1));
    }
  }
}
