package dev.cuzk.synthesis.circom;

import com.dylibso.chicory.runtime.ConstantEvaluators;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Memory;
import com.dylibso.chicory.wasm.UninstantiableException;
import com.dylibso.chicory.wasm.types.ActiveDataSegment;
import com.dylibso.chicory.wasm.types.DataSegment;
import com.dylibso.chicory.wasm.types.PassiveDataSegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A WebAssembly memory of fixed size in one array, so that an access is one bounds check and one
 * load. (Chicory's own are paged or go through a ByteBuffer: slower: docs/DECISIONS.md has the
 * times.)
 *
 * <p>circom programs never grow their memory; {@link #grow} refuses, as the WebAssembly
 * specification allows. An access out of bounds is an IndexOutOfBoundsException.
 */
final class FlatMemory implements Memory {
  /** The most pages whose bytes one Java array can hold. */
  static final int MAXIMUM_PAGES = 32767;

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private DataSegment[] segments;

  FlatMemory(int pages) {
    if (pages > MAXIMUM_PAGES) {
      throw new IllegalArgumentException("more than " + MAXIMUM_PAGES + " pages: " + pages);
    }
    this.bytes = new byte[pages * PAGE_SIZE];
  }

  byte[] bytes() {
    return bytes;
  }

  static int readInt(byte[] bytes, int address) {
    return (int) INT.get(bytes, address);
  }

  static void writeInt(byte[] bytes, int address, int value) {
    INT.set(bytes, address, value);
  }

  static long readLong(byte[] bytes, int address) {
    return (long) LONG.get(bytes, address);
  }

  static void writeLong(byte[] bytes, int address, long value) {
    LONG.set(bytes, address, value);
  }

  @Override
  public int pages() {
    return bytes.length / PAGE_SIZE;
  }

  @Override
  public int grow(int pages) {
    return pages == 0 ? pages() : -1;
  }

  @Override
  public int initialPages() {
    return pages();
  }

  @Override
  public int maximumPages() {
    return pages();
  }

  @Override
  public boolean shared() {
    return false;
  }

  @Override
  @SuppressWarnings("removal")
  public Object lock(int address) {
    throw new UnsupportedOperationException("the memory is not shared");
  }

  @Override
  @SuppressWarnings("removal")
  public int waitOn(int address, int expected, long timeout) {
    throw new UnsupportedOperationException("the memory is not shared");
  }

  @Override
  @SuppressWarnings("removal")
  public int waitOn(int address, long expected, long timeout) {
    throw new UnsupportedOperationException("the memory is not shared");
  }

  @Override
  @SuppressWarnings("removal")
  public int notify(int address, int maximumThreads) {
    return 0;
  }

  @Override
  public void initialize(Instance instance, DataSegment[] dataSegments) {
    segments = dataSegments;
    if (dataSegments == null) {
      return;
    }
    for (DataSegment segment : dataSegments) {
      if (segment instanceof ActiveDataSegment active) {
        long start =
            ConstantEvaluators.computeConstantValue(instance, active.offsetInstructions())[0]
                & 0xFFFF_FFFFL;
        byte[] data = active.data();
        if (start + data.length > bytes.length) {
          throw new UninstantiableException("a data segment lies outside the memory");
        }
        System.arraycopy(data, 0, bytes, (int) start, data.length);
      }
    }
  }

  @Override
  public void initialize(Instance instance, DataSegment[] dataSegments, int memoryIndex) {
    initialize(instance, dataSegments);
  }

  @Override
  public void initPassiveSegment(int segment, int destination, int offset, int size) {
    write(destination, segments[segment].data(), offset, size);
  }

  @Override
  public void drop(int segment) {
    segments[segment] = PassiveDataSegment.EMPTY;
  }

  @Override
  public void write(int address, byte[] data, int offset, int size) {
    System.arraycopy(data, offset, bytes, address, size);
  }

  @Override
  public byte read(int address) {
    return bytes[address];
  }

  @Override
  public byte[] readBytes(int address, int length) {
    byte[] result = new byte[length];
    System.arraycopy(bytes, address, result, 0, length);
    return result;
  }

  @Override
  public void writeI32(int address, int value) {
    INT.set(bytes, address, value);
  }

  @Override
  public int readInt(int address) {
    return (int) INT.get(bytes, address);
  }

  @Override
  public void writeLong(int address, long value) {
    LONG.set(bytes, address, value);
  }

  @Override
  public long readLong(int address) {
    return (long) LONG.get(bytes, address);
  }

  @Override
  public void writeShort(int address, short value) {
    SHORT.set(bytes, address, value);
  }

  @Override
  public short readShort(int address) {
    return (short) SHORT.get(bytes, address);
  }

  @Override
  public long readU16(int address) {
    return readShort(address) & 0xFFFFL;
  }

  @Override
  public void writeByte(int address, byte value) {
    bytes[address] = value;
  }

  @Override
  public void writeF32(int address, float value) {
    writeI32(address, Float.floatToRawIntBits(value));
  }

  @Override
  public long readF32(int address) {
    return readInt(address);
  }

  @Override
  public float readFloat(int address) {
    return Float.intBitsToFloat(readInt(address));
  }

  @Override
  public void writeF64(int address, double value) {
    writeLong(address, Double.doubleToRawLongBits(value));
  }

  @Override
  public double readDouble(int address) {
    return Double.longBitsToDouble(readLong(address));
  }

  @Override
  public long readF64(int address) {
    return readLong(address);
  }

  @Override
  public void zero() {
    Arrays.fill(bytes, (byte) 0);
  }

  @Override
  public void fill(byte value, int from, int to) {
    Arrays.fill(bytes, from, to, value);
  }

  @Override
  public void copy(int destination, int source, int size) {
    System.arraycopy(bytes, source, bytes, destination, size);
  }
}
