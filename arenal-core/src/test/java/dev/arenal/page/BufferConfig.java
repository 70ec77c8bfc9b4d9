package dev.arenal.page;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import java.time.Duration;
import java.util.SplittableRandom;

/** The settings of an allocator for a program of buffers; drawn, or chosen. */
record BufferConfig(
    CommitMode mode,
    long capacityMib,
    long budgetMib,
    long delaySeconds,
    long floorMib,
    long pretouchMib,
    long pieceMib,
    int slackPercent,
    boolean isZeroed,
    boolean isChecked,
    boolean isRefillSynchronized,
    boolean hasMagazines) {
  static final long UNLIMITED = Long.MAX_VALUE >> 20;

  /** Medium pages, no other limits. */
  static BufferConfig usual(CommitMode mode) {
    return new BufferConfig(
        mode, 256, UNLIMITED, 2, 0, 0, UNLIMITED, 1000, true, false, true, true);
  }

  static BufferConfig draw(SplittableRandom random) {
    int granuleCount = random.nextBoolean() ? 4 + random.nextInt(20) : 64 + random.nextInt(64);
    long capacityMib = 2L * granuleCount;
    long budgetMib = random.nextInt(3) == 0 ? 4 + random.nextLong(capacityMib) : UNLIMITED;
    long[] delaysSeconds = {0, 2, 1000};
    int[] slackPercents = {0, 15, 1000};
    return new BufferConfig(
        random.nextBoolean() ? CommitMode.DISCARD : CommitMode.PROTECT,
        capacityMib,
        budgetMib,
        delaysSeconds[random.nextInt(3)],
        random.nextInt(3) == 0 ? random.nextLong(capacityMib) : 0,
        random.nextInt(4) == 0 ? random.nextLong(4) : 0,
        random.nextInt(4) == 0 ? 2L * (8 + random.nextInt(20)) : UNLIMITED,
        slackPercents[random.nextInt(3)],
        random.nextInt(4) > 0,
        random.nextInt(8) == 0,
        random.nextInt(4) > 0,
        random.nextInt(3) > 0);
  }

  void apply(Allocators allocators) {
    allocators.mode = mode;
    allocators.capacityBytes = capacityMib << 20;
    allocators.budget = Budget.limitedTo("b", budgetMib << 20);
    allocators.uncommitDelay = Duration.ofSeconds(delaySeconds);
    allocators.floorBytes = floorMib << 20;
    allocators.pretouchBytes = pretouchMib << 20;
    allocators.largestReservationBytes = pieceMib << 20;
    allocators.slackPercent = slackPercent;
    allocators.isZeroed = isZeroed;
    allocators.isChecked = isChecked;
    allocators.isRefillSynchronized = isRefillSynchronized;
    allocators.hasMagazines = hasMagazines;
  }

  /** From the words that {@link #text} writes. */
  static BufferConfig parse(String[] words) {
    return new BufferConfig(
        CommitMode.valueOf(words[0]),
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]),
        Long.parseLong(words[4]),
        Long.parseLong(words[5]),
        Long.parseLong(words[6]),
        Integer.parseInt(words[7]),
        Boolean.parseBoolean(words[8]),
        Boolean.parseBoolean(words[9]),
        Boolean.parseBoolean(words[10]),
        Boolean.parseBoolean(words[11]));
  }

  String text() {
    return mode
        + " "
        + capacityMib
        + " "
        + budgetMib
        + " "
        + delaySeconds
        + " "
        + floorMib
        + " "
        + pretouchMib
        + " "
        + pieceMib
        + " "
        + slackPercent
        + " "
        + isZeroed
        + " "
        + isChecked
        + " "
        + isRefillSynchronized
        + " "
        + hasMagazines;
  }
}
