package dev.cuzk.synthesis.circom;

import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Machine;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import java.util.Map;
import java.util.function.Function;

/**
 * A program as Java classes, and what remains of its module: everything but the code of the
 * functions that became Java methods. Parsing that takes a tenth of the time that the whole module
 * takes.
 *
 * @param module the reduced module
 * @param classes class files by binary name
 */
record CompiledProgram(byte[] module, Map<String, byte[]> classes) {
  /** The class that implements Machine; what it calls is in further classes. */
  static final String MAIN_CLASS = CompiledProgram.class.getPackageName() + ".CircomMachine";

  WasmModule parse() {
    // Validated when it was compiled; the reduced bodies would not gain from another look.
    return Parser.builder()
        .withValidation(false)
        .build()
        .parse(() -> new java.io.ByteArrayInputStream(module));
  }

  /** Makes a machine for an instance of the module; loads the classes, one class loader a call. */
  Function<Instance, Machine> machineFactory() {
    ProgramClassLoader loader = new ProgramClassLoader(classes);
    try {
      var constructor =
          loader.loadClass(MAIN_CLASS).asSubclass(Machine.class).getConstructor(Instance.class);
      return instance -> {
        try {
          return constructor.newInstance(instance);
        } catch (ReflectiveOperationException e) {
          throw new LinkageError("the compiled program cannot be started", e);
        }
      };
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the compiled program has no machine", e);
    }
  }

  /** Defines the classes when they are first used. */
  private static final class ProgramClassLoader extends ClassLoader {
    static {
      registerAsParallelCapable();
    }

    private final Map<String, byte[]> classes;

    ProgramClassLoader(Map<String, byte[]> classes) {
      super("circom-program", CompiledProgram.class.getClassLoader());
      this.classes = classes;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      // Ours first: the parent would search every jar for each of them in vain.
      if (classes.containsKey(name)) {
        synchronized (getClassLoadingLock(name)) {
          Class<?> loaded = findLoadedClass(name);
          return loaded != null ? loaded : findClass(name);
        }
      }
      return super.loadClass(name, resolve);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      byte[] bytes = classes.get(name);
      if (bytes == null) {
        throw new ClassNotFoundException(name);
      }
      return defineClass(name, bytes, 0, bytes.length);
    }
  }
}
