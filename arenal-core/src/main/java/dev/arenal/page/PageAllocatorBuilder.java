package dev.arenal.page;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.OperatingSystem;
import dev.arenal.stats.StatisticsRecorder;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link PageAllocator} to be. */
public final class PageAllocatorBuilder {
  private String name = "pages";
  private long capacityBytes = Runtime.getRuntime().maxMemory();
  private @Nullable Budget budget;
  private Duration uncommitDelay = Duration.ofMinutes(5);
  private long floorBytes;
  private long pretouchBytes;
  private Duration maxWait = Duration.ZERO;
  private boolean isZeroed = true;
  private boolean isChecked;

  PageAllocatorBuilder() {}

  /** Appears in errors, reports and events. */
  public PageAllocatorBuilder name(String text) {
    name = Objects.requireNonNull(text, "text");
    return this;
  }

  /** Most bytes that pages may take. */
  public PageAllocatorBuilder capacityBytes(long sizeBytes) {
    capacityBytes = sizeBytes;
    return this;
  }

  /** What committed memory counts against. */
  public PageAllocatorBuilder budget(Budget sharedBudget) {
    budget = Objects.requireNonNull(sharedBudget, "sharedBudget");
    return this;
  }

  /** How long memory must have been free before it goes back; 300 seconds by default. */
  public PageAllocatorBuilder uncommitDelay(Duration delay) {
    uncommitDelay = delay;
    return this;
  }

  /** Committed memory never goes below that; 0 by default. */
  public PageAllocatorBuilder floorBytes(long sizeBytes) {
    floorBytes = sizeBytes;
    return this;
  }

  /** Bytes to commit and touch when the allocator is built; 0 by default. */
  public PageAllocatorBuilder pretouchBytes(long sizeBytes) {
    pretouchBytes = sizeBytes;
    return this;
  }

  /** How long {@code allocate} waits where the capacity is full; not at all by default. */
  public PageAllocatorBuilder maxWait(Duration longest) {
    maxWait = longest;
    return this;
  }

  /** Whether memory handed out is zero; true by default. */
  public PageAllocatorBuilder zeroed(boolean isZero) {
    isZeroed = isZero;
    return this;
  }

  /** Whether each buffer has a scope of its own. */
  public PageAllocatorBuilder checked(boolean check) {
    isChecked = check;
    return this;
  }

  /** Reserves address space and opens the allocator. */
  public PageAllocator build() {
    OperatingSystem os = OperatingSystem.current();
    PageSettings settings =
        new PageSettings(
            name,
            os,
            os.overcommits() ? CommitMode.DISCARD : CommitMode.PROTECT,
            budget == null ? Budget.unlimited(name) : budget,
            capacityBytes,
            uncommitDelay,
            floorBytes,
            pretouchBytes,
            maxWait,
            isZeroed,
            isChecked,
            Boolean.parseBoolean(System.getProperty("arenal.page.synchronizedRefill", "true")),
            Long.MAX_VALUE);
    return new PageAllocator(
        new PageState(settings, StatisticsRecorder.open("PageAllocator", name)));
  }
}
