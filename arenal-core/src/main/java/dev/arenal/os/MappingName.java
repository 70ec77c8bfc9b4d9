package dev.arenal.os;

import java.util.Arrays;

/**
 * The name of the mappings of an owner in {@code /proc/self/smaps}: {@code [anon:arenal: tenants]}.
 *
 * <p>The kernel takes 79 printable characters of ASCII, and none of those that a shell or a script
 * reading the file could take for something else.
 */
final class MappingName {
  private static final String PREFIX = "arenal: ";

  /** Without the byte that ends it. */
  private static final int MOST_BYTES = 79;

  private static final String FORBIDDEN = "\\`$[]";

  private MappingName() {}

  /**
   * As the kernel takes it, and a zero at the end; each character that it refuses is a {@code _}.
   */
  static byte[] of(String owner) {
    byte[] name = new byte[MOST_BYTES + 1];
    int length = 0;
    for (int at = 0; at < PREFIX.length(); at++) {
      name[length++] = (byte) PREFIX.charAt(at);
    }
    for (int at = 0; at < owner.length() && length < MOST_BYTES; at++) {
      char next = owner.charAt(at);
      if (!Character.isLowSurrogate(next)) { // one place for a character, however long it is
        name[length++] = isTaken(next) ? (byte) next : (byte) '_';
      }
    }
    return Arrays.copyOf(name, length + 1);
  }

  private static boolean isTaken(char character) {
    return character >= ' ' && character <= '~' && FORBIDDEN.indexOf(character) < 0;
  }
}
