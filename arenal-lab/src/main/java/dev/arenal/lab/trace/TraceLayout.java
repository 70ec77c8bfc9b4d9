package dev.arenal.lab.trace;

import java.nio.charset.StandardCharsets;

/**
 * The numbers of the trace format; {@code docs/trace-format.md} describes them.
 *
 * <pre>
 * file   = magic(8) version(2) block* ; the first block is HEADER, the last is END
 * block  = type(1) eventCount(4) rawLength(4) storedLength(4) payload(storedLength) crc32c(4)
 * payload: raw DEFLATE of rawLength bytes; numbers above are big-endian
 * </pre>
 */
final class TraceLayout {
  static final String MAGIC_TEXT = "ARENALTR";
  static final int VERSION = 1;
  static final int PREAMBLE_BYTES = 10;

  static final int BLOCK_HEADER = 'H';
  static final int BLOCK_EVENTS = 'E';
  static final int BLOCK_END = 'Z';
  static final int BLOCK_HEAD_BYTES = 13;
  static final int BLOCK_CRC_BYTES = 4;

  /** A block this large costs little memory and loses little of DEFLATE's 32 KiB window. */
  static final int MAX_RAW_BYTES = 1 << 20;

  /** DEFLATE adds 5 bytes per 16 KiB at worst; nothing valid is larger than this. */
  static final int MAX_STORED_BYTES = MAX_RAW_BYTES + MAX_RAW_BYTES / 1024;

  /**
   * Larger than any metaspace block (a root chunk is 2^21 words); keeps bytes far from overflow.
   */
  static final int MAX_SIZE_WORDS = 1 << 28;

  /** A replay packs an operation, its arena and a size into 64 bits. */
  static final int MAX_ARENAS = 1 << 29;

  static final int MAX_LABEL_BYTES = 1024;

  /** HotSpot commits in multiples of a page; committed figures are stored in this unit. */
  static final int COMMIT_UNIT_BYTES = 1024;

  /*
   * Allocation events are one byte for a small block in one of the arenas used last:
   *
   *   7 6 5 4 3 2 1 0
   *  +---+-----------+   recent 0..2: place in the list of recently used arenas
   *  |rec|   size    |   size 0..62: size in words - 1; 63: size in words - 64 follows
   *  +---+-----------+
   *
   * The other events have both upper bits set.
   */
  static final int COUNT_RECENT = 3;
  static final int SIZE_FOLLOWS = 63;
  static final int OP_FIRST = COUNT_RECENT << 6;
  static final int OP_ALLOCATE_ELSEWHERE = OP_FIRST;
  static final int OP_BIRTH_NON_CLASS = OP_FIRST + 1;
  static final int OP_BIRTH_CLASS = OP_FIRST + 2;
  static final int OP_DEALLOCATE = OP_FIRST + 3;
  static final int OP_DEATH = OP_FIRST + 4;
  static final int OP_COMMITTED_NON_CLASS = OP_FIRST + 5;
  static final int OP_COMMITTED_CLASS = OP_FIRST + 6;
  static final int OP_MARK = OP_FIRST + 7;

  private TraceLayout() {}

  static byte[] magic() {
    return MAGIC_TEXT.getBytes(StandardCharsets.US_ASCII);
  }
}
