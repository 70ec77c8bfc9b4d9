package dev.arenal.page;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.arenal.guard.StackReserve;
import dev.arenal.guard.WatchMode;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.OperatingSystem;
import dev.arenal.page.granule.PageSettings;
import dev.arenal.page.granule.PageSupply;
import dev.arenal.pretouch.Pretouch;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a new {@link PageAllocator}. By default its capacity is the maximum size of the Java
 * heap (as for direct buffers), it keeps free memory for five to fifteen minutes, and it hands out
 * zeroed memory.
 *
 * <p>Not thread-safe. A value that is never possible, such as a negative delay, is refused at once
 * with an {@link IllegalArgumentException}; {@link #build} checks the rest.
 */
public final class PageAllocatorBuilder {
  /** Less cannot hold one small page for each age and one more. */
  private static final long LEAST_CAPACITY_BYTES = 4 * PageSupply.GRANULE_BYTES;

  /** Addresses for four times as much can be had on every machine. */
  private static final long LARGEST_CAPACITY_BYTES = 8L << 40;

  /** A call to the kernel takes milliseconds, or seconds for hundreds of gigabytes. */
  static final long LONGEST_CLOSE_WAIT_NANOS = 5_000_000_000L;

  /** So that the tests of a program need no change of its code. */
  static final String CHECKED_PROPERTY = "arenal.page.checked";

  private final String name;
  private @Nullable OperatingSystem os;
  private @Nullable CommitMode commitMode;
  private @Nullable Budget budget;
  private long capacityBytes;
  private Duration uncommitDelay = Duration.ofMinutes(5);
  private long floorBytes;
  private @Nullable Pretouch pretouch;
  private int slackPercent = 18;
  private Duration maxWait = Duration.ZERO;
  private boolean isZeroed = true;
  private boolean isChecked = Boolean.getBoolean(CHECKED_PROPERTY);
  private boolean sharesFree;
  private boolean hasMagazines = true;
  private boolean isRefillSynchronized = true;
  private long longestCloseWaitNanos = LONGEST_CLOSE_WAIT_NANOS;

  PageAllocatorBuilder(String name) {
    this.name = Objects.requireNonNull(name, "name");
  }

  /**
   * The most that pages may take, in bytes, rounded up to 2 MiB; from 8 MiB to 8 TiB. The default
   * is the maximum size of the Java heap.
   */
  public PageAllocatorBuilder capacityBytes(long sizeBytes) {
    if (sizeBytes <= 0) {
      throw new IllegalArgumentException(
          describe("capacity is not positive: sizeBytes=" + sizeBytes));
    }
    capacityBytes = sizeBytes;
    return this;
  }

  /**
   * The budget for committed memory. It may be shared with other allocators, spaces and reserved
   * memory. Unlimited by default.
   */
  public PageAllocatorBuilder budget(Budget sharedBudget) {
    budget = Objects.requireNonNull(sharedBudget, "sharedBudget");
    return this;
  }

  /** How granules are committed; by default as the overcommit setting of the kernel requires. */
  public PageAllocatorBuilder commitMode(CommitMode mode) {
    commitMode = Objects.requireNonNull(mode, "mode");
    return this;
  }

  /**
   * How long memory must have been free before it goes back to the operating system; five minutes
   * by default, as in ZGC. It goes back a little at a time, mostly within three delays after it
   * became free. Zero means as soon as possible.
   */
  public PageAllocatorBuilder uncommitDelay(Duration delay) {
    if (Objects.requireNonNull(delay, "delay").isNegative()) {
      throw new IllegalArgumentException(describe("uncommit delay is negative: delay=" + delay));
    }
    uncommitDelay = Duration.ofNanos(nanosOf(delay));
    return this;
  }

  /**
   * The committed bytes below which no memory goes back by itself; 0 by default. An exception is a
   * page of which a part has already gone back: the whole page goes back once it is empty.
   */
  public PageAllocatorBuilder floorBytes(long sizeBytes) {
    if (sizeBytes < 0) {
      throw new IllegalArgumentException(describe("floor is negative: sizeBytes=" + sizeBytes));
    }
    floorBytes = sizeBytes;
    return this;
  }

  /**
   * Memory that {@link #build} commits and makes resident; nothing by default. If the memory is not
   * available, the build fails. Pretouched memory counts as floor until {@link PageAllocator#trim}.
   *
   * @see PageAllocator#pretouch
   */
  public PageAllocatorBuilder pretouch(Pretouch settings) {
    pretouch = Objects.requireNonNull(settings, "settings");
    return this;
  }

  /**
   * The slack: the memory that may be committed beyond the used bytes while the allocator grows, in
   * percent of the used bytes. The default is 18; 8 MiB are always allowed. A thread that commits
   * more gives up to four times as much back elsewhere: from the cache, and from holes of 16 OS
   * pages or more; if another quarter is free, from holes of four or more. A lower value costs page
   * faults, a higher one costs memory. While the allocator does not grow, memory stays until the
   * uncommit delay has passed.
   */
  public PageAllocatorBuilder slackPercent(int percent) {
    if (percent < 0) {
      throw new IllegalArgumentException(describe("slack is negative: percent=" + percent));
    }
    slackPercent = percent;
    return this;
  }

  /**
   * The longest time that {@code allocate} without a duration waits for memory; zero or less, the
   * default, means no wait.
   */
  public PageAllocatorBuilder maxWait(Duration longest) {
    maxWait = Objects.requireNonNull(longest, "longest");
    return this;
  }

  /**
   * Whether memory is zeroed before it is handed out; true by default. False saves the time, but
   * shows the bytes of the last owner, as malloc and Netty do.
   */
  public PageAllocatorBuilder zeroed(boolean isZero) {
    isZeroed = isZero;
    return this;
  }

  /**
   * Whether each buffer has a scope of its own, so that access through its segments throws after
   * the close; for tests, and to find errors. False by default, true with {@code
   * -Darenal.page.checked=true}. A close then costs as much as that of {@code Arena.ofShared()}:
   * some 50 microseconds, and more with many threads.
   */
  public PageAllocatorBuilder checked(boolean check) {
    isChecked = check;
    return this;
  }

  /**
   * Whether free committed memory may move between this allocator and others of its budget that
   * share as well, instead of going back to the operating system and being committed again; false
   * by default. The kernel moves it, in some microseconds for 2 MiB. Memory below the floor stays.
   * Memory from another allocator is zeroed if this allocator hands out zeroed memory. Otherwise
   * its old bytes are visible, so share only among allocators that may see each other's data.
   */
  public PageAllocatorBuilder shareFree(boolean share) {
    sharesFree = share;
    return this;
  }

  /** Without, each buffer goes straight to its heap: for tests of heaps. */
  PageAllocatorBuilder magazines(boolean keep) {
    hasMagazines = keep;
    return this;
  }

  /**
   * Prepares the experiment of the lab with medium pages, which is about heaps: without magazines,
   * and false has each thread bring a page when the current one is full. The lab calls it by
   * reflection.
   */
  PageAllocatorBuilder refillExperiment(boolean isSynchronized) {
    hasMagazines = false;
    isRefillSynchronized = isSynchronized;
    return this;
  }

  /** Stands in for the kernel in tests. */
  PageAllocatorBuilder operatingSystem(OperatingSystem simulated) {
    os = simulated;
    return this;
  }

  /** How long the close of a damaged allocator waits for calls that may not end. */
  PageAllocatorBuilder longestCloseWait(Duration wait) {
    longestCloseWaitNanos = wait.toNanos();
    return this;
  }

  /**
   * Reserves address space, pretouches it if that was requested, and opens the allocator.
   *
   * @throws IllegalArgumentException if the capacity is out of range, if the floor is larger than
   *     the capacity, or if the pretouch names a NUMA node that has no processor for this process
   * @throws dev.arenal.OutOfNativeMemoryError if addresses, or memory for the pretouch, are refused
   * @throws OutOfMemoryError if the Java heap is full, or the thread that gives memory back cannot
   *     be started
   * @throws java.util.concurrent.CancellationException if the pretouch is cancelled
   * @throws UnsupportedOperationException on systems other than Linux on x86-64 or aarch64
   * @throws IllegalCallerException if native access is denied to this module
   */
  public PageAllocator build() {
    StackReserve.ensure();
    WatchMode.tellComplaint();
    PageSettings settings = settings(os == null ? OperatingSystem.current() : os);
    PageState state = new PageState(settings, WatchMode.CURRENT, isRefillSynchronized);
    boolean done = false;
    try {
      PageAllocator allocator = new PageAllocator(state);
      state.keepHouse();
      done = true;
      return allocator;
    } finally {
      if (!done) { // the Java heap is full, or there is no thread more
        state.abandon();
      }
    }
  }

  private PageSettings settings(OperatingSystem system) {
    // As for direct buffers.
    long usualBytes =
        Math.clamp(Runtime.getRuntime().maxMemory(), LEAST_CAPACITY_BYTES, LARGEST_CAPACITY_BYTES);
    long wantedBytes = capacityBytes == 0 ? usualBytes : capacityBytes;
    if (wantedBytes < LEAST_CAPACITY_BYTES || wantedBytes > LARGEST_CAPACITY_BYTES) {
      throw new IllegalArgumentException(
          describe("capacity is out of range: capacityBytes=" + wantedBytes)
              + " (expected "
              + LEAST_CAPACITY_BYTES
              + " to "
              + LARGEST_CAPACITY_BYTES
              + ")");
    }
    if (floorBytes > wantedBytes) {
      throw new IllegalArgumentException(
          describe(
              "floor is more than the capacity: sizeBytes="
                  + floorBytes
                  + ", capacityBytes="
                  + wantedBytes));
    }
    CommitMode usualMode = system.overcommits() ? CommitMode.DISCARD : CommitMode.PROTECT;
    return new PageSettings(
        name,
        system.named(name),
        commitMode == null ? usualMode : commitMode,
        budget == null ? Budget.unlimited(name) : budget,
        (wantedBytes + PageSupply.GRANULE_BYTES - 1) & -PageSupply.GRANULE_BYTES,
        uncommitDelay,
        floorBytes,
        pretouch,
        slackPercent,
        nanosOf(maxWait),
        isZeroed,
        isChecked,
        sharesFree,
        hasMagazines ? Racks.count(Runtime.getRuntime().availableProcessors()) : 0,
        Long.MAX_VALUE, // in one piece: only tests want several
        longestCloseWaitNanos);
  }

  /** A duration in nanoseconds, however long it is; 0 where it is negative. */
  static long nanosOf(Duration duration) {
    return Math.max(0, NANOSECONDS.convert(Objects.requireNonNull(duration, "duration")));
  }

  private String describe(String what) {
    return what + ", allocator=" + name;
  }
}
