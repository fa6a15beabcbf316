package dev.cuzk.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;

/**
 * The address of a direct buffer.
 *
 * <p>Platform behaviour: from Java 22 on {@code MemorySegment} tells it, through calls that are not
 * restricted. Java 17 to 21 have no public way but {@code sun.misc.Unsafe} (module
 * jdk.unsupported), whose memory access is silent there; newer ones would print a warning. Both are
 * reached by reflection because each is missing, or refused by the compiler, on the other side.
 */
final class DirectAddress {
  private static final MethodHandle ADDRESS = find();

  private DirectAddress() {}

  static long of(ByteBuffer direct) {
    try {
      return (long) ADDRESS.invokeExact(direct);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("no address for a direct buffer", e);
    }
  }

  private static MethodHandle find() {
    try {
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      return Runtime.version().feature() >= 22 ? fromMemorySegment(lookup) : fromUnsafe(lookup);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static MethodHandle fromMemorySegment(MethodHandles.Lookup lookup)
      throws ReflectiveOperationException {
    Class<?> segment = Class.forName("java.lang.foreign.MemorySegment");
    MethodHandle of =
        lookup.findStatic(
            segment, "ofBuffer", MethodType.methodType(segment, java.nio.Buffer.class));
    MethodHandle address =
        lookup.findVirtual(segment, "address", MethodType.methodType(long.class));
    return MethodHandles.filterReturnValue(of, address)
        .asType(MethodType.methodType(long.class, ByteBuffer.class));
  }

  private static MethodHandle fromUnsafe(MethodHandles.Lookup lookup)
      throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Unsafe");
    Field instance = type.getDeclaredField("theUnsafe");
    instance.setAccessible(true);
    Object unsafe = instance.get(null);
    long offset =
        (long)
            type.getMethod("objectFieldOffset", Field.class)
                .invoke(unsafe, java.nio.Buffer.class.getDeclaredField("address"));
    MethodHandle getLong =
        lookup
            .findVirtual(
                type, "getLong", MethodType.methodType(long.class, Object.class, long.class))
            .bindTo(unsafe);
    return MethodHandles.insertArguments(getLong, 1, offset)
        .asType(MethodType.methodType(long.class, ByteBuffer.class));
  }
}
