package dev.cuzk.engine.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cuzk.engine.simulation.FaultInjectingBackend.Call;
import dev.cuzk.engine.simulation.FaultInjectingBackend.Fault;
import dev.cuzk.engine.simulation.FaultInjectingBackend.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultRuleTest {
  @Test
  void shouldUnderstandARule() {
    FaultRule rule = FaultRule.parse("1:prove:2:wrong-point");
    assertEquals(new FaultRule(1, Call.PROVE, 2, new Fault(Kind.WRONG_POINT, 0)), rule);
    assertTrue(rule.applies(Call.PROVE, 2));
    assertFalse(rule.applies(Call.PROVE, 1) || rule.applies(Call.LOAD, 2));
    assertEquals(new Fault(Kind.DELAY, 500), FaultRule.parse("0:load:*:delay=500").fault());
    assertTrue(FaultRule.parse("0:load:*:delay=500").applies(Call.LOAD, 77));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0:prove:1",
        "x:prove:1:lost",
        "0:cook:1:lost",
        "0:load:-1:lost",
        "0:load:1:sad"
      })
  void shouldRefuseWhatIsNoRule(String text) {
    assertThrows(IllegalArgumentException.class, () -> FaultRule.parse(text));
  }
}
