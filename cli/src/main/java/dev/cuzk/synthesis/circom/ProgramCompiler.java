package dev.cuzk.synthesis.circom;

import com.dylibso.chicory.compiler.InterpreterFallback;
import com.dylibso.chicory.compiler.internal.ByteClassCollector;
import com.dylibso.chicory.compiler.internal.Compiler;
import com.dylibso.chicory.compiler.internal.CompilerResult;
import com.dylibso.chicory.runtime.Memory;
import com.dylibso.chicory.wasm.ChicoryException;
import com.dylibso.chicory.wasm.Parser;
import dev.cuzk.format.InputException;
import dev.cuzk.math.CurveId;
import dev.cuzk.synthesis.circom.FieldFunctions.Operation;
import dev.cuzk.synthesis.circom.WasmBinary.Reader;
import dev.cuzk.synthesis.circom.WasmBinary.Section;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Compiles a circom program to Java classes with Chicory.
 *
 * <p>Around Chicory's compiler: long functions are cut first ({@link FunctionSplitter}); what still
 * does not fit into a Java method runs in Chicory's interpreter. Chicory tests for an interrupt
 * before every call, which in circom's code is every tenth instruction: one test a method is kept.
 * circom's own field arithmetic gives way to this tool's where it is recognised ({@link
 * FieldFunctions}).
 */
final class ProgramCompiler {
  /**
   * Functions a class: classes are loaded and verified when first used, and larger ones keep the
   * first witness waiting.
   */
  private static final int FUNCTIONS_PER_CLASS = 64;

  private static final byte[] EMPTY_BODY = {3, 0, 0, 0x0B};
  private static final String INTERRUPTION_TEST = "checkInterruption";

  /** Ends the names of the program's own functions that have a counterpart in Java. */
  static final String ORIGINAL = "$original";

  private static final String MEMORY_TYPE = Type.getDescriptor(Memory.class);
  private static final String SHADED = CompiledProgram.MAIN_CLASS + "Shaded";

  private ProgramCompiler() {}

  /**
   * @param file the program, for messages
   * @throws InputException if it is not a valid WebAssembly module
   */
  static CompiledProgram compile(String file, byte[] wasm) throws InputException {
    try {
      Optional<CurveId> arithmetic = FieldFunctions.recognise(wasm, Parser.parse(wasm));
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
                  classes.put(binaryName, rewritten(bytes, arithmetic));
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

  private static byte[] rewritten(byte[] classFile, Optional<CurveId> arithmetic) {
    ClassReader reader = new ClassReader(classFile);
    // No jump target of the old code disappears: frames and sizes stay right.
    ClassWriter writer = new ClassWriter(0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            Optional<Operation> operation =
                arithmetic.isPresent() ? Operation.ofMethod(name) : Optional.empty();
            String kept = operation.isPresent() ? name + ORIGINAL : name;
            operation.ifPresent(
                one ->
                    writeReplacement(
                        super.visitMethod(access, name, descriptor, signature, exceptions),
                        one,
                        arithmetic.get(),
                        new Handle(
                            Opcodes.H_INVOKESTATIC,
                            reader.getClassName(),
                            kept,
                            descriptor,
                            false)));
            MethodVisitor inner =
                super.visitMethod(access, kept, descriptor, signature, exceptions);
            return new FirstTestOnly(inner);
          }
        },
        0);
    return writer.toByteArray();
  }

  /** A method that has the operation done in Java, or else by the program's own code. */
  private static void writeReplacement(
      MethodVisitor method, Operation operation, CurveId curve, Handle original) {
    int addresses = operation.addresses();
    String integers = "I".repeat(addresses);
    method.visitCode();
    for (int i = 0; i < addresses; i++) {
      method.visitVarInsn(Opcodes.ILOAD, i);
    }
    method.visitVarInsn(Opcodes.ALOAD, addresses);
    method.visitInsn(curve == CurveId.BN254 ? Opcodes.ICONST_0 : Opcodes.ICONST_1);
    method.visitMethodInsn(
        Opcodes.INVOKESTATIC,
        SHADED.replace('.', '/'),
        operation.javaMethod(),
        "(" + integers + MEMORY_TYPE + "I)Z",
        false);
    Label own = new Label();
    method.visitJumpInsn(Opcodes.IFEQ, own);
    method.visitInsn(Opcodes.RETURN);
    method.visitLabel(own);
    method.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
    for (int i = 0; i < addresses; i++) {
      method.visitVarInsn(Opcodes.ILOAD, i);
    }
    method.visitVarInsn(Opcodes.ALOAD, addresses);
    method.visitVarInsn(Opcodes.ALOAD, addresses + 1);
    method.visitMethodInsn(
        Opcodes.INVOKESTATIC, original.getOwner(), original.getName(), original.getDesc(), false);
    method.visitInsn(Opcodes.RETURN);
    method.visitMaxs(addresses + 2, addresses + 2);
    method.visitEnd();
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
