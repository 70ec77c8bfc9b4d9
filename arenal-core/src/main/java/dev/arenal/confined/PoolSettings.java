package dev.arenal.confined;

import org.jspecify.annotations.Nullable;

/**
 * How large the slabs of the pools are, from the system property {@value #SIZE_PROPERTY}.
 *
 * <p>Absent means {@value #DEFAULT_SIZE_BYTES} bytes, 0 turns pooling off, {@value #MIN_SIZE_BYTES}
 * to {@value #MAX_SIZE_BYTES} are rounded up to a multiple of {@value PooledArena#BLOCK_BYTES};
 * anything else is the default and a complaint, never an exception: a typing error in a start
 * script must not keep a program from starting.
 *
 * @param slabSizeBytes 0 where nothing is pooled
 * @param complaint what was wrong with the property, or null
 */
record PoolSettings(int slabSizeBytes, @Nullable String complaint) {
  static final String SIZE_PROPERTY = "arenal.confined.poolSizeBytes";
  static final int DEFAULT_SIZE_BYTES = 8 << 10;
  static final int MIN_SIZE_BYTES = 8;
  static final int MAX_SIZE_BYTES = 16 << 10;

  /** Parses the text of the property. */
  static PoolSettings parse(@Nullable String text) {
    if (text == null) {
      return new PoolSettings(DEFAULT_SIZE_BYTES, null);
    }
    String number = text.strip();
    if (!number.matches("[+-]?[0-9]+")) { // no constant: few programs set the property
      return complain("not a number of bytes", text);
    }
    long sizeBytes;
    try {
      sizeBytes = Long.parseLong(number);
    } catch (NumberFormatException e) {
      return complain("out of range", text); // a number, of more digits than any size has
    }
    if (sizeBytes == 0) {
      return new PoolSettings(0, null);
    }
    if (sizeBytes < MIN_SIZE_BYTES || sizeBytes > MAX_SIZE_BYTES) {
      return complain("out of range", text);
    }
    return new PoolSettings((int) PooledArena.blockBytes(sizeBytes), null);
  }

  private static PoolSettings complain(String what, String text) {
    return new PoolSettings(
        DEFAULT_SIZE_BYTES,
        "pool size is "
            + what
            + ": "
            + SIZE_PROPERTY
            + "="
            + text
            + ", expected 0 (no pool) or "
            + MIN_SIZE_BYTES
            + " to "
            + MAX_SIZE_BYTES
            + "; using "
            + DEFAULT_SIZE_BYTES);
  }
}
