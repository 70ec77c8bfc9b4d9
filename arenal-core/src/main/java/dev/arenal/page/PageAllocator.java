package dev.arenal.page;

import dev.arenal.guard.FirstUse;
import dev.arenal.guard.StackReserve;
import dev.arenal.memory.Budget;
import dev.arenal.os.OperatingSystem;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchReport;
import dev.arenal.stats.StatisticsTable;
import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Native memory for buffers that any thread may free.
 *
 * <p>Buffers lie in pages: those of up to 256 KiB in small pages of 2 MiB, which a few threads
 * share; those of up to an eighth of a medium page (4 to 32 MiB, depending on the capacity) in
 * medium pages, one of which is current for all threads. Each larger buffer has a page of its own,
 * in steps of 2 MiB. Buffers are never moved, so holes are reused in place. A page without buffers
 * goes to a cache, from which pages of any size are made. Memory that has been free for the
 * uncommit delay, in the cache or as a hole in a page with live buffers, goes back to the operating
 * system.
 *
 * <pre>{@code
 * PageAllocator pages = PageAllocator.builder("network").capacityBytes(1L << 30).build();
 * PageBuffer buffer = pages.allocate(64 << 10);
 * channel.read(buffer.asByteBuffer());
 * executor.execute(() -> {
 *   try (buffer) { // the last thread that has it closes it
 *     handle(buffer.segment());
 *   }
 * });
 * }</pre>
 *
 * <p><b>Threading:</b> all methods may be called by any thread, platform or virtual. <b>Cost:</b>
 * most buffers of up to 1 MiB are at hand: one compare-and-set and a handle on the Java heap to
 * allocate them, two compare-and-sets to free them. Other buffers cost a lock and a search among
 * the holes of some pages; a buffer with a page of its own mostly costs system calls. See {@code
 * ./arenal buffers} and {@code docs/benchmarks/churn}.
 *
 * <p>Modelled on the page allocator of ZGC, with its later fixes: JDK-8339387 (synchronized refill
 * of medium pages), JDK-8350441 (a cache of ranges), JDK-8356716 (uncommit by low watermark),
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

  /** The name of this allocator. */
  public String name() {
    return state.settings.name();
  }

  /** The budget that committed memory counts against. */
  public Budget budget() {
    return state.settings.budget();
  }

  /** The most that its pages may take, in bytes. */
  public long capacityBytes() {
    return state.settings.capacityBytes();
  }

  /**
   * Bytes that do not go back by themselves: the {@linkplain PageAllocatorBuilder#floorBytes floor}
   * of the builder, or the memory that was {@linkplain #pretouch pretouched} since, whichever is
   * more.
   */
  public long floorBytes() {
    return state.supply.floorBytes();
  }

  /**
   * Allocates a short-lived buffer. Waits for memory for at most the {@link
   * PageAllocatorBuilder#maxWait maxWait} of the builder. If no request of a program names an age,
   * all buffers share the same pages.
   *
   * @param sizeBytes 0 or more
   * @return a buffer of that size, zeroed unless the allocator was built with {@code zeroed(false)}
   * @throws dev.arenal.OutOfNativeMemoryError if the capacity, the budget or the operating system
   *     has no room in time; nothing has changed then
   * @throws IllegalArgumentException if the size is negative
   * @throws IllegalStateException if the allocator is closed or damaged
   * @see #allocate(long, PageAge) the same for a given age
   */
  public PageBuffer allocate(long sizeBytes) {
    return allocate(sizeBytes, PageAge.SHORT_LIVED);
  }

  /**
   * Allocates a buffer. Waits for memory for at most the {@link PageAllocatorBuilder#maxWait
   * maxWait} of the builder.
   *
   * @param sizeBytes 0 or more
   * @param age the expected lifetime
   * @return a buffer of that size, zeroed unless the allocator was built with {@code zeroed(false)}
   * @throws dev.arenal.OutOfNativeMemoryError if the capacity, the budget or the operating system
   *     has no room in time; nothing has changed then
   * @throws IllegalArgumentException if the size is negative
   * @throws IllegalStateException if the allocator is closed or damaged
   */
  public PageBuffer allocate(long sizeBytes, PageAge age) {
    try {
      return state.allocate(sizeBytes, 1, age, state.settings.maxWaitNanos());
    } finally {
      // Pairs with AllocatorLeak: this may be the last use of a handle that the program drops.
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Allocates an aligned short-lived buffer. Waits for memory for at most the {@link
   * PageAllocatorBuilder#maxWait maxWait} of the builder.
   *
   * @param sizeBytes 0 or more
   * @param alignmentBytes a power of two, from 1 to 2 MiB
   * @return a buffer of that size, zeroed unless the allocator was built with {@code zeroed(false)}
   * @throws dev.arenal.OutOfNativeMemoryError if the capacity, the budget or the operating system
   *     has no room in time; nothing has changed then
   * @throws IllegalArgumentException if the size is negative, or the alignment is not a power of
   *     two in that range
   * @throws IllegalStateException if the allocator is closed or damaged
   * @see #allocate(long, long, PageAge) the same for a given age
   */
  public PageBuffer allocate(long sizeBytes, long alignmentBytes) {
    return allocate(sizeBytes, alignmentBytes, PageAge.SHORT_LIVED);
  }

  /**
   * Allocates a buffer whose address is a multiple of {@code alignmentBytes}: of 512 or 4,096 for
   * direct I/O ({@code O_DIRECT}), of 2 MiB for huge pages. Waits for memory for at most the {@link
   * PageAllocatorBuilder#maxWait maxWait} of the builder.
   *
   * <p><b>Cost:</b> up to 8 KiB the size is rounded up to a multiple of the alignment. Alignments
   * above 8 KiB and up to 256 KiB leave gaps, most of which other buffers use. A buffer with a
   * larger alignment has a page of its own, in steps of 2 MiB.
   *
   * @param sizeBytes 0 or more
   * @param alignmentBytes a power of two, from 1 to 2 MiB
   * @param age the expected lifetime
   * @return a buffer of that size, zeroed unless the allocator was built with {@code zeroed(false)}
   * @throws dev.arenal.OutOfNativeMemoryError if the capacity, the budget or the operating system
   *     has no room in time; nothing has changed then
   * @throws IllegalArgumentException if the size is negative, or the alignment is not a power of
   *     two in that range
   * @throws IllegalStateException if the allocator is closed or damaged
   */
  public PageBuffer allocate(long sizeBytes, long alignmentBytes, PageAge age) {
    try {
      return state.allocate(sizeBytes, alignmentBytes, age, state.settings.maxWaitNanos());
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Allocates a short-lived buffer. Waits for memory for at most {@code maxWait}.
   *
   * @param sizeBytes 0 or more
   * @param maxWait the longest wait; zero or less for none
   * @return a buffer of that size, zeroed unless the allocator was built with {@code zeroed(false)}
   * @throws dev.arenal.OutOfNativeMemoryError if the capacity, the budget or the operating system
   *     has no room in time; nothing has changed then
   * @throws IllegalArgumentException if the size is negative
   * @throws IllegalStateException if the allocator is closed or damaged
   * @see #allocate(long, PageAge, Duration) the same for a given age
   */
  public PageBuffer allocate(long sizeBytes, Duration maxWait) {
    return allocate(sizeBytes, PageAge.SHORT_LIVED, maxWait);
  }

  /**
   * Allocates a buffer. Waits for memory for at most {@code maxWait}: first come, first served. For
   * a second, only the first waiting request gets new pages; other requests get room in existing
   * pages. An interrupt ends the wait with an {@link dev.arenal.OutOfNativeMemoryError}, whose
   * message says so; the thread stays interrupted.
   *
   * @param sizeBytes 0 or more
   * @param age the expected lifetime
   * @param maxWait the longest wait; zero or less for none
   * @return a buffer of that size, zeroed unless the allocator was built with {@code zeroed(false)}
   * @throws dev.arenal.OutOfNativeMemoryError if the capacity, the budget or the operating system
   *     has no room in time; nothing has changed then
   * @throws IllegalArgumentException if the size is negative
   * @throws IllegalStateException if the allocator is closed or damaged
   */
  public PageBuffer allocate(long sizeBytes, PageAge age, Duration maxWait) {
    return allocate(sizeBytes, 1, age, maxWait);
  }

  /**
   * Allocates a buffer whose address is a multiple of {@code alignmentBytes}. Waits for memory for
   * at most {@code maxWait}, as {@link #allocate(long, PageAge, Duration)} does.
   *
   * @param sizeBytes 0 or more
   * @param alignmentBytes a power of two, from 1 to 2 MiB
   * @param age the expected lifetime
   * @param maxWait the longest wait; zero or less for none
   * @return a buffer of that size, zeroed unless the allocator was built with {@code zeroed(false)}
   * @throws dev.arenal.OutOfNativeMemoryError if the capacity, the budget or the operating system
   *     has no room in time; nothing has changed then
   * @throws IllegalArgumentException if the size is negative, or the alignment is not a power of
   *     two in that range
   * @throws IllegalStateException if the allocator is closed or damaged
   * @see #allocate(long, long, PageAge) the cost of an alignment
   */
  public PageBuffer allocate(long sizeBytes, long alignmentBytes, PageAge age, Duration maxWait) {
    try {
      return state.allocate(sizeBytes, alignmentBytes, age, PageAllocatorBuilder.nanosOf(maxWait));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Allocates a short-lived buffer if there is room for it now. Does not wait for buffers to be
   * closed. If the budget is used up, the calling thread calls its reclaimers.
   *
   * @param sizeBytes 0 or more
   * @return the buffer; null if there is no room, or the size exceeds the capacity
   * @throws IllegalArgumentException if the size is negative
   * @throws IllegalStateException if the allocator is closed or damaged
   * @see #tryAllocate(long, PageAge) the same for a given age
   */
  public @Nullable PageBuffer tryAllocate(long sizeBytes) {
    return tryAllocate(sizeBytes, PageAge.SHORT_LIVED);
  }

  /**
   * Allocates an aligned short-lived buffer if there is room for it now. Does not wait for buffers
   * to be closed. If the budget is used up, the calling thread calls its reclaimers.
   *
   * @param sizeBytes 0 or more
   * @param alignmentBytes a power of two, from 1 to 2 MiB
   * @return the buffer; null if there is no room, or the size exceeds the capacity
   * @throws IllegalArgumentException if the size is negative, or the alignment is not a power of
   *     two in that range
   * @throws IllegalStateException if the allocator is closed or damaged
   * @see #tryAllocate(long, long, PageAge) the same for a given age
   */
  public @Nullable PageBuffer tryAllocate(long sizeBytes, long alignmentBytes) {
    return tryAllocate(sizeBytes, alignmentBytes, PageAge.SHORT_LIVED);
  }

  /**
   * Allocates a buffer if there is room for it now. Does not wait for buffers to be closed. If the
   * budget is used up, the calling thread calls its reclaimers. It waits for memory that other
   * threads are giving back or touching, some milliseconds as a rule.
   *
   * @param sizeBytes 0 or more
   * @param age the expected lifetime
   * @return the buffer; null if there is no room, or the size exceeds the capacity
   * @throws IllegalArgumentException if the size is negative
   * @throws IllegalStateException if the allocator is closed or damaged
   * @see #allocate(long, PageAge)
   */
  public @Nullable PageBuffer tryAllocate(long sizeBytes, PageAge age) {
    try {
      return state.tryAllocate(sizeBytes, 1, age, true);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Allocates an aligned buffer if there is room for it now, as {@link #tryAllocate(long, PageAge)}
   * does.
   *
   * @param sizeBytes 0 or more
   * @param alignmentBytes a power of two, from 1 to 2 MiB
   * @param age the expected lifetime
   * @return the buffer; null if there is no room, or the size exceeds the capacity
   * @throws IllegalArgumentException if the size is negative, or the alignment is not a power of
   *     two in that range
   * @throws IllegalStateException if the allocator is closed or damaged
   * @see #allocate(long, long, PageAge) the cost of an alignment
   */
  public @Nullable PageBuffer tryAllocate(long sizeBytes, long alignmentBytes, PageAge age) {
    try {
      return state.tryAllocate(sizeBytes, alignmentBytes, age, true);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Opens an arena for the calling thread only, whose memory is buffers of this allocator. It is an
   * {@link Arena} in every respect: it has the lifetime, checks and exceptions of {@link
   * Arena#ofConfined()}, and returns zeroed memory however the allocator was built.
   *
   * <p><b>Effect:</b> blocks of up to 4 KiB lie side by side in buffers of 1 KiB and more, each
   * twice as large as the one before, up to 64 KiB; each larger block has a buffer of its own. All
   * buffers go back when the arena is closed, none before, and count as used until then. If an
   * arena becomes unreachable before it is closed, its memory stays, and its {@linkplain
   * #openBuffers watched} buffers cause warnings. No thread can close an arena of a thread that has
   * ended: its memory stays until the {@linkplain #close() close} of the allocator. <b>Sizes:</b>
   * any size and alignment for which the allocator has room; an alignment above 2 MiB takes that
   * much additional memory. <b>Cost:</b> two objects of the JDK and one buffer for the first block;
   * a few nanoseconds for another small block. For an owner that keeps an arena for long, a space
   * of {@code dev.arenal.elastic} is better.
   *
   * <p>An allocation from the arena waits for memory, and fails if there is none, as {@link
   * #allocate(long)} does.
   *
   * @throws IllegalStateException if the allocator is closed or damaged
   */
  public Arena openConfinedArena() {
    state.requireOpen();
    return new ConfinedPageArena(this);
  }

  /**
   * Opens an arena for all threads. Its lifetime and the cost of its close are those of {@link
   * Arena#ofShared()}.
   *
   * <p><b>Threading:</b> an allocation takes no lock. A thread that waits for memory holds up
   * neither other threads nor the close of the arena; if the arena is closed meanwhile, its
   * allocation throws an {@code IllegalStateException}.
   *
   * @throws IllegalStateException if the allocator is closed or damaged
   * @see #openConfinedArena effect, sizes and cost
   */
  public Arena openSharedArena() {
    state.requireOpen();
    return new SharedPageArena(this);
  }

  /**
   * The size that a buffer is rounded up to: a buffer of that size takes no more memory. A program
   * that grows its buffers in place can request that size at once.
   *
   * @param sizeBytes 0 or more
   * @return at least {@code sizeBytes}; exactly that if it is more than the capacity
   * @throws IllegalArgumentException if the size is negative
   */
  public long roundUp(long sizeBytes) {
    return state.takenBytes(sizeBytes);
  }

  /**
   * Names a user that allocates buffers on behalf of others, such as an adapter. If {@link #close}
   * finds open buffers, its message names the users that may hold them.
   *
   * @param name a name for all users of a kind; the allocator keeps it until it is closed
   */
  public void addUser(String name) {
    state.users.add(Objects.requireNonNull(name, "name"));
  }

  /**
   * Makes memory resident before it is needed. It commits memory until the requested size is
   * committed (at most the capacity), and makes the free part of that resident. Pages in use are
   * left alone.
   *
   * <p>Other threads may allocate and free meanwhile. A thread may wait for some milliseconds if it
   * needs exactly the memory that is being touched. Pretouched memory does not go back by itself:
   * it counts as {@linkplain PageAllocatorBuilder#floorBytes floor} until {@link #trim}. Other
   * users of the budget may still get it.
   *
   * @param settings how much memory, and how it is touched
   * @return the figures of this pretouch
   * @throws dev.arenal.OutOfNativeMemoryError with all figures, if the machine, the container or
   *     the budget does not have that much. Nothing has changed then; or, if the shortage appears
   *     during the pretouch, the memory that it committed has gone back, except memory that was
   *     allocated meanwhile
   * @throws java.util.concurrent.CancellationException if the pretouch was cancelled; committed
   *     memory has gone back as above
   * @throws IllegalArgumentException if the settings name a NUMA node that has no processor for
   *     this process
   * @throws IllegalStateException if the allocator is closed or damaged, or another pretouch is
   *     running
   */
  public PretouchReport pretouch(Pretouch settings) {
    try {
      return state.pretouch(settings);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /** The report of the last pretouch, including that of the builder; null if there was none. */
  public @Nullable PretouchReport lastPretouch() {
    return state.supply.lastPretouch();
  }

  /**
   * Gives all free memory back to the operating system now, regardless of delay and floor: the
   * cache, and free memory in pages in use. Pretouched memory no longer counts as floor.
   *
   * @return the number of bytes given back, by this call or by other threads meanwhile; 0 if the
   *     allocator is closed
   * @throws IllegalStateException if the allocator is damaged
   */
  public long trim() {
    return state.trim();
  }

  /**
   * Requested bytes of open buffers; a recent value, whose parts are of slightly different moments
   * while other threads allocate and free.
   */
  public long usedBytes() {
    return state.usedBytes();
  }

  /** Bytes that count against the budget and may be resident; a recent value. */
  public long committedBytes() {
    return state.committedBytes();
  }

  /**
   * Committed bytes that are in physical memory, as the kernel reports.
   *
   * <p>A page is resident from its first touch until it goes back, except while it is swapped out.
   * A page that was only read counts, although all such pages are one page of physical memory.
   * While other threads allocate and free, the sum is not of one moment. <b>Cost:</b> the kernel
   * looks at each committed page: a quarter of a millisecond for a GiB, and a microsecond for each
   * separate committed range. No lock is held meanwhile.
   *
   * @return -1 if the kernel does not report it; 0 once the allocator is closed
   */
  public long residentBytes() {
    StackReserve.ensure();
    try {
      return state.supply.residentBytes();
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  /**
   * The open buffers that are watched, and those that were lost without a close, by size, age and
   * place of birth; largest sum of bytes first.
   *
   * <p>One buffer in 128 is watched, and each that is larger than 1 MiB; fewer if that would be
   * more than about a thousand a second. With {@code -Darenal.leaks=all} every buffer is watched,
   * with {@code off} none. If a watched buffer is collected as garbage before it is closed, there
   * is a warning in the log, once for each place, and an event in the flight recorder ({@code
   * dev.arenal.Leak}). Its memory is never freed, because its address may be held somewhere.
   * <b>Cost:</b> time proportional to the number of watched open buffers.
   */
  public List<OpenBuffers> openBuffers() {
    StackReserve.ensure();
    return state.births.groups();
  }

  /**
   * Fails if a buffer is open, or was lost; for tests. Of buffers of zero bytes, only the watched
   * ones are noticed: all of them with {@code -Darenal.leaks=all}.
   *
   * @throws AssertionError if there are such buffers; its message names the watched ones
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
              + (open.isEmpty() ? "" : ", openBuffers=" + open)
              + " (expected none; close them; -Darenal.leaks=all names each)");
    }
  }

  /**
   * The state of the allocator: its bytes used, free, wasted and cached, and its pages.
   * <b>Cost:</b> takes each lock for a moment.
   */
  public PageReport report() {
    return state.report();
  }

  /**
   * The activity of the allocator per second, over the last ten seconds, ten minutes and ten hours
   * and in total, in the layout of ZGC's {@code gc,stats}. It is also available by Java Flight
   * Recorder and as an MXBean. It is recorded from the build on. A closed allocator returns its
   * last table.
   */
  public StatisticsTable statistics() {
    StackReserve.ensure();
    return state.statistics.snapshot();
  }

  PageState state() {
    return state;
  }

  /**
   * Gives all memory and addresses back. Has no effect if the allocator is already closed. From
   * then on, access through a segment of any of its buffers may crash the JVM.
   *
   * <p>Confined arenas whose thread has ended do not prevent a close, and their memory goes back,
   * too: no thread can use their segments, but native code must no longer use their addresses.
   * Their scopes stay alive, and their cleanup actions do not run.
   *
   * @throws IllegalStateException if a buffer or another arena is open, or a pretouch is running:
   *     the allocator stays open then; or if the kernel does not take the addresses back: the
   *     allocator is closed then, and another close tries again
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
   * Whether {@link #close} has given everything back; once true, it stays true. False while a close
   * is running, because it may still find an open buffer, and after a close whose addresses the
   * kernel did not take back.
   */
  public boolean isClosed() {
    return state.isOver();
  }

  /**
   * Whether the allocator no longer serves requests, because an operation ended half-way: at the
   * end of the stack of its thread, or by an error of the library. Damage is permanent. A damaged
   * allocator hands out no memory, and gives none back until it is closed. Figures can still be
   * read, but may be wrong.
   */
  public boolean isDamaged() {
    return state.isDamaged();
  }

  /** Name and sizes. <b>Cost:</b> takes one lock for a moment. */
  @Override
  public String toString() {
    return "PageAllocator[name="
        + name()
        + ", usedBytes="
        + usedBytes()
        + ", committedBytes="
        + committedBytes()
        + "]";
  }
}
