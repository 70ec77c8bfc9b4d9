package dev.arenal.netty;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Reads and writes at addresses, with the cost of a load or a store: the segment is a constant, so
 * its checks fold away, all but the one for a negative address.
 *
 * <p>Nothing else checks an address here. A {@link AbstractPageByteBuf} without memory has a
 * negative one.
 */
final class Memory {
  private static final MemorySegment EVERYTHING = Everything.segment();

  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfShort SHORT_LE =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT_LE =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG_LE =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private Memory() {}

  static byte getByte(long address) {
    return EVERYTHING.get(ValueLayout.JAVA_BYTE, address);
  }

  static short getShort(long address) {
    return EVERYTHING.get(SHORT, address);
  }

  static short getShortLE(long address) {
    return EVERYTHING.get(SHORT_LE, address);
  }

  static int getUnsignedMedium(long address) {
    return (getByte(address) & 0xff) << 16 | (getShort(address + 1) & 0xffff);
  }

  static int getUnsignedMediumLE(long address) {
    return (getShortLE(address) & 0xffff) | (getByte(address + 2) & 0xff) << 16;
  }

  static int getInt(long address) {
    return EVERYTHING.get(INT, address);
  }

  static int getIntLE(long address) {
    return EVERYTHING.get(INT_LE, address);
  }

  static long getLong(long address) {
    return EVERYTHING.get(LONG, address);
  }

  static long getLongLE(long address) {
    return EVERYTHING.get(LONG_LE, address);
  }

  static void setByte(long address, int value) {
    EVERYTHING.set(ValueLayout.JAVA_BYTE, address, (byte) value);
  }

  static void setShort(long address, int value) {
    EVERYTHING.set(SHORT, address, (short) value);
  }

  static void setShortLE(long address, int value) {
    EVERYTHING.set(SHORT_LE, address, (short) value);
  }

  static void setMedium(long address, int value) {
    setByte(address, value >>> 16);
    setShort(address + 1, value);
  }

  static void setMediumLE(long address, int value) {
    setShortLE(address, value);
    setByte(address + 2, value >>> 16);
  }

  static void setInt(long address, int value) {
    EVERYTHING.set(INT, address, value);
  }

  static void setIntLE(long address, int value) {
    EVERYTHING.set(INT_LE, address, value);
  }

  static void setLong(long address, long value) {
    EVERYTHING.set(LONG, address, value);
  }

  static void setLongLE(long address, long value) {
    EVERYTHING.set(LONG_LE, address, value);
  }

  static void zero(long address, long sizeBytes) {
    EVERYTHING.asSlice(address, sizeBytes).fill((byte) 0);
  }

  /** The ranges may overlap. */
  static void copy(long from, long to, long sizeBytes) {
    MemorySegment.copy(EVERYTHING, from, EVERYTHING, to, sizeBytes);
  }

  static void copy(long from, byte[] to, int index, int sizeBytes) {
    MemorySegment.copy(EVERYTHING, ValueLayout.JAVA_BYTE, from, to, index, sizeBytes);
  }

  static void copy(byte[] from, int index, long to, int sizeBytes) {
    MemorySegment.copy(from, index, EVERYTHING, ValueLayout.JAVA_BYTE, to, sizeBytes);
  }

  static void copy(long from, MemorySegment to, int sizeBytes) {
    MemorySegment.copy(EVERYTHING, from, to, 0, sizeBytes);
  }

  static void copy(MemorySegment from, long to, int sizeBytes) {
    MemorySegment.copy(from, 0, EVERYTHING, to, sizeBytes);
  }
}
