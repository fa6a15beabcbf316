package dev.cuzk.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Signals of the operating system, as long as it is open.
 *
 * <p>The JDK's only way to a handler is {@code sun.misc.Signal}, in the module jdk.unsupported,
 * which is reached by reflection because the compiler warns of the name. A shutdown hook would not
 * do: it cannot tell one signal from another, and a second signal would not reach it. Without the
 * class, or under {@code -Xrs}, signals keep their default effect.
 */
final class Signals implements AutoCloseable {
  /** Signals with their numbers on Linux x86-64. */
  enum Name {
    HUP(1),
    INT(2),
    USR1(10),
    TERM(15);

    private final int number;

    Name(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }
  }

  private record Installed(Object signal, Object previous) {}

  private final List<Installed> installed = new ArrayList<>();
  private final Method handle;

  private Signals(Method handle) {
    this.handle = handle;
  }

  /** Calls back, on a thread of its own, for each signal that arrives. */
  static Signals listen(Consumer<Name> listener) {
    try {
      Class<?> type = Class.forName("sun.misc.Signal");
      Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
      Signals signals = new Signals(type.getMethod("handle", type, handlerType));
      for (Name name : Name.values()) {
        InvocationHandler call =
            (proxy, method, arguments) -> {
              return switch (method.getName()) {
                case "handle" -> {
                  listener.accept(name);
                  yield null;
                }
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "cuzk " + name;
              };
            };
        Object handler =
            Proxy.newProxyInstance(
                Signals.class.getClassLoader(), new Class<?>[] {handlerType}, call);
        signals.install(type.getConstructor(String.class).newInstance(name.name()), handler);
      }
      return signals;
    } catch (ReflectiveOperationException e) {
      return new Signals(null);
    }
  }

  private void install(Object signal, Object handler) throws IllegalAccessException {
    try {
      installed.add(new Installed(signal, handle.invoke(null, signal, handler)));
    } catch (java.lang.reflect.InvocationTargetException e) {
      // The JVM keeps this signal for itself (-Xrs); its default effect stays.
      return;
    }
  }

  @Override
  public void close() {
    for (Installed each : installed) {
      try {
        handle.invoke(null, each.signal, each.previous);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("the previous handler was valid when it was replaced", e);
      }
    }
    installed.clear();
  }
}
