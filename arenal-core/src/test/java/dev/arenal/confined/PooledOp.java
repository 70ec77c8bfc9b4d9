package dev.arenal.confined;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One step of a program for pooled arenas. Numbers are taken modulo what is there, so that a
 * program stays meaningful when steps before this one are left out.
 */
record PooledOp(Kind kind, int target, long first, long second) {
  /** The action of a step; see {@link PooledProgram} for the meaning of the numbers. */
  enum Kind {
    /** Nothing; nested as deep as it comes. */
    OPEN,
    /** Arena, size in bytes, alignment in bytes. */
    ALLOCATE,
    /** Arena, size, alignment, of which one is impossible. */
    ALLOCATE_BAD,
    /** Arena, block: other contents. */
    WRITE,
    /** Arena. */
    CLOSE,
    /** Arena: with a cleanup action that throws. */
    CLOSE_THROWING,
    /** Closed arena: close, allocate and a segment, all refused. */
    USE_DEAD,
    /** Arena: another thread is refused. */
    ELSEWHERE,
    /** Nothing: another thread may run. */
    YIELD
  }

  private static final long[] BAD_SIZES = {-1, Long.MIN_VALUE, 1L << 50, Long.MAX_VALUE};
  private static final long[] BAD_ALIGNMENTS = {0, -1, 3, 24, Long.MIN_VALUE, Long.MAX_VALUE};

  String text() {
    return kind + " " + target + " " + first + " " + second;
  }

  static List<PooledOp> draw(long seed, int operationCount) {
    SplittableRandom random = new SplittableRandom(seed);
    int percentOpen = 5 + random.nextInt(20);
    int largestLog = random.nextInt(8) == 0 ? 16 : 3 + random.nextInt(8);
    int largestAlignmentLog = random.nextInt(4) == 0 ? 12 : 5;
    List<PooledOp> ops = new ArrayList<>(operationCount);
    while (ops.size() < operationCount) {
      int target = random.nextInt(1 << 16);
      int percent = random.nextInt(100);
      if (percent < percentOpen) {
        ops.add(new PooledOp(Kind.OPEN, target, 0, 0));
      } else if (percent < 2 * percentOpen) {
        ops.add(closing(random, target));
      } else if (random.nextInt(8) == 0) {
        ops.add(rare(random, target));
      } else {
        long size = random.nextLong((1L << random.nextInt(largestLog + 1)) + 1);
        long alignment = 1L << random.nextInt(largestAlignmentLog + 1);
        ops.add(new PooledOp(Kind.ALLOCATE, target, size, alignment));
      }
    }
    return ops;
  }

  private static PooledOp closing(SplittableRandom random, int target) {
    Kind kind = random.nextInt(10) == 0 ? Kind.CLOSE_THROWING : Kind.CLOSE;
    return new PooledOp(kind, target, 0, 0);
  }

  private static PooledOp rare(SplittableRandom random, int target) {
    int rarity = random.nextInt(200);
    if (rarity < 40) {
      return new PooledOp(Kind.USE_DEAD, target, random.nextInt(1 << 16), 0);
    }
    if (rarity < 60) {
      return new PooledOp(Kind.YIELD, target, 0, 0);
    }
    if (rarity < 61) {
      return new PooledOp(Kind.ELSEWHERE, target, random.nextInt(100), 0);
    }
    if (rarity < 80) {
      return random.nextBoolean()
          ? new PooledOp(Kind.ALLOCATE_BAD, target, BAD_SIZES[random.nextInt(BAD_SIZES.length)], 8)
          : new PooledOp(
              Kind.ALLOCATE_BAD,
              target,
              random.nextInt(100),
              BAD_ALIGNMENTS[random.nextInt(BAD_ALIGNMENTS.length)]);
    }
    return new PooledOp(Kind.WRITE, target, random.nextInt(1 << 16), 0);
  }
}
