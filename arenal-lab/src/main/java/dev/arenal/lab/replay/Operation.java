package dev.arenal.lab.replay;

/**
 * The packed form of one operation: sixty-four bits that say what to do.
 *
 * <pre>
 *  63                            32 31                        3 2   0
 * +--------------------------------+---------------------------+-----+
 * | size in words, or slot         | arena                     | code|
 * +--------------------------------+---------------------------+-----+
 * </pre>
 *
 * A slot numbers the blocks that are given back early, in order of their allocation: only those few
 * have to be remembered by address, so every other allocation stays free of bookkeeping.
 */
final class Operation {
  static final int BIRTH = 0;
  static final int ALLOCATE = 1;

  /** An allocation whose block is given back early: the next slot remembers it. */
  static final int ALLOCATE_KEPT = 2;

  static final int DEALLOCATE = 3;
  static final int DEATH = 4;

  private static final int CODE_BITS = 3;
  private static final int CODE_MASK = (1 << CODE_BITS) - 1;
  private static final int VALUE_SHIFT = 32;

  private Operation() {}

  static long pack(int code, int arena, int value) {
    return ((long) value << VALUE_SHIFT) | ((long) arena << CODE_BITS) | code;
  }

  static int code(long operation) {
    return (int) operation & CODE_MASK;
  }

  static int arena(long operation) {
    return (int) operation >>> CODE_BITS;
  }

  static int sizeWords(long operation) {
    return (int) (operation >>> VALUE_SHIFT);
  }

  static int slot(long operation) {
    return (int) (operation >>> VALUE_SHIFT);
  }
}
