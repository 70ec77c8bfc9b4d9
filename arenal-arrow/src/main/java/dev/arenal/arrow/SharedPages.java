package dev.arenal.arrow;

import dev.arenal.memory.AvailableMemory;
import dev.arenal.memory.Budget;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageAllocatorBuilder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The page allocator of the whole program, built at the first buffer. */
final class SharedPages {
  /** The name in the error of a page allocator that cannot be closed. */
  static final String USER = "Arrow";

  private static final String NAME = "arrow";
  private static final long LEAST_CAPACITY_BYTES = 128L << 20;

  /** The limits of a page allocator. */
  private static final long LARGEST_CAPACITY_BYTES = 8L << 40;

  /** Null before the first buffer: building it may fail there, and succeed at the next one. */
  private static volatile @Nullable PageAllocator shared;

  /** Those that have been replaced; they stay, since buffers may be open. */
  private static final List<PageAllocator> DAMAGED = new ArrayList<>();

  private SharedPages() {}

  static PageAllocator get() {
    PageAllocator known = shared;
    return known == null || isOver(known) ? open() : known;
  }

  private static boolean isOver(PageAllocator pages) {
    return pages.isDamaged() || pages.isClosed();
  }

  private static PageAllocator open() {
    PageAllocator known;
    PageAllocator next;
    List<String> complaints = new ArrayList<>();
    synchronized (SharedPages.class) {
      known = shared;
      if (known != null && !isOver(known)) {
        return known;
      }
      SharedSettings settings =
          SharedSettings.parse(
              System.getProperty(SharedSettings.LIMIT_PROPERTY),
              System.getProperty(SharedSettings.DELAY_PROPERTY));
      next = build(settings, known == null ? null : known.budget());
      next.addUser(USER);
      if (known == null) {
        complaints.addAll(settings.complaints());
      } else {
        if (!known.isClosed()) {
          DAMAGED.add(known);
        }
        complaints.add("allocator was damaged or closed, and has been replaced: allocator=" + NAME);
      }
      shared = next;
    }
    complaints.forEach(SharedPages::warn);
    return next;
  }

  /** Loggers are the program's code, which may want a buffer, and fail. */
  private static void warn(String complaint) {
    try {
      System.getLogger("dev.arenal").log(System.Logger.Level.WARNING, complaint);
    } catch (Throwable e) {
      return;
    }
  }

  /** The budget is the limit; the capacity also counts holes, and has room for them. */
  private static PageAllocator build(SharedSettings settings, @Nullable Budget budget) {
    long limitBytes = settings.limitBytes();
    long mostBytes = limitBytes > 0 ? limitBytes : AvailableMemory.now().machineBytes();
    PageAllocatorBuilder builder =
        PageAllocator.builder(NAME)
            .capacityBytes(capacityBytes(mostBytes))
            .uncommitDelay(settings.uncommitDelay())
            .zeroed(false);
    if (budget != null) {
      builder = builder.budget(budget);
    } else if (limitBytes > 0) {
      builder = builder.budget(Budget.limitedTo(NAME, limitBytes));
    }
    return builder.build();
  }

  /** Twice as much as may be used. */
  static long capacityBytes(long mostBytes) {
    return Math.max(LEAST_CAPACITY_BYTES, 2 * Math.min(mostBytes, LARGEST_CAPACITY_BYTES / 2));
  }
}
