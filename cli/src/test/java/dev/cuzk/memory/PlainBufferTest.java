package dev.cuzk.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class PlainBufferTest {
  @Test
  void shouldViewAnyPartLittleEndian() {
    try (PlainBuffer buffer = PlainBuffer.allocate(1000)) {
      assertEquals(1000, buffer.byteSize());
      assertEquals(Buffer.Kind.PLAIN, buffer.kind());
      buffer.view(992, 8).putLong(0, 0x0102030405060708L);
      assertEquals(ByteOrder.LITTLE_ENDIAN, buffer.view(0, 1).order());
      assertEquals(8, buffer.view(992, 1).get(0));
      assertEquals(1, buffer.view(999, 1).get(0));
    }
  }

  @Test
  void shouldHaveTheAddressOfItsMemory() {
    try (PlainBuffer buffer = PlainBuffer.allocate(100);
        PlainBuffer other = PlainBuffer.allocate(100)) {
      assertEquals(0, buffer.address() % 64);
      assertNotEquals(0, buffer.address());
      assertNotEquals(buffer.address(), other.address());
      // The address's lowest bits can be asked for by public means.
      ByteBuffer view = buffer.view(3, 5);
      assertEquals((buffer.address() + 3) % 4096, view.alignmentOffset(0, 4096));
    }
  }

  @Test
  void shouldRefuseViewsOutside() {
    try (PlainBuffer buffer = PlainBuffer.allocate(10)) {
      assertThrows(IndexOutOfBoundsException.class, () -> buffer.view(5, 6));
      assertThrows(IndexOutOfBoundsException.class, () -> buffer.view(-1, 2));
      assertThrows(IndexOutOfBoundsException.class, () -> buffer.view(11, 0));
      assertEquals(0, buffer.view(10, 0).remaining());
    }
  }

  @Test
  void shouldZeroItsMemoryWhenClosed() {
    PlainBuffer buffer = PlainBuffer.allocate(200_000);
    ByteBuffer view = buffer.view(0, 200_000);
    view.putLong(199_992, -1);
    view.putLong(0, -1);
    buffer.close();
    buffer.close();
    assertEquals(0, view.getLong(0));
    assertEquals(0, view.getLong(199_992));
    assertEquals(0, buffer.address());
    assertThrows(IllegalStateException.class, () -> buffer.view(0, 1));
  }

  @Test
  void shouldRefuseSizesBeyondItsLimit() {
    assertThrows(
        IllegalArgumentException.class, () -> PlainBuffer.allocate(PlainBuffer.MAXIMUM_BYTES + 1));
    assertThrows(IllegalArgumentException.class, () -> PlainBuffer.allocate(-1));
  }

  @Test
  void shouldAllowAnEmptyBuffer() {
    try (PlainBuffer buffer = PlainBuffer.allocate(0)) {
      assertEquals(0, buffer.address());
      buffer.zero();
    }
  }
}
