package dev.arenal.page.granule;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import java.time.Duration;
import java.util.SplittableRandom;

/** The settings of a supply for a program of page operations; drawn, or chosen. */
record SupplyConfig(
    CommitMode mode,
    long capacityMib,
    long budgetMib,
    long delayMillis,
    long floorMib,
    long pretouchMib,
    long pieceMib) {

  static SupplyConfig draw(SplittableRandom random) {
    long capacityMib = 2L * (1 + random.nextInt(40));
    long budgetMib =
        random.nextInt(3) == 0 ? 1 + random.nextLong(capacityMib) : Long.MAX_VALUE >> 20;
    long mostPretouchMib = Math.min(8, Math.min(capacityMib, budgetMib) & -2);
    return new SupplyConfig(
        random.nextBoolean() ? CommitMode.DISCARD : CommitMode.PROTECT,
        capacityMib,
        budgetMib,
        random.nextInt(3) == 0 ? 0 : 1000,
        random.nextInt(2) == 0 ? 0 : random.nextLong(capacityMib),
        random.nextInt(3) == 0 ? random.nextLong(mostPretouchMib + 1) : 0,
        random.nextInt(3) == 0 ? 2L * (1 + random.nextInt(20)) : Long.MAX_VALUE >> 20);
  }

  void apply(Supplies supplies) {
    supplies.mode = mode;
    supplies.capacityBytes = capacityMib << 20;
    supplies.budget = Budget.limitedTo("b", budgetMib << 20);
    supplies.uncommitDelay = Duration.ofMillis(delayMillis);
    supplies.floorBytes = floorMib << 20;
    supplies.pretouchBytes = pretouchMib << 20;
    supplies.largestReservationBytes = pieceMib << 20;
  }
}
