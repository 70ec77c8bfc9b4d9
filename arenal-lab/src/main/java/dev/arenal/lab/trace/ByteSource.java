package dev.arenal.lab.trace;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** A block's decoded bytes, read with every bound checked. */
final class ByteSource {
  private static final int MAX_VARINT_BITS = 63;

  private final TracePlace place;
  private byte[] bytes = new byte[0];
  private int position;
  private int limit;

  ByteSource(TracePlace place) {
    this.place = place;
  }

  void reset(byte[] newBytes, int newLimit) {
    bytes = newBytes;
    position = 0;
    limit = newLimit;
  }

  boolean hasRemaining() {
    return position < limit;
  }

  int readByte() throws TraceFormatException {
    if (position >= limit) {
      throw place.problem("event or record runs past its block");
    }
    return bytes[position++] & 0xff;
  }

  long readVarint() throws TraceFormatException {
    long value = 0;
    for (int shift = 0; shift <= MAX_VARINT_BITS; shift += 7) {
      int next = readByte();
      value |= (long) (next & 0x7f) << shift;
      if (next < 0x80) {
        if (shift == MAX_VARINT_BITS && next > 1) {
          break;
        }
        return value;
      }
    }
    throw place.problem("number is longer than 64 bits");
  }

  long readSignedVarint() throws TraceFormatException {
    long value = readVarint();
    return (value >>> 1) ^ -(value & 1);
  }

  /** Reads a number that must be an int of at least 0; names it when it is not. */
  int readCount(String name) throws TraceFormatException {
    return toCount(name, readVarint());
  }

  int toCount(String name, long value) throws TraceFormatException {
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw place.problem(
          "number out of range: " + name + "=" + value, "expected 0.." + Integer.MAX_VALUE);
    }
    return (int) value;
  }

  String readText(String name, int maxBytes) throws TraceFormatException {
    int length = readCount(name + "Bytes");
    if (length > maxBytes || length > limit - position) {
      throw place.problem(
          "text runs past its bound: " + name + "Bytes=" + length,
          "expected at most " + Math.min(maxBytes, limit - position));
    }
    try {
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes, position, length))
              .toString();
      position += length;
      return text;
    } catch (CharacterCodingException e) {
      throw place.problem("text is not UTF-8: name=" + name);
    }
  }
}
