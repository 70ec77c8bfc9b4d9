package dev.arenal.supply;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.touch.TouchNeed;

/** States the need of a pretouch whose memory counts against a budget. */
public final class BudgetNeed {
  private BudgetNeed() {}

  /**
   * The need, with the figures of the budget as they are now.
   *
   * @param residentBytes to become resident newly
   * @param newBytes to be committed newly
   * @param addressBytes to be reserved for it
   */
  public static TouchNeed of(
      Budget budget, CommitMode mode, long residentBytes, long newBytes, long addressBytes) {
    return new TouchNeed(
        residentBytes,
        mode == CommitMode.PROTECT ? newBytes : 0,
        addressBytes,
        budget.name(),
        newBytes,
        budget.limitBytes(),
        budget.committedBytes());
  }
}
