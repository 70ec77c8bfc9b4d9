package dev.arenal.lab.record;

import java.nio.charset.StandardCharsets;

/**
 * A line of the log and a place in it.
 *
 * <p>Works on bytes: a recording is hundreds of megabytes of text, and the program waits while the
 * pipe is full.
 */
final class LogLine {
  private byte[] bytes = new byte[0];
  private int position;
  private int end;

  LogLine of(byte[] newBytes, int newStart, int newEnd) {
    bytes = newBytes;
    position = newStart;
    end = newEnd;
    return this;
  }

  /** Looks at the next byte; 0 at the end of the line. */
  int peek() {
    return position < end ? bytes[position] : 0;
  }

  /** Moves behind the text if it is next. */
  boolean skip(String ascii) {
    int length = ascii.length();
    if (end - position < length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (bytes[position + i] != ascii.charAt(i)) {
        return false;
      }
    }
    position += length;
    return true;
  }

  /** Moves behind the next occurrence of the text in this line, if there is one. */
  boolean skipPast(String ascii) {
    int start = position;
    for (int i = start; i <= end - ascii.length(); i++) {
      position = i;
      if (skip(ascii)) {
        return true;
      }
    }
    position = start;
    return false;
  }

  void skipSpaces() {
    while (peek() == ' ') {
      position++;
    }
  }

  /** Reads a decimal number; -1 if there is none or it is too large for a long. */
  long readDecimal() {
    int start = position;
    long value = 0;
    while (peek() >= '0' && peek() <= '9') {
      value = value * 10 + (bytes[position++] - '0');
      if (value > Long.MAX_VALUE / 10 - 1) {
        return -1;
      }
    }
    return position > start ? value : -1;
  }

  /** Reads an address such as {@code 0x00007f12}; 0 if there is none. */
  long readAddress() {
    if (!skip("0x")) {
      return 0;
    }
    long value = 0;
    for (int digit = hexDigit(); digit >= 0; digit = hexDigit()) {
      value = value << 4 | digit;
      position++;
    }
    return value;
  }

  private int hexDigit() {
    int next = peek();
    if (next >= '0' && next <= '9') {
      return next - '0';
    }
    return next >= 'a' && next <= 'f' ? next - 'a' + 10 : -1;
  }

  @Override
  public String toString() {
    return new String(bytes, position, end - position, StandardCharsets.UTF_8);
  }
}
