package dev.arenal.elastic;

import dev.arenal.memory.CommitMode;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Draws programs: each has a character of its own, so that rare corners are common in some. */
final class ProgramGenerator {
  private static final long[] GRANULES = {4096, 4096, 16 << 10, 64 << 10, 2 << 20};

  private static final List<ReclaimPolicy> POLICIES = List.of(ReclaimPolicy.values());

  private final SplittableRandom random;
  private final int arenaCount;
  private final int largestLog;
  private final int largestAlignmentLog;
  private final int percentAllocate;
  private final int percentFree;

  private ProgramGenerator(SplittableRandom random) {
    this.random = random;
    this.arenaCount = 1 << random.nextInt(8);
    this.largestLog = random.nextInt(16) == 0 ? 12 + random.nextInt(14) : 4 + random.nextInt(8);
    this.largestAlignmentLog = random.nextInt(8) == 0 ? 27 : 6;
    this.percentAllocate = 50 + random.nextInt(40);
    this.percentFree = random.nextInt(2) * random.nextInt(45);
  }

  static Program draw(long seed, int operationCount, CommitMode mode, boolean fixed) {
    SplittableRandom random = new SplittableRandom(seed);
    ProgramConfig config = config(random, mode, fixed);
    ProgramGenerator generator = new ProgramGenerator(random);
    List<Op> ops = new ArrayList<>(operationCount);
    while (ops.size() < operationCount) {
      ops.add(generator.next(ops.size()));
    }
    return new Program(config, ops);
  }

  private static ProgramConfig config(SplittableRandom random, CommitMode mode, boolean fixed) {
    long granuleBytes = GRANULES[random.nextInt(GRANULES.length)];
    long budgetBytes = random.nextInt(3) == 0 ? 1L << (15 + random.nextInt(11)) : -1;
    long reserveBytes = random.nextInt(3) == 0 ? random.nextInt(4 << 20) : -1;
    return new ProgramConfig(
        granuleBytes,
        mode,
        fixed ? (1L << (14 + random.nextInt(13))) + random.nextInt(1 << 14) : 0,
        POLICIES.get(random.nextInt(POLICIES.size())),
        reserveBytes,
        budgetBytes,
        1 + random.nextInt(2));
  }

  private Op next(int index) {
    int target = random.nextInt(1 << 16);
    int percent = random.nextInt(100);
    if (index == 0) {
      return new Op(Op.Kind.OPEN, target, random.nextInt(16), 0);
    }
    if (percent < percentAllocate) {
      return new Op(Op.Kind.ALLOCATE, target, sizeBytes(), alignmentBytes());
    }
    if (percent < percentAllocate + percentFree) {
      return new Op(Op.Kind.FREE, target, random.nextInt(1 << 16), 0);
    }
    return rare(target);
  }

  private Op rare(int target) {
    int other = random.nextInt(1 << 16);
    int rarity = random.nextInt(48);
    if (rarity < 8) {
      Op.Kind[] kinds = {
        Op.Kind.FREE_TWICE,
        Op.Kind.FREE_PARTS,
        Op.Kind.FREE_FOREIGN,
        Op.Kind.FREE_WRONG,
        Op.Kind.REFERENCE,
        Op.Kind.REFERENCE,
        Op.Kind.ALLOCATE_BAD,
        Op.Kind.TRIM,
      };
      return new Op(kinds[rarity], target, other, random.nextInt(8));
    }
    if (rarity == 9 && random.nextInt(4) == 0) {
      long sizeBytes = random.nextLong(1L << (12 + random.nextInt(12)));
      // Seldom with huge pages: to count them the kernel looks at all mappings of the process.
      long how = random.nextInt(16) == 0 ? 1 : 2 * random.nextInt(2);
      return new Op(Op.Kind.PRETOUCH, target, sizeBytes, how);
    }
    if (rarity == 8 && random.nextInt(8) == 0) {
      return new Op(Op.Kind.VERIFY, target, 0, 0);
    }
    if (rarity == 10 || rarity == 11) {
      return new Op(Op.Kind.RESET, target, 0, 0);
    }
    // As many as the character wants stay open on the average.
    boolean open = random.nextInt(arenaCount + 8) < arenaCount;
    return open
        ? new Op(Op.Kind.OPEN, target, random.nextInt(16), arenaCount)
        : new Op(Op.Kind.CLOSE, target, 0, 0);
  }

  private long sizeBytes() {
    int log = random.nextInt(largestLog + 1);
    return random.nextInt(500) == 0 ? 0 : random.nextLong(1L << log) + random.nextInt(2);
  }

  private long alignmentBytes() {
    return random.nextInt(16) == 0 ? 1L << random.nextInt(largestAlignmentLog) : 8;
  }
}
