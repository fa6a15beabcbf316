package dev.cuzk.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cuzk.device.Backend;
import dev.cuzk.device.DeviceException;
import dev.cuzk.device.DeviceStatus;
import dev.cuzk.math.CurveId;
import dev.cuzk.memory.Buffer;
import dev.cuzk.memory.PlainBuffer;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MsmInputTest {
  private static final CurveId CURVE = CurveId.BLS12_381;
  private static final int COUNT = 20;

  private final List<Long> pieces = new ArrayList<>();
  private final List<Buffer> buffers = new ArrayList<>();
  private int calls = Integer.MAX_VALUE;

  /** A device whose multiple of a point is the factor, at the start of a point's bytes. */
  private final Backend device =
      (Backend)
          Proxy.newProxyInstance(
              Backend.class.getClassLoader(),
              new Class<?>[] {Backend.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "allocatePinned" -> {
                      buffers.add(PlainBuffer.allocate((long) arguments[0]));
                      yield buffers.get(buffers.size() - 1);
                    }
                    case "fixedBase" -> {
                      if (calls-- == 0) {
                        throw new DeviceException(DeviceStatus.OUT_OF_DEVICE_MEMORY, 0, "full");
                      }
                      multiply((ByteBuffer) arguments[3], (long) arguments[4], arguments[5]);
                      yield null;
                    }
                    default -> throw new AssertionError(method.getName());
                  });

  private void multiply(ByteBuffer factors, long count, Object points) {
    ByteBuffer to = (ByteBuffer) points;
    assertEquals(count * 32, factors.remaining());
    assertEquals(count * 96, to.remaining());
    for (int i = 0; i < count; i++) {
      to.put(96 * i, factors, 32 * i, 32);
    }
    pieces.add(count);
  }

  @Test
  void shouldMakeTheSamePointsInAnyPieces() throws Exception {
    for (int piece : new int[] {1, 7, COUNT, COUNT + 1}) {
      try (MsmInput whole = MsmInput.make(device, CURVE, false, COUNT);
          MsmInput parts = MsmInput.make(device, CURVE, false, COUNT, piece);
          Buffer logarithms = Uniform.scalars(device, CURVE, COUNT, 1);
          Buffer scalars = Uniform.scalars(device, CURVE, COUNT, 2)) {
        assertEquals(whole.points().view(0, 96 * COUNT), parts.points().view(0, 96 * COUNT));
        for (int i = 0; i < COUNT; i++) {
          assertEquals(logarithms.view(32 * i, 32), parts.points().view(96 * i, 32));
        }
        assertEquals(scalars.view(0, 32 * COUNT), parts.scalars().view(0, 32 * COUNT));
      }
    }
    assertEquals(List.of(7L, 7L, 6L), pieces.subList(22, 25));
  }

  @Test
  void shouldGiveMemoryBackWhenPointsCannotBeMade() {
    calls = 1;
    assertThrows(DeviceException.class, () -> MsmInput.make(device, CURVE, false, COUNT, 7));
    assertEquals(2, buffers.size());
    buffers.forEach(buffer -> assertEquals(0, buffer.address()));
  }
}
