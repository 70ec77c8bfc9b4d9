package dev.arenal.page;

import dev.arenal.guard.FirstUse;
import dev.arenal.guard.StackReserve;
import dev.arenal.os.OperatingSystem;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchReport;
import dev.arenal.stats.StatisticsTable;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Native memory for buffers that any thread frees.
 *
 * <p>Buffers lie in pages: up to 256 KiB in small pages of 2 MiB, which a few threads share; up to
 * an eighth of a medium page (of 4 to 32 MiB, by the capacity) in medium pages, one of which is
 * current for all threads; larger ones in a page of their own, in steps of 2 MiB. Nothing is moved,
 * so holes are used again where they are. A page without buffers goes to a cache, of which pages of
 * any size are made; what has been free for the uncommit delay, in the cache or as a hole in a page
 * that survivors pin, goes back to the operating system.
 *
 * <pre>{@code
 * PageAllocator pages = PageAllocator.builder("network").capacityBytes(1L << 30).build();
 * PageBuffer buffer = pages.allocate(64 << 10);
 * channel.read(buffer.segment().asByteBuffer());
 * executor.execute(() -> {
 *   handle(buffer.segment());
 *   buffer.close(); // by the last thread that has it
 * });
 * }</pre>
 *
 * <p><b>Threading:</b> all methods may be called by any thread, virtual ones too. <b>Cost:</b> most
 * buffers up to 1 MiB are at hand, and cost one compare-and-set and a handle on the Java heap;
 * freeing them costs two. Others cost a lock and a search among the holes of some pages; those of a
 * page of their own, mostly calls to the kernel. See {@code ./arenal buffers} and {@code
 * docs/benchmarks/churn}.
 *
 * <p>After the page allocator of ZGC, with its later mends: JDK-8339387 (synchronized refill of
 * medium pages), JDK-8350441 (a cache of ranges), JDK-8356716 (uncommit by low watermark),
 * JDK-8386128 (a reference count for shared pages).
 */
public final class PageAllocator implements AutoCloseable {
  private final PageState state;
  private final AllocatorLeak leak;

  PageAllocator(PageState state) {
    this.state = state;
    this.leak = AllocatorLeak.watch(this, state);
  }

  /** Begins to build an allocator; the name appears in errors, reports and events. */
  public static PageAllocatorBuilder builder(String name) {
    OperatingSystem.prepare();
    FirstUse.ofAllocators();
    return new PageAllocatorBuilder(name);
  }

  /** The name it was built with. */
  public String name() {
    return state.settings().name();
  }

  /** The most that its pages may take, in bytes. */
  public long capacityBytes() {
    return state.settings().capacityBytes();
  }

  /**
   * Takes a buffer that is gone soon. Most buffers are, and where no request names an age, all of
   * them share the same pages.
   *
   * @see #allocate(long, PageAge) the same with PageAge.SHORT_LIVED
   */
  public PageBuffer allocate(long sizeBytes) {
    return allocate(sizeBytes, PageAge.SHORT_LIVED);
  }

  /**
   * Takes a buffer, and waits for memory as long as the builder's {@link
   * PageAllocatorBuilder#maxWait maxWait} says.
   *
   * @param sizeBytes 0 or more
   * @param age how long it will probably live
   * @return a buffer of that size, zero in all its bytes unless the allocator was built otherwise
   * @throws dev.arenal.OutOfNativeMemoryError if capacity, budget or operating system do not give
   *     the memory in time; nothing has changed then
   * @throws IllegalArgumentException if the size is negative
   * @throws IllegalStateException if the allocator is closed
   */
  public PageBuffer allocate(long sizeBytes, PageAge age) {
    try {
      return state.allocate(sizeBytes, 1, age, state.settings().maxWaitNanos());
    } finally {
      // Pairs with AllocatorLeak: this may be the last use of a handle that the program drops.
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Takes an aligned buffer that is gone soon.
   *
   * @see #allocate(long, long, PageAge) the same with PageAge.SHORT_LIVED
   */
  public PageBuffer allocate(long sizeBytes, long alignmentBytes) {
    return allocate(sizeBytes, alignmentBytes, PageAge.SHORT_LIVED);
  }

  /**
   * Takes a buffer whose address is a multiple of a given number: of 512 or 4,096 for direct input
   * and output ({@code O_DIRECT}), of 2 MiB for huge pages.
   *
   * <p><b>Cost:</b> up to 8 KiB the size counts in whole multiples of the alignment. Alignments
   * above 8 KiB and up to 256 KiB leave gaps, most of which other buffers use. For those above, a
   * buffer has pages of its own, in steps of 2 MiB.
   *
   * @param alignmentBytes a power of two, from 1 to 2 MiB
   * @throws IllegalArgumentException if the size is negative, or the alignment none of those
   * @see #allocate(long, PageAge)
   */
  public PageBuffer allocate(long sizeBytes, long alignmentBytes, PageAge age) {
    try {
      return state.allocate(sizeBytes, alignmentBytes, age, state.settings().maxWaitNanos());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Takes a buffer that is gone soon, and waits for memory at most that long.
   *
   * @param maxWait zero or less: not at all
   * @see #allocate(long, PageAge, Duration) the same with PageAge.SHORT_LIVED
   */
  public PageBuffer allocate(long sizeBytes, Duration maxWait) {
    return allocate(sizeBytes, PageAge.SHORT_LIVED, maxWait);
  }

  /**
   * Takes a buffer, and waits for memory at most that long: first come, first served. While a
   * request waits, others get what fits into pages that are there, but no other page. An interrupt
   * ends the wait; the thread stays interrupted.
   *
   * @param maxWait zero or less: not at all
   * @see #allocate(long, PageAge)
   */
  public PageBuffer allocate(long sizeBytes, PageAge age, Duration maxWait) {
    try {
      return state.allocate(sizeBytes, 1, age, PageAllocatorBuilder.nanosOf(maxWait));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Takes a buffer that is gone soon, if there is room for it now. Never waits for memory.
   *
   * @return null where there is none
   * @see #tryAllocate(long, PageAge) the same with PageAge.SHORT_LIVED
   */
  public @Nullable PageBuffer tryAllocate(long sizeBytes) {
    return tryAllocate(sizeBytes, PageAge.SHORT_LIVED);
  }

  /**
   * The same, aligned.
   *
   * @param alignmentBytes a power of two, from 1 to 2 MiB
   * @return null where there is no room
   * @see #tryAllocate(long, long, PageAge) the same with PageAge.SHORT_LIVED
   */
  public @Nullable PageBuffer tryAllocate(long sizeBytes, long alignmentBytes) {
    return tryAllocate(sizeBytes, alignmentBytes, PageAge.SHORT_LIVED);
  }

  /**
   * Takes a buffer if there is room for it now. Never waits for memory.
   *
   * @return null where there is none
   * @see #allocate(long, PageAge)
   */
  public @Nullable PageBuffer tryAllocate(long sizeBytes, PageAge age) {
    try {
      return state.tryAllocate(sizeBytes, 1, age);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * The same, aligned.
   *
   * @param alignmentBytes a power of two, from 1 to 2 MiB
   * @return null where there is no room
   * @see #allocate(long, long, PageAge)
   */
  public @Nullable PageBuffer tryAllocate(long sizeBytes, long alignmentBytes, PageAge age) {
    try {
      return state.tryAllocate(sizeBytes, alignmentBytes, age);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * The size that a buffer is rounded up to: one of so many bytes takes no more memory. For those
   * that let a buffer grow where it is: they ask for all of it at once.
   *
   * @param sizeBytes 0 or more
   * @return at least as much; just that where it is more than the capacity
   * @throws IllegalArgumentException if the size is negative
   */
  public long roundUp(long sizeBytes) {
    return state.takenBytes(sizeBytes);
  }

  /**
   * Names a user that takes buffers for others, such as an adapter. A {@link #close} that finds
   * open buffers names the users that may hold them.
   *
   * @param name the same for all of a kind; it stays until the allocator goes
   */
  public void addUser(String name) {
    state.users.add(Objects.requireNonNull(name, "name"));
  }

  /**
   * Makes memory resident before it is needed: until as much is committed as is wanted (at most the
   * capacity), and what is free of it is in physical memory. Pages in use are left alone.
   *
   * <p>Other threads may allocate and free meanwhile. They may have to wait for some milliseconds,
   * where they need just what is being touched. Nothing of what was pretouched goes back by itself:
   * it counts as {@linkplain PageAllocatorBuilder#floorBytes floor}, until {@link #trim}. What
   * shares the budget may still have it.
   *
   * @return what it has found and done
   * @throws dev.arenal.OutOfNativeMemoryError if machine, container or budget do not have that
   *     much, with all figures. Nothing has changed then; or, where it is noticed on the way, what
   *     was committed has gone back, except what has been taken meanwhile
   * @throws java.util.concurrent.CancellationException if it was cancelled; the same holds
   * @throws IllegalStateException if the allocator is closed, or another pretouch is running
   */
  public PretouchReport pretouch(Pretouch wanted) {
    try {
      return state.pretouch(wanted);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** The outcome of the last pretouch, also that of the builder; null if there was none. */
  public @Nullable PretouchReport lastPretouch() {
    return state.lastPretouch();
  }

  /**
   * Gives all free memory back to the operating system now, whatever delay and floor say: the
   * cache, and what is free in pages in use. Memory that was pretouched is no floor any more.
   *
   * @return bytes that went
   */
  public long trim() {
    return state.trim();
  }

  /** Bytes of open buffers, as they were asked for; a recent value. */
  public long usedBytes() {
    return state.usedBytes();
  }

  /** Bytes that count against the budget and may be resident; a recent value. */
  public long committedBytes() {
    return state.committedBytes();
  }

  /**
   * Bytes of committed memory that are in physical memory, as the kernel says when it is asked.
   *
   * <p>A page is resident from its first touch until it goes back, and not while it is swapped out;
   * one that was only read counts, although all such pages are one. While other threads allocate
   * and free, the sum is not that of one moment. <b>Cost:</b> the kernel looks at each page that is
   * committed: a quarter of a millisecond for a GiB, and a microsecond for each range that is
   * committed apart from others. No lock is held meanwhile.
   *
   * @return -1 if the kernel does not say; 0 once the allocator is closed
   */
  public long residentBytes() {
    StackReserve.ensure();
    try {
      return state.supply().residentBytes();
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * The open buffers that are watched, and those that were lost without a close, by size, age and
   * place of birth; what has most bytes first.
   *
   * <p>One buffer in 128 is watched, and each that is larger than 1 MiB; fewer while more than a
   * thousand would be in a second. With {@code -Darenal.leaks=all} each is, with {@code off} none.
   * One that is collected as garbage before it is closed is warned of in the log, once for each
   * place, and in the flight recorder ({@code dev.arenal.Leak}). It is never freed: its address may
   * be held somewhere. <b>Cost:</b> time in the number of buffers that are watched and open.
   */
  public List<OpenBuffers> openBuffers() {
    StackReserve.ensure();
    return state.births.groups();
  }

  /**
   * For tests: fails if a buffer is open, or was lost.
   *
   * @throws AssertionError if there are such buffers, with those of them that are watched
   */
  public void assertNoOpenBuffers() {
    long usedBytes = state.exactUsedBytes();
    List<OpenBuffers> open = openBuffers();
    if (usedBytes != 0 || !open.isEmpty()) {
      throw new AssertionError(
          "buffers are open: allocator="
              + name()
              + ", usedBytes="
              + usedBytes
              + ", openBuffers="
              + open
              + " (expected none; close them; -Darenal.leaks=all names each)");
    }
  }

  /** Bytes used, free, wasted and cached; takes each lock for a moment. */
  public PageReport report() {
    return state.report();
  }

  /**
   * Its activity each second, in the last ten seconds, minutes and hours and in total, in the
   * layout of ZGC's statistics; also there by JFR and as an MXBean.
   */
  public StatisticsTable statistics() {
    StackReserve.ensure();
    return state.statistics().snapshot();
  }

  PageState state() {
    return state;
  }

  /**
   * Gives all memory and addresses back. No effect if it is closed already. A segment of a buffer
   * that was closed before must not be used: an access may end the JVM from now on.
   *
   * @throws IllegalStateException if a buffer is open, or a pretouch is running; the allocator
   *     stays open. Also if the kernel does not take the addresses back; it is closed then, and
   *     another close tries that again
   */
  @Override
  public void close() {
    try {
      state.close();
      leak.cancel();
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Whether {@link #close} has given all back; it stays so. False while a close goes on, which may
   * still find an open buffer, and after one whose addresses the kernel did not take back.
   */
  public boolean isClosed() {
    return state.isOver();
  }

  /**
   * Whether the allocator has stopped serving, since an operation ended in the middle: at the end
   * of the stack of its thread, or by an error of the library. It refuses all but the close of its
   * buffers and its own. It stays damaged.
   */
  public boolean isDamaged() {
    return state.isDamaged();
  }

  /** The first line of the report. */
  @Override
  public String toString() {
    return "PageAllocator[" + report().toString().lines().findFirst().orElseThrow() + "]";
  }
}
