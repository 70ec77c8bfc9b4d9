package dev.arenal.agent.netty;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Uses each kind of access that a buffer has once, before there is one: the JDK has classes and
 * handles for each, and makes them at the first use. They are the same for all memory, so it does
 * this with a block of its own.
 */
final class FirstAccesses {
  private static final int BLOCK_BYTES = 64;
  private static final int RANGE_BYTES = 8;

  private FirstAccesses() {}

  static void make() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment block = arena.allocate(BLOCK_BYTES);
      MemorySegment everything = NettyPages.everything();
      long address = block.address();
      everything.set(
          ValueLayout.JAVA_BYTE, address, everything.get(ValueLayout.JAVA_BYTE, address));
      for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
        readAndWrite(everything, address, order);
      }
      copy(everything, address, block);
      everything.asSlice(address, RANGE_BYTES).fill((byte) 0);
      var _ = block.asSlice(0, RANGE_BYTES).asByteBuffer().put(0, (byte) 0).slice().duplicate();
    }
  }

  private static void readAndWrite(MemorySegment everything, long address, ByteOrder order) {
    ValueLayout.OfShort shorts = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(order);
    everything.set(shorts, address, everything.get(shorts, address));
    ValueLayout.OfInt ints = ValueLayout.JAVA_INT_UNALIGNED.withOrder(order);
    everything.set(ints, address, everything.get(ints, address));
    ValueLayout.OfLong longs = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(order);
    everything.set(longs, address, everything.get(longs, address));
  }

  private static void copy(MemorySegment everything, long address, MemorySegment block) {
    byte[] bytes = new byte[RANGE_BYTES];
    MemorySegment.copy(everything, ValueLayout.JAVA_BYTE, address, bytes, 0, RANGE_BYTES);
    MemorySegment.copy(bytes, 0, everything, ValueLayout.JAVA_BYTE, address, RANGE_BYTES);
    MemorySegment.copy(everything, address, everything, address + RANGE_BYTES, RANGE_BYTES);
    List<MemorySegment> others =
        List.of(
            block,
            MemorySegment.ofBuffer(ByteBuffer.wrap(bytes)),
            MemorySegment.ofBuffer(ByteBuffer.allocateDirect(RANGE_BYTES)));
    for (MemorySegment other : others) {
      MemorySegment.copy(everything, address, other, 0, RANGE_BYTES);
      MemorySegment.copy(other, 0, everything, address, RANGE_BYTES);
    }
  }
}
