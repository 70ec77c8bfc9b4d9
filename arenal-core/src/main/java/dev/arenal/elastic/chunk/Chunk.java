package dev.arenal.elastic.chunk;

/**
 * Levels and handles of chunks.
 *
 * <p>A chunk is a power of two between 1 KiB and a root chunk of 16 MiB, aligned to its size. Its
 * level is how often a root has been halved to get it: 0 is a root, {@value #LOWEST} is 1 KiB. A
 * chunk is never an object; a handle names it:
 *
 * <pre>
 *  63            28 27         10 9      4 3     0
 * +----------------+-------------+--------+-------+
 * |   root index   |   offset    | length | level |
 * +----------------+-------------+--------+-------+
 * </pre>
 *
 * where the offset in the root is in steps of 64 bytes, so that handles sort by address. The length
 * is that of a <em>piece</em> of a page that small arenas share, in steps of 64 bytes, less one; a
 * piece has a level of its own. Other chunks have a length of 0, since their level tells it, and
 * begin with a <em>unit</em> of 1 KiB. Sizes are those of JEP 387 as of JDK 21.
 */
public final class Chunk {
  public static final int ROOT_SHIFT = 24;
  public static final int UNIT_SHIFT = 10;
  public static final long ROOT_BYTES = 1L << ROOT_SHIFT;
  public static final long UNIT_BYTES = 1L << UNIT_SHIFT;
  public static final int LOWEST = ROOT_SHIFT - UNIT_SHIFT;
  public static final int LEVEL_COUNT = LOWEST + 1;
  public static final int ROOT_UNITS = 1 << LOWEST;
  public static final long NONE = -1;

  /** Pieces of shared pages are multiples of 64 bytes. */
  public static final int PIECE_SHIFT = 6;

  /** The level of pieces, whose sizes are told by their handles. */
  public static final int PIECE = LEVEL_COUNT;

  private static final int OFFSET_SHIFT = 10;
  private static final int INDEX_SHIFT = OFFSET_SHIFT + ROOT_SHIFT - PIECE_SHIFT;
  private static final int LENGTH_SHIFT = 4;
  private static final int UNIT_AT = OFFSET_SHIFT + UNIT_SHIFT - PIECE_SHIFT;

  private Chunk() {}

  static long handle(int root, int unit, int level) {
    return ((long) root << INDEX_SHIFT) | ((long) unit << UNIT_AT) | level;
  }

  /**
   * The handle of a piece.
   *
   * @param at its offset in the root in steps of 64 bytes
   * @param count its size in such steps
   */
  static long piece(int root, int at, int count) {
    return ((long) root << INDEX_SHIFT)
        | ((long) at << OFFSET_SHIFT)
        | ((long) (count - 1) << LENGTH_SHIFT)
        | PIECE;
  }

  /** The rest of a piece without its end. */
  public static long withoutEnd(long piece, long end) {
    return piece - ((long) pieceUnits(end) << LENGTH_SHIFT);
  }

  /** The size of a piece in steps of 64 bytes. */
  static int pieceUnits(long handle) {
    return ((int) (handle >>> LENGTH_SHIFT) & 63) + 1;
  }

  public static boolean isPiece(long handle) {
    return level(handle) == PIECE;
  }

  /** The bytes of a chunk, or of a piece. */
  public static long bytes(long handle) {
    return isPiece(handle) ? (long) pieceUnits(handle) << PIECE_SHIFT : sizeBytes(level(handle));
  }

  /** Where a chunk or piece begins in its root. */
  public static long offsetBytes(long handle) {
    return (handle >>> OFFSET_SHIFT << PIECE_SHIFT) & (ROOT_BYTES - 1);
  }

  public static int root(long handle) {
    return (int) (handle >>> INDEX_SHIFT);
  }

  /** The unit in which a chunk or piece begins. */
  public static int unit(long handle) {
    return (int) (handle >>> UNIT_AT) & (ROOT_UNITS - 1);
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

  /** The name that reports give a level: {@code 16m} to {@code 1k}, {@code <4k} for pieces. */
  public static String name(int level) {
    if (level == PIECE) {
      return "<4k";
    }
    long kib = sizeBytes(level) >>> 10;
    return kib >= 1024 ? (kib >>> 10) + "m" : kib + "k";
  }
}
