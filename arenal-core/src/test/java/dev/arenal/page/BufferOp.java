package dev.arenal.page;

import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchMethod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One step of a program: what to do, which thread does it, and two numbers that say with which
 * buffer or how much. What they mean depends on the buffers there are then, so that any part of a
 * program is a program.
 */
record BufferOp(Kind kind, int threadIndex, int a, int b) {
  /** Threads of a program. */
  static final int THREAD_COUNT = 4;

  enum Kind {
    /** By {@code tryAllocate}: size, alignment, and age. */
    ALLOCATE,
    /** By {@code allocate} with a short wait: size, and age; aligned, without one. */
    ALLOCATE_OR_WAIT,
    /** Which; opened by any thread. */
    CLOSE,
    /** Which: closed, closed again, and used after that. */
    CLOSE_TWICE,
    /** Which: by two threads at a time. */
    CLOSE_BY_TWO,
    /** Of all buffers, those whose number divided by this leaves no rest. */
    CLOSE_MANY,
    /** Which: its contents are looked at, and it gets others. */
    WRITE,
    /** How many tenths of a second pass. */
    TICK,
    TRIM,
    /** The allocator, while buffers are open. */
    CLOSE_TOO_EARLY,
    REPORT,
    /** The part of the budget that another user has. */
    EXTERNAL,
    /** How, and how much. */
    PRETOUCH
  }

  private static final Kind[] OFTEN = {
    Kind.ALLOCATE, Kind.ALLOCATE, Kind.ALLOCATE, Kind.ALLOCATE, Kind.ALLOCATE, Kind.ALLOCATE,
    Kind.CLOSE, Kind.CLOSE, Kind.CLOSE, Kind.CLOSE, Kind.CLOSE_TWICE, Kind.TICK
  };

  /** Any; a pretouch comes in place of a report. */
  private static final Kind[] SELDOM = Arrays.copyOf(Kind.values(), Kind.values().length - 1);

  /** Sizes at which something else happens. */
  private static final int[] EDGES = {
    0,
    1,
    16,
    17,
    128,
    129,
    1024,
    4096,
    8192,
    8193,
    32_768,
    65_536,
    262_144,
    262_145,
    524_288,
    1 << 20,
    (1 << 20) + 1,
    2 << 20,
    (2 << 20) + 1,
    4 << 20,
    (4 << 20) + 1,
    6 << 20
  };

  private static final int FIRST_DRAWN = 250;
  private static final int FIRST_SHARE = 970;

  static List<BufferOp> draw(SplittableRandom random, int count) {
    List<BufferOp> ops = new ArrayList<>();
    int sameSize = -1;
    int sameThread = 0;
    for (int i = 0; i < count; i++) {
      Kind[] kinds = random.nextInt(5) == 0 ? SELDOM : OFTEN;
      if (random.nextInt(10) == 0) {
        sameSize = random.nextBoolean() ? random.nextInt(1000) : -1; // phases of one size
        sameThread = random.nextInt(THREAD_COUNT);
      }
      int a = sameSize >= 0 && random.nextInt(4) > 0 ? sameSize : random.nextInt(1000);
      int threadIndex = random.nextBoolean() ? sameThread : random.nextInt(THREAD_COUNT);
      Kind kind = kinds[random.nextInt(kinds.length)];
      int b = random.nextInt(1000);
      ops.add(
          new BufferOp(kind == Kind.REPORT && b % 4 > 0 ? Kind.PRETOUCH : kind, threadIndex, a, b));
    }
    return ops;
  }

  private static final int OPS_PER_SELDOM = 1500;
  private static final int OPS_PER_LARGE = 1000;
  private static final int OPS_PER_PHASE = 1 << 14;

  /** Up to that number sizes are at most two kilobytes. */
  private static final int FIRST_LARGE = 600;

  /**
   * Many: buffers that come and go, of at most two kilobytes most of them; all else seldom, since
   * it takes a thousand times as long.
   */
  static List<BufferOp> drawMany(SplittableRandom random, int count) {
    List<BufferOp> ops = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int threadIndex = random.nextInt(THREAD_COUNT);
      boolean isLarge = random.nextInt(OPS_PER_LARGE) == 0;
      int a = isLarge ? random.nextInt(1000) : random.nextInt(FIRST_DRAWN, FIRST_LARGE);
      int b = random.nextInt(1000);
      int firstClose = (i / OPS_PER_PHASE) % 2 == 0 ? 12 : 9; // more come, then more go
      int drawn = random.nextInt(20);
      Kind kind =
          switch (drawn) {
            case 0 -> Kind.WRITE;
            case 1 -> Kind.ALLOCATE_OR_WAIT;
            default -> drawn < firstClose ? Kind.ALLOCATE : Kind.CLOSE;
          };
      if (random.nextInt(OPS_PER_SELDOM) == 0) {
        kind = SELDOM[random.nextInt(SELDOM.length)];
        // Of all buffers a half at most is enough; and no more than 10 MiB at a time.
        b = kind == Kind.CLOSE_MANY ? 1 + b / 2 * 2 : b;
        boolean isPretouch = kind == Kind.REPORT && random.nextInt(4) == 0;
        ops.add(
            new BufferOp(
                isPretouch ? Kind.PRETOUCH : kind, threadIndex, a, isPretouch ? 1 + b % 4 : b));
      } else {
        ops.add(new BufferOp(kind, threadIndex, a, b));
      }
    }
    return ops;
  }

  /** An edge; or anything up to 8 MB, small ones mostly; or a share of the capacity, or more. */
  long sizeBytes(long capacityBytes) {
    if (a < FIRST_DRAWN) {
      return EDGES[a % EDGES.length];
    } else if (a < FIRST_SHARE) {
      double exponent = (a - FIRST_DRAWN) / (double) (FIRST_SHARE - FIRST_DRAWN);
      return (long) Math.exp(exponent * Math.log(8_000_000));
    }
    return capacityBytes / 24 * (a - FIRST_SHARE + 1) + b % 3 - 1;
  }

  /** Mostly none; else any power of two up to 2 MiB. */
  long alignmentBytes() {
    return (a ^ b) % 4 == 0 ? 1L << (a + b) % 22 : 1;
  }

  /** All, or up to 250 MB; by one to three threads, with and without huge pages, either way. */
  Pretouch pretouch() {
    Pretouch wanted = b % 5 == 0 ? Pretouch.all() : Pretouch.upTo(b << 18);
    wanted = wanted.threads(1 + a % 3);
    wanted = a % 4 == 0 ? wanted.withHugePages() : wanted;
    return a % 7 == 0 ? wanted.method(PretouchMethod.TOUCH) : wanted;
  }

  PageAge age() {
    return b % 3 == 0 ? PageAge.LONG_LIVED : PageAge.SHORT_LIVED;
  }

  /** From "KIND threadIndex a b". */
  static BufferOp parse(String line) {
    String[] words = line.strip().split(" ", -1);
    return new BufferOp(
        Kind.valueOf(words[0]),
        Integer.parseInt(words[1]),
        Integer.parseInt(words[2]),
        Integer.parseInt(words[3]));
  }

  String text() {
    return kind + " " + threadIndex + " " + a + " " + b;
  }
}
