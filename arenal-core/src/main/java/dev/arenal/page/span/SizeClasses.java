package dev.arenal.page.span;

/**
 * The sizes of slots for buffers up to 8 KiB: steps of 16 bytes up to 128, then eight classes for
 * each doubling, so that a slot is at most an eighth larger than asked for, on average a sixteenth.
 *
 * <p>Larger buffers have no classes: with few slots to a page, the free ones of so many classes are
 * a third of the memory in use (ADR 0014).
 */
public final class SizeClasses {
  /** The largest slot in bytes. */
  public static final int LARGEST_BYTES = 8 << 10;

  /** Steps of 16 bytes below that. */
  private static final int LINEAR_BYTES = 128;

  private static final int LINEAR_SHIFT = 4;
  private static final int STEPS_SHIFT = 3;
  private static final int LINEAR_LOG = 7;

  /** Number of classes. */
  public static final int COUNT = of(LARGEST_BYTES) + 1;

  private SizeClasses() {}

  /** The class of buffers of that size, from 0 to {@link #LARGEST_BYTES} bytes. */
  public static int of(int sizeBytes) {
    if (sizeBytes <= LINEAR_BYTES) {
      return Math.max(0, (sizeBytes - 1) >> LINEAR_SHIFT);
    }
    int log = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(sizeBytes - 1);
    int step = ((sizeBytes - 1) >>> (log - STEPS_SHIFT)) & ((1 << STEPS_SHIFT) - 1);
    return (LINEAR_BYTES >> LINEAR_SHIFT) + ((log - LINEAR_LOG) << STEPS_SHIFT) + step;
  }

  /**
   * Bytes of a slot for a buffer that is aligned to a power of two: a multiple of it, of which
   * classes have exact slots. More than {@link #LARGEST_BYTES} where there is no slot for it.
   */
  public static long alignedBytes(long sizeBytes, long alignmentBytes) {
    return (Math.max(1, sizeBytes) + alignmentBytes - 1) & -alignmentBytes;
  }

  /** Slots of that size are aligned so: to the largest power of two that divides it. */
  public static int alignmentBytes(int slotBytes) {
    return Integer.lowestOneBit(slotBytes);
  }

  /** Bytes of a slot of that class. */
  public static int slotBytes(int sizeClass) {
    int linear = LINEAR_BYTES >> LINEAR_SHIFT;
    if (sizeClass < linear) {
      return (sizeClass + 1) << LINEAR_SHIFT;
    }
    int log = LINEAR_LOG + ((sizeClass - linear) >>> STEPS_SHIFT);
    int step = (sizeClass - linear) & ((1 << STEPS_SHIFT) - 1);
    return (1 << log) + ((step + 1) << (log - STEPS_SHIFT));
  }

  /**
   * Bytes of a run of slots of that class: at least 16 KiB, at least 32 slots up to 64 KiB, in
   * units.
   */
  public static int runBytes(int sizeClass) {
    int wanted = Math.clamp(32L * slotBytes(sizeClass), 16 << 10, 64 << 10);
    int unit = HeapPage.SMALL_UNIT_BYTES;
    // The rest that makes no slot is lost: take the end of the last slot, in whole units.
    int slots = wanted / slotBytes(sizeClass);
    return (slots * slotBytes(sizeClass) + unit - 1) & -unit;
  }
}
