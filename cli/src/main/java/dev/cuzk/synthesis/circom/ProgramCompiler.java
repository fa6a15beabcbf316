package dev.cuzk.synthesis.circom;

import com.dylibso.chicory.compiler.InterpreterFallback;
import com.dylibso.chicory.compiler.internal.ByteClassCollector;
import com.dylibso.chicory.compiler.internal.Compiler;
import com.dylibso.chicory.compiler.internal.CompilerResult;
import com.dylibso.chicory.wasm.ChicoryException;
import com.dylibso.chicory.wasm.Parser;
import dev.cuzk.format.InputException;
import dev.cuzk.synthesis.circom.WasmBinary.Reader;
import dev.cuzk.synthesis.circom.WasmBinary.Section;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Compiles a circom program to Java classes with Chicory.
 *
 * <p>Around Chicory's compiler: long functions are cut first ({@link FunctionSplitter}); what still
 * does not fit into a Java method runs in Chicory's interpreter. Chicory tests for an interrupt
 * before every call, which in circom's code is every tenth instruction: one test a method is kept.
 */
final class ProgramCompiler {
  /**
   * Functions a class: classes are loaded and verified when first used, and larger ones keep the
   * first witness waiting.
   */
  private static final int FUNCTIONS_PER_CLASS = 64;

  private static final byte[] EMPTY_BODY = {3, 0, 0, 0x0B};
  private static final String INTERRUPTION_TEST = "checkInterruption";
  private static final String SHADED = CompiledProgram.MAIN_CLASS + "Shaded";

  private ProgramCompiler() {}

  /**
   * @param file the program, for messages
   * @throws InputException if it is not a valid WebAssembly module
   */
  static CompiledProgram compile(String file, byte[] wasm) throws InputException {
    try {
      byte[] split = FunctionSplitter.split(wasm);
      CompilerResult result =
          Compiler.builder(Parser.parse(split))
              .withClassName(CompiledProgram.MAIN_CLASS)
              .withMaxFunctionsPerClass(FUNCTIONS_PER_CLASS)
              .withInterpreterFallback(InterpreterFallback.SILENT)
              .withClassCollectorFactory(ByteClassCollector::new)
              .build()
              .compile();
      Map<String, byte[]> classes = new LinkedHashMap<>();
      result
          .classBytes()
          .forEach(
              (name, bytes) -> {
                String binaryName = name.replace('/', '.');
                if (!binaryName.equals(SHADED)) {
                  classes.put(binaryName, withFewerInterruptionTests(bytes));
                }
              });
      return new CompiledProgram(withoutCode(split, result.interpretedFunctions()), classes);
    } catch (ChicoryException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new InputException(file, "not a valid WebAssembly module: " + e.getMessage(), e);
    }
  }

  private static byte[] withoutCode(byte[] module, Set<Integer> keptFunctions) {
    int[] imported = {0};
    return WasmBinary.rewrite(
        module,
        section -> {
          if (section.id() == WasmBinary.SECTION_IMPORT) {
            imported[0] = new Reader(module, section).readUnsigned();
          }
          return section.id() == WasmBinary.SECTION_CODE
              ? reducedCode(module, section, imported[0], keptFunctions)
              : Arrays.copyOfRange(module, section.start(), section.end());
        });
  }

  private static byte[] reducedCode(
      byte[] module, Section section, int importedFunctions, Set<Integer> keptFunctions) {
    Reader reader = new Reader(module, section);
    int count = reader.readUnsigned();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    WasmBinary.writeUnsigned(out, count);
    for (int i = 0; i < count; i++) {
      int start = reader.position();
      reader.skip(reader.readUnsigned());
      if (keptFunctions.contains(importedFunctions + i)) {
        out.write(module, start, reader.position() - start);
      } else {
        out.writeBytes(EMPTY_BODY);
      }
    }
    return out.toByteArray();
  }

  private static byte[] withFewerInterruptionTests(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    // No new instruction appears and no jump target disappears: frames and sizes stay right.
    ClassWriter writer = new ClassWriter(0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor inner =
                super.visitMethod(access, name, descriptor, signature, exceptions);
            return new FirstTestOnly(inner);
          }
        },
        0);
    return writer.toByteArray();
  }

  /** Leaves out every test for an interrupt but the method's first. */
  private static final class FirstTestOnly extends MethodVisitor {
    private boolean seen;

    FirstTestOnly(MethodVisitor inner) {
      super(Opcodes.ASM9, inner);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (name.equals(INTERRUPTION_TEST)) {
        if (seen) {
          return;
        }
        seen = true;
      }
      super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    }
  }
}
