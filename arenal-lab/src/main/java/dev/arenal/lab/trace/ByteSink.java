package dev.arenal.lab.trace;

import java.nio.charset.StandardCharsets;

/** A fixed buffer to which numbers are appended in variable length, low 7 bits first. */
final class ByteSink {
  private final byte[] bytes;
  private int size;

  ByteSink(int capacityBytes) {
    bytes = new byte[capacityBytes];
  }

  void putByte(int value) {
    bytes[size++] = (byte) value;
  }

  void putVarint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      putByte((int) (rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    putByte((int) rest);
  }

  /** Appends a number that may be negative; small ones of either sign stay short. */
  void putSignedVarint(long value) {
    putVarint((value << 1) ^ (value >> 63));
  }

  void putText(String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    putVarint(encoded.length);
    System.arraycopy(encoded, 0, bytes, size, encoded.length);
    size += encoded.length;
  }

  byte[] bytes() {
    return bytes;
  }

  int size() {
    return size;
  }

  int remaining() {
    return bytes.length - size;
  }

  void clear() {
    size = 0;
  }
}
