package dev.arenal.page;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One step of a program: what to do, and two numbers that say with which buffer or how much. What
 * they mean depends on the buffers there are then, so that any part of a program is a program.
 */
record BufferOp(Kind kind, int a, int b) {
  enum Kind {
    /** By {@code tryAllocate}: size, and age. */
    ALLOCATE,
    /** By {@code allocate} with a short wait: size, and age. */
    ALLOCATE_OR_WAIT,
    /** Which. */
    CLOSE,
    /** Which, by another thread. */
    CLOSE_ELSEWHERE,
    /** Which: closed, closed again, and used after that. */
    CLOSE_TWICE,
    /** Of all buffers, those whose number divided by this leaves no rest. */
    CLOSE_MANY,
    /** How many tenths of a second pass. */
    TICK,
    TRIM,
    /** How much of the budget somebody else has. */
    EXTERNAL
  }

  private static final Kind[] OFTEN = {
    Kind.ALLOCATE, Kind.ALLOCATE, Kind.ALLOCATE, Kind.ALLOCATE, Kind.ALLOCATE, Kind.ALLOCATE,
    Kind.CLOSE, Kind.CLOSE, Kind.CLOSE, Kind.CLOSE, Kind.CLOSE_TWICE, Kind.TICK
  };

  /** Sizes at which something else happens. */
  private static final int[] EDGES = {
    0, 1, 16, 17, 128, 129, 1024, 4096, 8192, 8193, 32_768, 65_536, 262_144, 262_145, 524_288,
    1 << 20, (1 << 20) + 1, 2 << 20, (2 << 20) + 1, 4 << 20, (4 << 20) + 1, 6 << 20
  };

  static List<BufferOp> draw(SplittableRandom random, int count) {
    List<BufferOp> ops = new ArrayList<>();
    int sameSize = -1;
    for (int i = 0; i < count; i++) {
      Kind[] kinds = random.nextInt(5) == 0 ? Kind.values() : OFTEN;
      if (random.nextInt(10) == 0) {
        sameSize = random.nextBoolean() ? random.nextInt(1000) : -1; // phases of one size
      }
      int a = sameSize >= 0 && random.nextInt(4) > 0 ? sameSize : random.nextInt(1000);
      ops.add(new BufferOp(kinds[random.nextInt(kinds.length)], a, random.nextInt(1000)));
    }
    return ops;
  }

  /** The size that the first number means: an edge, or anything up to 8 MB, small ones mostly. */
  long sizeBytes() {
    return a < 250
        ? EDGES[a % EDGES.length]
        : (long) Math.exp((a - 250) / 750.0 * Math.log(8_000_000));
  }

  PageAge age() {
    return b % 3 == 0 ? PageAge.LONG_LIVED : PageAge.SHORT_LIVED;
  }

  /** Lines of "KIND a b". */
  static List<BufferOp> parse(String text) {
    return text.lines()
        .map(line -> line.strip().split(" ", -1))
        .map(words ->
            new BufferOp(
                Kind.valueOf(words[0]), Integer.parseInt(words[1]), Integer.parseInt(words[2])))
        .toList();
  }

  static String text(List<BufferOp> ops) {
    StringBuilder text = new StringBuilder();
    for (BufferOp op : ops) {
      text.append(op.kind).append(' ').append(op.a).append(' ').append(op.b).append('\n');
    }
    return text.toString();
  }
}
