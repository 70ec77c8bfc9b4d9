package dev.arenal.page;

import dev.arenal.stats.Counter;
import dev.arenal.stats.Sampler;
import dev.arenal.stats.StatisticsRecorder;
import dev.arenal.stats.StatisticsUnit;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What is behind a {@link PageAllocator}: its heaps by age, its pages, and who waits for them. */
final class PageState {
  private final PageSettings settings;
  private final PageContext context;
  private final EnumMap<PageAge, AgeHeaps> ages = new EnumMap<>(PageAge.class);
  private final List<LockedHeap> heaps = new ArrayList<>();
  private final StatisticsRecorder statistics;
  private final Counter outOfMemory;
  private final Counter stalls;
  private final Sampler stallNanos;
  private volatile boolean isClosed;

  /** When the current cycle of the heaps began; only the housekeeper looks at it. */
  private long cycleStartNanos;

  PageState(PageSettings settings, StatisticsRecorder statistics) {
    this.settings = settings;
    this.statistics = statistics;
    PageSupply supply = new PageSupply(settings, statistics);
    context =
        new PageContext(
            settings.name(),
            settings.isZeroed(),
            settings.isChecked(),
            settings.isRefillSynchronized(),
            settings.os().pageSizeBytes(),
            supply,
            new StallQueue(),
            Arena.ofShared());
    int countStripes = countStripes(settings.capacityBytes());
    for (PageAge age : PageAge.values()) {
      int firstOwner = ages.size() * (countStripes + 2);
      AgeHeaps own = new AgeHeaps(context, settings.capacityBytes(), firstOwner, countStripes);
      ages.put(age, own);
      heaps.addAll(own.heaps());
    }
    outOfMemory =
        statistics.counter("Memory", "Out Of Memory", StatisticsUnit.OPERATIONS_PER_SECOND);
    stalls =
        statistics.counter("Critical", "Allocation Stall", StatisticsUnit.OPERATIONS_PER_SECOND);
    stallNanos = statistics.sampler("Critical", "Allocation Stall", StatisticsUnit.NANOSECONDS);
    statistics.counter(
        "Memory", "Allocation Rate", StatisticsUnit.BYTES_PER_SECOND, this::allocatedBytes);
    cycleStartNanos = System.nanoTime();
  }

  /**
   * As many as there are processors, in powers of two; fewer where the pages of all of them would
   * be more than a twentieth of the capacity, after ZGC's rule for small pages.
   */
  private static int countStripes(long capacityBytes) {
    long most = Math.max(1, capacityBytes / 20 / PageSupply.GRANULE_BYTES);
    long wanted = Math.min(Runtime.getRuntime().availableProcessors(), most);
    return (int) Long.highestOneBit(wanted);
  }

  PageSettings settings() {
    return settings;
  }

  PageContext context() {
    return context;
  }

  StatisticsRecorder statistics() {
    return statistics;
  }

  PageBuffer allocate(long sizeBytes, PageAge age, long maxWaitNanos) {
    PageBuffer buffer = tryAllocate(sizeBytes, age);
    if (buffer == null && sizeBytes <= settings.capacityBytes() && maxWaitNanos > 0) {
      buffer = allocateWaiting(sizeBytes, age, maxWaitNanos);
    }
    if (buffer == null) {
      outOfMemory.add(1);
      throw new OutOfMemoryError(describeFull(sizeBytes, age, maxWaitNanos));
    }
    return buffer;
  }

  private @Nullable PageBuffer allocateWaiting(long sizeBytes, PageAge age, long maxWaitNanos) {
    long start = System.nanoTime();
    try {
      return context.stalls().await(() -> tryAllocate(sizeBytes, age), maxWaitNanos);
    } finally {
      stalls.add(1);
      stallNanos.sample(System.nanoTime() - start);
    }
  }

  /** A buffer, or null where there is no room now. */
  @Nullable PageBuffer tryAllocate(long sizeBytes, PageAge age) {
    requireOpen();
    boolean mayGrow = context.stalls().mayGrow();
    PageBuffer buffer = heapsOf(age).allocate(sizeBytes, mayGrow);
    if (buffer == null) {
      buffer = allocateAtLast(sizeBytes, age, mayGrow);
      if (buffer == null) {
        return null;
      }
    }
    buffer.prepare(settings.isChecked());
    return buffer;
  }

  /** What is kept for later is given up, and ages are mixed, before a request fails. */
  private @Nullable PageBuffer allocateAtLast(long sizeBytes, PageAge age, boolean mayGrow) {
    if (sizeBytes > settings.capacityBytes()) {
      return null;
    }
    for (LockedHeap heap : heaps) {
      heap.giveUpSpares();
    }
    PageBuffer buffer = heapsOf(age).allocate(sizeBytes, mayGrow);
    for (AgeHeaps other : ages.values()) {
      buffer = buffer != null ? buffer : other.allocate(sizeBytes, false);
    }
    return buffer;
  }

  private AgeHeaps heapsOf(PageAge age) {
    return Objects.requireNonNull(ages.get(Objects.requireNonNull(age, "age")));
  }

  private String describeFull(long sizeBytes, PageAge age, long maxWaitNanos) {
    PageSupply supply = context.supply();
    return "no room: allocator="
        + settings.name()
        + ", requestedBytes="
        + sizeBytes
        + ", age="
        + age
        + ", usedBytes="
        + usedBytes()
        + ", pageBytes="
        + supply.usedBytes()
        + ", capacityBytes="
        + settings.capacityBytes()
        + ", committedBytes="
        + supply.committedBytes()
        + ", budget="
        + settings.budget()
        + ", waitedMillis="
        + maxWaitNanos / 1_000_000
        + " (close buffers, or raise the capacity or the budget)";
  }

  long trim() {
    long sizeBytes = 0;
    for (LockedHeap heap : heaps) {
      sizeBytes += heap.trim(true);
    }
    return sizeBytes + context.supply().trim();
  }

  /** Regular work, by the housekeeper only. */
  void tick(long nowNanos) {
    long delayNanos = settings.uncommitDelay().toNanos();
    if (nowNanos - cycleStartNanos >= delayNanos) {
      cycleStartNanos = nowNanos;
      for (LockedHeap heap : heaps) {
        var _ = heap.trim(false);
      }
    }
    context.supply().tick(nowNanos);
  }

  long usedBytes() {
    long sizeBytes = 0;
    for (LockedHeap heap : heaps) {
      sizeBytes += heap.usedBytesOpaque();
    }
    return sizeBytes;
  }

  private long allocatedBytes() {
    long sizeBytes = 0;
    for (LockedHeap heap : heaps) {
      sizeBytes += heap.allocatedBytesOpaque();
    }
    return sizeBytes;
  }

  boolean isClosed() {
    return isClosed;
  }

  private void requireOpen() {
    if (isClosed) {
      throw new IllegalStateException("allocator is closed: allocator=" + settings.name());
    }
  }

  void verify() {
    for (LockedHeap heap : heaps) {
      heap.lock.lock();
      try {
        heap.drain();
        heap.verify();
      } finally {
        heap.unlock();
      }
    }
    context.supply().verify();
  }

  void close() {
    isClosed = true;
    context.scope().close();
    statistics.close();
    context.supply().close();
  }
}
