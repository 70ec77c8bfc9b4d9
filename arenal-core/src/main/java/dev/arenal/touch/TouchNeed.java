package dev.arenal.touch;

import dev.arenal.os.MemoryFigures;
import org.jspecify.annotations.Nullable;

/**
 * The memory that a pretouch needs, and the budget that it counts against.
 *
 * @param residentBytes what is to become resident newly
 * @param promiseBytes what counts against the kernel's commit limit newly
 * @param addressBytes addresses that are to be reserved for it
 * @param budgetName null: there is none
 * @param budgetBytes what is to be committed newly against the budget
 * @param budgetLimitBytes {@link Long#MAX_VALUE}: unlimited
 * @param budgetCommittedBytes committed against it before
 */
public record TouchNeed(
    long residentBytes,
    long promiseBytes,
    long addressBytes,
    @Nullable String budgetName,
    long budgetBytes,
    long budgetLimitBytes,
    long budgetCommittedBytes) {
  /** The need of memory alone, against no budget. */
  public static TouchNeed ofResident(long residentBytes) {
    return new TouchNeed(residentBytes, 0, 0, null, 0, MemoryFigures.UNKNOWN, 0);
  }
}
