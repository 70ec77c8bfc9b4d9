package dev.arenal.os;

import java.util.Arrays;

/**
 * The operating system as one owner has it, whose name its mappings carry.
 *
 * <p>The kernel keeps a name with each mapping, and joins neighbours only if theirs are equal. So a
 * range is named whenever it is mapped afresh: as a whole when it is reserved, and again when it is
 * revoked, which maps it anew, and when memory is moved into it, which brings the name of another
 * owner along. Nothing else changes a name. So all of a reservation has one name, and names cost no
 * mappings (ADR 0032).
 *
 * <p>A name is a hint: where the kernel refuses one, the operation has been done nevertheless.
 */
final class NamedOperatingSystem implements OperatingSystem {
  private static final String PREFIX = "arenal: ";

  /** Without the byte that ends it. */
  private static final int MOST_BYTES = 79;

  private static final String FORBIDDEN = "\\`$[]";

  private final OperatingSystem kernel;
  private final byte[] name;

  NamedOperatingSystem(OperatingSystem kernel, String owner) {
    this.kernel = kernel;
    this.name = nameOf(owner);
  }

  /**
   * The name of the mappings in {@code /proc/self/smaps}, {@code [anon:arenal: tenants]}, as the
   * kernel takes it: 79 printable characters of ASCII, and none of those that a shell or a script
   * reading the file could take for something else. Each character that it refuses is a {@code _},
   * and a zero is at the end.
   */
  static byte[] nameOf(String owner) {
    String text = PREFIX.concat(owner);
    byte[] name = new byte[MOST_BYTES + 1];
    int length = 0;
    for (int at = 0; at < text.length() && length < MOST_BYTES; at++) {
      char next = text.charAt(at);
      if (!Character.isLowSurrogate(next)) { // one place for a character, however long it is
        boolean isTaken = next >= ' ' && next <= '~' && FORBIDDEN.indexOf(next) < 0;
        name[length++] = isTaken ? (byte) next : (byte) '_';
      }
    }
    return Arrays.copyOf(name, length + 1);
  }

  @Override
  public OperatingSystem kernel() {
    return kernel;
  }

  @Override
  public OperatingSystem named(String owner) {
    return kernel.named(owner);
  }

  @Override
  public long reserve(long sizeBytes, boolean lazy) {
    long address = kernel.reserve(sizeBytes, lazy);
    try { // in each of them: a method for it could not be entered at the end of the stack
      if (address > 0) {
        kernel.name(address, sizeBytes, name);
      }
    } catch (OutOfMemoryError | StackOverflowError e) {
      Thread.onSpinWait(); // the named operation has been done
    }
    return address;
  }

  @Override
  public int revoke(long address, long sizeBytes) {
    int error = kernel.revoke(address, sizeBytes);
    try {
      if (error == 0) {
        kernel.name(address, sizeBytes, name);
      }
    } catch (OutOfMemoryError | StackOverflowError e) {
      Thread.onSpinWait();
    }
    return error;
  }

  @Override
  public int move(long address, long sizeBytes, long toAddress) {
    int error = kernel.move(address, sizeBytes, toAddress);
    try {
      if (error != -Errno.ENOSYS && error != -Errno.ENOTRECOVERABLE) { // it may be mapped afresh
        kernel.name(toAddress, sizeBytes, name);
      }
    } catch (OutOfMemoryError | StackOverflowError e) {
      Thread.onSpinWait();
    }
    return error;
  }
}
