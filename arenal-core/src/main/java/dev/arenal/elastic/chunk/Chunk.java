package dev.arenal.elastic.chunk;

/**
 * Levels and handles of chunks.
 *
 * <p>A chunk is a power of two between 1 KiB and a root chunk of 16 MiB, aligned to its size. Its
 * level is how often a root has been halved to get it: 0 is a root, {@value #LOWEST} is 1 KiB. A
 * chunk is never an object; a handle names it:
 *
 * <pre>
 *  63            18 17         4 3     0
 * +----------------+------------+-------+
 * |   root index   |    unit    | level |
 * +----------------+------------+-------+
 * </pre>
 *
 * where the unit is the offset in the root in steps of 1 KiB. Sizes are those of JEP 387 as of JDK
 * 21.
 */
public final class Chunk {
  public static final int ROOT_SHIFT = 24;
  public static final int UNIT_SHIFT = 10;
  public static final long ROOT_BYTES = 1L << ROOT_SHIFT;
  public static final long UNIT_BYTES = 1L << UNIT_SHIFT;
  public static final int LOWEST = ROOT_SHIFT - UNIT_SHIFT;
  public static final int COUNT_LEVELS = LOWEST + 1;
  public static final int ROOT_UNITS = 1 << LOWEST;
  public static final long NONE = -1;

  private Chunk() {}

  static long handle(int root, int unit, int level) {
    return ((long) root << 18) | ((long) unit << 4) | level;
  }

  public static int root(long handle) {
    return (int) (handle >>> 18);
  }

  public static int unit(long handle) {
    return (int) (handle >>> 4) & (ROOT_UNITS - 1);
  }

  public static int level(long handle) {
    return (int) handle & 15;
  }

  public static long sizeBytes(int level) {
    return ROOT_BYTES >>> level;
  }

  public static int units(int level) {
    return ROOT_UNITS >>> level;
  }

  /** The level of the smallest chunk that holds {@code sizeBytes}, which is at most a root. */
  public static int levelFor(long sizeBytes) {
    assert sizeBytes > 0 && sizeBytes <= ROOT_BYTES : sizeBytes;
    int shift = Long.SIZE - Long.numberOfLeadingZeros(sizeBytes - 1);
    return ROOT_SHIFT - Math.max(shift, UNIT_SHIFT);
  }

  /** The name that reports give a level: {@code 16m} to {@code 1k}. */
  public static String name(int level) {
    long kib = sizeBytes(level) >>> 10;
    return kib >= 1024 ? (kib >>> 10) + "m" : kib + "k";
  }
}
