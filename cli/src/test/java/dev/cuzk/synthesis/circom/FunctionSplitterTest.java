package dev.cuzk.synthesis.circom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FunctionSplitterTest {
  private static final int RETURN = 0x0F;

  /** (x: i32) → i32 with three locals more; exported as f. */
  private static byte[] module(byte[] code) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(new byte[] {2, 1, 0x7F, 2, 0x7E});
    body.writeBytes(code);
    ByteArrayOutputStream section = new ByteArrayOutputStream();
    section.write(1);
    WasmBinary.writeUnsigned(section, body.size());
    section.writeBytes(body.toByteArray());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {0, 'a', 's', 'm', 1, 0, 0, 0});
    out.writeBytes(new byte[] {1, 6, 1, 0x60, 1, 0x7F, 1, 0x7F});
    out.writeBytes(new byte[] {3, 2, 1, 0});
    out.writeBytes(new byte[] {7, 5, 1, 1, 'f', 0, 0});
    out.write(10);
    WasmBinary.writeUnsigned(out, section.size());
    out.writeBytes(section.toByteArray());
    return out.toByteArray();
  }

  private static int call(byte[] module, int argument) {
    return (int) Instance.builder(Parser.parse(module)).build().export("f").apply(argument)[0];
  }

  private static int functions(byte[] module) {
    return Parser.parse(module).functionSection().functionCount();
  }

  /**
   * Statements that add to local 1 and double local 2, in blocks and plainly; returns early when
   * the argument equals {@code leave}.
   */
  private static byte[] longCode(int statements, int leave) {
    ByteArrayOutputStream code = new ByteArrayOutputStream();
    code.writeBytes(new byte[] {0x42, 1, 0x21, 2});
    for (int i = 0; i < statements; i++) {
      // local1 = local1 * 3 + x + 5
      code.writeBytes(new byte[] {0x20, 1, 0x41, 3, 0x6C, 0x20, 0, 0x6A, 0x41, 5, 0x6A, 0x21, 1});
      // local2 = local2 * 3 (64 bits)
      code.writeBytes(new byte[] {0x20, 2, 0x42, 3, 0x7E, 0x21, 2});
      if (i == statements / 2) {
        // if (x == leave) return local1
        code.writeBytes(new byte[] {0x20, 0, 0x41, (byte) leave, 0x46, 0x04, 0x40, 0x20, 1});
        code.writeBytes(new byte[] {RETURN, 0x0B});
      }
      if (i % 7 == 0) {
        // local1 = (if (result i32) x then 1 else 2) + local1
        code.writeBytes(new byte[] {0x20, 0, 0x04, 0x7F, 0x41, 1, 0x05, 0x41, 2, 0x0B});
        code.writeBytes(new byte[] {0x20, 1, 0x6A, 0x21, 1});
      }
    }
    // return local1 + (i32) local2
    code.writeBytes(new byte[] {0x20, 1, 0x20, 2, (byte) 0xA7, 0x6A, 0x0B});
    return code.toByteArray();
  }

  @Test
  void shouldKeepWhatALongFunctionComputes() {
    byte[] whole = module(longCode(1000, 9));
    byte[] split = FunctionSplitter.split(whole);
    assertTrue(functions(split) > 8, "parts: " + functions(split));
    for (int argument : new int[] {0, 1, 9, 10, -1}) {
      assertEquals(call(whole, argument), call(split, argument));
    }
  }

  @Test
  void shouldMakePartsThatFitIntoAJavaMethod() {
    WasmModule split = Parser.parse(FunctionSplitter.split(module(longCode(1000, 9))));
    for (int i = 0; i < split.codeSection().functionBodyCount(); i++) {
      assertTrue(split.codeSection().getFunctionBody(i).instructions().size() < 2000);
    }
  }

  @Test
  void shouldLeaveShortFunctionsAlone() {
    byte[] whole = module(longCode(20, 9));
    assertEquals(1, functions(FunctionSplitter.split(whole)));
    assertTrue(Arrays.equals(whole, FunctionSplitter.split(whole)));
  }

  @Test
  void shouldTakeLongRunsOutOfBlocks() {
    ByteArrayOutputStream code = new ByteArrayOutputStream();
    // local1 = 3 + (block (result i32) … end), where the block sets one local many times.
    code.writeBytes(new byte[] {0x41, 3, 0x02, 0x7F});
    for (int i = 0; i < 1000; i++) {
      code.writeBytes(new byte[] {0x20, 1, 0x41, 3, 0x6C, 0x20, 0, 0x6A, 0x41, 5, 0x6A, 0x21, 1});
    }
    code.writeBytes(new byte[] {0x20, 1, 0x0B, 0x6A, 0x0B});
    byte[] whole = module(code.toByteArray());
    byte[] split = FunctionSplitter.split(whole);
    assertTrue(functions(split) > 6, "parts: " + functions(split));
    for (int argument : new int[] {0, 4, -9}) {
      assertEquals(call(whole, argument), call(split, argument));
    }
  }

  @Test
  void shouldCutAFunctionWhoseRunsWereTakenOut() {
    ByteArrayOutputStream code = new ByteArrayOutputStream();
    for (int i = 0; i < 200; i++) {
      // A run that sets one local, between statements that set two.
      for (int k = 0; k < 41; k++) {
        code.writeBytes(new byte[] {0x20, 1, 0x41, 3, 0x6C, 0x20, 0, 0x6A, 0x21, 1});
      }
      code.writeBytes(new byte[] {0x20, 0, 0x04, 0x40, 0x20, 2, 0x42, 7, 0x7C, 0x21, 2, 0x0B});
    }
    code.writeBytes(new byte[] {0x20, 1, 0x20, 2, (byte) 0xA7, 0x6A, 0x0B});
    byte[] whole = module(code.toByteArray());
    byte[] split = FunctionSplitter.split(whole);
    assertTrue(functions(split) > 202, "parts: " + functions(split));
    for (int argument : new int[] {0, 4, -9}) {
      assertEquals(call(whole, argument), call(split, argument));
    }
  }

  @Test
  void shouldLeaveAFunctionWholeThatIsOneExpression() {
    ByteArrayOutputStream code = new ByteArrayOutputStream();
    code.writeBytes(new byte[] {0x20, 0});
    for (int i = 0; i < 2000; i++) {
      code.writeBytes(new byte[] {0x41, 3, 0x6A});
    }
    code.write(0x0B);
    byte[] whole = module(code.toByteArray());
    byte[] split = FunctionSplitter.split(whole);
    assertEquals(1, functions(split));
    assertEquals(6004, call(split, 4));
  }

  @Test
  void shouldCopeWithCodeThatCannotBeReached() {
    ByteArrayOutputStream code = new ByteArrayOutputStream();
    code.writeBytes(new byte[] {0x20, 0, RETURN});
    code.writeBytes(longCode(300, 9));
    byte[] whole = module(code.toByteArray());
    byte[] split = FunctionSplitter.split(whole);
    assertEquals(17, call(split, 17));
  }

  @Test
  void shouldCutCircomsTables() throws Exception {
    byte[] whole = CircomTesting.bytes("long-bn128.wasm");
    int before = functions(whole);
    assertTrue(functions(FunctionSplitter.split(whole)) > before + 1);
  }

  @Test
  void shouldRefuseAModuleThatEndsEarly() {
    byte[] whole = module(longCode(300, 9));
    for (int length = 9; length < whole.length; length += 37) {
      byte[] part = Arrays.copyOf(whole, length);
      try {
        FunctionSplitter.split(part);
      } catch (IllegalArgumentException e) {
        assertTrue(e.getMessage().contains("ends early"), e.getMessage());
      }
    }
    byte[] text = "no module at all".getBytes(StandardCharsets.US_ASCII);
    assertThrows(IllegalArgumentException.class, () -> FunctionSplitter.split(text));
  }
}
