package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.page.granule.SupplyStatistics;
import dev.arenal.page.span.SpanTable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One thread brings a medium page when many need one (JDK-8339387); in the baseline all of them,
 * and all but one have done so in vain.
 *
 * <p>The simulated kernel lets the threads meet while they commit their pages, so that nothing is
 * left to luck.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class MediumRefillTest {
  private static final int THREAD_COUNT = 12;

  /** Pages of 4 to 32 MiB: four such buffers fill the first one. */
  private static final long CAPACITY_BYTES = 1024 * MIB;

  /**
   * So that no thread pays for what all of them have committed: it would give back pages of the
   * losers, as many as have been undone when it comes to that.
   */
  private static final int ENOUGH_SLACK_PERCENT = 100_000;

  private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
  private final GatedOperatingSystem kernel = new GatedOperatingSystem(os);

  @AfterEach
  void nothingIsLeft() {
    os.assertNoComplaints();
    os.assertNothingMapped();
  }

  @Test
  void unsynchronized_eachThreadBringsAPage_andTheLosersAreUndone() throws Exception {
    PageAllocator pages = open(false);
    kernel.meet(THREAD_COUNT, Duration.ofSeconds(20));
    List<PageBuffer> buffers = allocateOnAllThreads(pages, MIB);
    assertThat(kernel.mostInside()).isEqualTo(THREAD_COUNT);
    // Three pages have room for twelve; one that finds the winner's page full replaces it.
    assertThat(pages.report().mediumPageCount()).isEqualTo(3);
    assertThat(statistics(buffers).undos.get()).isEqualTo(THREAD_COUNT - 3);
    assertThat(pages.report().cachedBytes()).isEqualTo((THREAD_COUNT - 3) * 4 * MIB);
    closeAll(pages, buffers);
  }

  @Test
  void synchronized_oneThreadBringsThePage_andTheOthersGoOnInIt() throws Exception {
    PageAllocator pages = open(true);
    kernel.meet(THREAD_COUNT, Duration.ofMillis(60));
    List<PageBuffer> buffers = allocateOnAllThreads(pages, MIB);
    assertThat(kernel.mostInside()).isEqualTo(1);
    assertThat(pages.report().mediumPageCount()).isEqualTo(3);
    assertThat(pages.report().cachedBytes()).isZero();
    SupplyStatistics statistics = statistics(buffers);
    assertThat(statistics.undos.get()).isZero();
    assertThat(statistics.takenBytes.get()).isEqualTo(12 * MIB);
    closeAll(pages, buffers);
  }

  /** Each buffer fills its page: no page that a thread has brought is in vain. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyThreadHasItsBuffer_wherePagesHaveRoomForOne(boolean isSynchronized) throws Exception {
    PageAllocator pages = open(isSynchronized);
    kernel.meet(THREAD_COUNT, isSynchronized ? Duration.ofMillis(10) : Duration.ofSeconds(20));
    List<PageBuffer> buffers = allocateOnAllThreads(pages, 4 * MIB);
    assertThat(pages.report().mediumPageCount()).isEqualTo(THREAD_COUNT);
    assertThat(statistics(buffers).undos.get()).isZero();
    closeAll(pages, buffers);
  }

  /** The threads have room for one page only: they share what it has. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void lastPageOfTheCapacity_isShared(boolean isSynchronized) throws Exception {
    PageAllocator pages = open(isSynchronized);
    PageBuffer large = pages.allocate(CAPACITY_BYTES - 4 * MIB, PageAge.SHORT_LIVED);
    kernel.meet(THREAD_COUNT, Duration.ofMillis(60));
    List<PageBuffer> buffers = tryAllocateOnAllThreads(pages, MIB);
    if (isSynchronized) {
      assertThat(buffers).hasSize(4);
      assertThat(statistics(buffers).undos.get()).isZero();
    } else {
      // A thread too late for the last page and too early for what is in it goes without.
      assertThat(buffers).hasSizeBetween(1, 4);
    }
    buffers.add(large);
    closeAll(pages, buffers);
  }

  /** A thread has its page and waits to publish it; the allocator is closed before. */
  @Test
  void pageOfAClosedAllocator_isNotHandedOut() throws Exception {
    PageAllocator pages = open(false);
    MediumHeap heap = mediumHeap(pages);
    kernel.meet(2, Duration.ofSeconds(20));
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      Future<?> request = threads.submit(() -> pages.allocate(MIB, PageAge.SHORT_LIVED));
      awaitTrue(() -> kernel.mostInside() == 1);
      heap.lock.lock();
      try {
        kernel.release();
        awaitTrue(heap.lock::hasQueuedThreads);
        pages.close();
      } finally {
        heap.lock.unlock();
      }
      assertThatThrownBy(() -> request.get(30, TimeUnit.SECONDS))
          .hasRootCauseInstanceOf(IllegalStateException.class)
          .hasRootCauseMessage("allocator is closed: allocator=test");
    }
    assertThat(pages.state().isDamaged()).isFalse();
    assertThat(heap.pages.count()).isZero();
  }

  /** The same while the kernel commits the page: the close waits for that. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void closeWhileAPageIsCommitted_leavesNothing(boolean isSynchronized) throws Exception {
    PageAllocator pages = open(isSynchronized);
    kernel.meet(2, Duration.ofSeconds(20));
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      Future<PageBuffer> request = threads.submit(() -> pages.allocate(MIB, PageAge.SHORT_LIVED));
      awaitTrue(() -> kernel.mostInside() == 1);
      Future<?> close = threads.submit(pages::close);
      if (isSynchronized) {
        awaitTrue(mediumHeap(pages).lock::hasQueuedThreads);
      } else {
        awaitTrue(() -> pages.state().isClosed);
      }
      kernel.release();
      if (isSynchronized) { // the close comes behind the request, and finds its buffer
        PageBuffer buffer = requireNonNull(request.get(30, TimeUnit.SECONDS));
        assertThatThrownBy(() -> close.get(30, TimeUnit.SECONDS))
            .hasRootCauseInstanceOf(IllegalStateException.class);
        closeAll(pages, List.of(buffer));
      } else {
        var _ = close.get(30, TimeUnit.SECONDS);
        assertThatThrownBy(() -> request.get(30, TimeUnit.SECONDS))
            .hasRootCauseMessage("allocator is closed: allocator=test");
      }
    }
    assertThat(pages.state().isDamaged()).isFalse();
  }

  /** The budget has one page for all; threads that wait get what is in it, one after the other. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void refusedBudget_hasThreadsWait(boolean isSynchronized) throws Exception {
    Budget budget = Budget.limitedTo("test", 8 * MIB);
    PageAllocator pages = builder(isSynchronized).budget(budget).build();
    List<Callable<Integer>> tasks = new ArrayList<>();
    for (int i = 0; i < THREAD_COUNT; i++) {
      tasks.add(() -> {
        for (int j = 0; j < 50; j++) {
          pages.allocate(MIB, PageAge.SHORT_LIVED, Duration.ofSeconds(20)).close();
        }
        return 0;
      });
    }
    var _ = invokeAll(tasks);
    closeAll(pages, List.of());
    assertThat(budget.committedBytes()).isZero();
  }

  /** Many refills at a time, holes and trims; then each request meets a close that ends it. */
  @Test
  void unsynchronized_leavesNothing_whateverMeetsIt() throws Exception {
    for (int round = 0; round < 6; round++) {
      PageAllocator pages = builder(false).capacityBytes(192 * MIB).build();
      CountDownLatch busy = new CountDownLatch(6);
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        SplittableRandom random = new SplittableRandom(10 * round + i);
        tasks.add(() -> {
          allocateALot(pages, random);
          busy.countDown();
          return allocateUntilClosed(pages);
        });
      }
      tasks.add(() -> {
        while (!busy.await(1, TimeUnit.MILLISECONDS)) {
          pages.state().verify();
          var _ = pages.trim();
        }
        return closeAtLast(pages);
      });
      assertThat(invokeAll(tasks)).hasSize(7);
      assertThat(pages.state().isDamaged()).isFalse();
      os.assertNothingMapped();
    }
  }

  private static void allocateALot(PageAllocator pages, SplittableRandom random) {
    List<PageBuffer> open = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      long sizeBytes = random.nextLong(SmallHeap.LARGEST_BYTES + 1, MIB / 2);
      PageBuffer buffer = pages.tryAllocate(sizeBytes, PageAge.SHORT_LIVED);
      if (buffer != null) {
        open.add(buffer);
      }
      if (open.size() > 40 || random.nextInt(60) == 0) {
        open.forEach(PageBuffer::close);
        open.clear();
      }
    }
    open.forEach(PageBuffer::close);
  }

  /** Returns how often the allocator was closed for a moment, or for good. */
  private static int allocateUntilClosed(PageAllocator pages) {
    int count = 0;
    while (!pages.state().isOver()) {
      try {
        PageBuffer buffer = pages.tryAllocate(MIB / 2, PageAge.SHORT_LIVED);
        if (buffer != null) {
          buffer.close();
        }
        LockSupport.parkNanos(20_000);
      } catch (IllegalStateException e) {
        assertThat(e).hasMessage("allocator is closed: allocator=test");
        count++;
      }
    }
    return count;
  }

  private static int closeAtLast(PageAllocator pages) {
    for (int count = 1; ; count++) {
      try {
        pages.close();
        return count;
      } catch (IllegalStateException e) {
        assertThat(e).hasMessageContaining("test"); // a buffer was open
      }
    }
  }

  /** The common case, many times over; and buffers that other threads free. */
  @Test
  void synchronized_undoesNothing_underLoad() throws Exception {
    PageAllocator pages = open(true);
    List<Callable<SupplyStatistics>> tasks = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      int seed = i;
      tasks.add(() -> churn(pages, new SplittableRandom(seed)));
    }
    List<SupplyStatistics> statistics = invokeAll(tasks);
    assertThat(statistics.getFirst().undos.get()).isZero();
    assertThat(statistics.getFirst().takenBytes.get()).isGreaterThan(200 * MIB);
    closeAll(pages, List.of());
  }

  private static SupplyStatistics churn(PageAllocator pages, SplittableRandom random) {
    List<PageBuffer> open = new ArrayList<>();
    PageBuffer buffer = pages.allocate(MIB, PageAge.SHORT_LIVED);
    for (int i = 0; i < 400; i++) {
      open.add(buffer);
      if (open.size() > 24) {
        for (int j = 0; j < 20; j++) {
          open.remove(random.nextInt(open.size())).close();
        }
      }
      long sizeBytes = random.nextLong(SmallHeap.LARGEST_BYTES + 1, 3 * MIB);
      buffer = pages.allocate(sizeBytes, PageAge.SHORT_LIVED);
    }
    open.forEach(PageBuffer::close);
    buffer.close();
    return buffer.context.supply().statistics();
  }

  // ---- helpers ----

  private static MediumHeap mediumHeap(PageAllocator pages) {
    for (LockedHeap heap : pages.state().heaps) {
      if (heap instanceof MediumHeap medium) {
        return medium; // of the first age
      }
    }
    throw new AssertionError("no medium heap");
  }

  private static void awaitTrue(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait(); // the test has a timeout
    }
  }

  private PageAllocator open(boolean isSynchronized) {
    return builder(isSynchronized).build();
  }

  private PageAllocatorBuilder builder(boolean isSynchronized) {
    return PageAllocator.builder("test")
        .operatingSystem(kernel)
        .refillExperiment(isSynchronized)
        .commitMode(CommitMode.PROTECT) // then committing is a call
        .capacityBytes(CAPACITY_BYTES)
        .slackPercent(ENOUGH_SLACK_PERCENT);
  }

  private static SupplyStatistics statistics(List<PageBuffer> buffers) {
    return buffers.getFirst().context.supply().statistics();
  }

  private static List<PageBuffer> allocateOnAllThreads(PageAllocator pages, long sizeBytes)
      throws Exception {
    List<PageBuffer> buffers = tryAllocateOnAllThreads(pages, sizeBytes);
    assertThat(buffers).hasSize(THREAD_COUNT);
    assertThat(pages.usedBytes()).isEqualTo(THREAD_COUNT * sizeBytes);
    return buffers;
  }

  private static List<PageBuffer> tryAllocateOnAllThreads(PageAllocator pages, long sizeBytes)
      throws Exception {
    List<Callable<List<PageBuffer>>> tasks = new ArrayList<>();
    for (int i = 0; i < THREAD_COUNT; i++) {
      tasks.add(() -> {
        PageBuffer buffer = pages.tryAllocate(sizeBytes, PageAge.SHORT_LIVED);
        if (buffer == null) {
          return List.of();
        }
        buffer.segment().fill((byte) (1 + System.identityHashCode(buffer) % 100));
        return List.of(buffer);
      });
    }
    List<PageBuffer> buffers = new ArrayList<>();
    invokeAll(tasks).forEach(buffers::addAll);
    for (PageBuffer buffer : buffers) { // no other owner has written there
      byte mark = (byte) (1 + System.identityHashCode(buffer) % 100);
      MemorySegment segment = buffer.segment();
      assertThat(segment.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo(mark);
      // Each byte is that of its neighbour.
      assertThat(segment.asSlice(1).mismatch(segment.asSlice(0, segment.byteSize() - 1)))
          .isEqualTo(-1);
    }
    pages.state().verify();
    return buffers;
  }

  private static <T> List<T> invokeAll(List<Callable<T>> tasks) throws Exception {
    List<T> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      for (Future<T> future : threads.invokeAll(tasks)) {
        results.add(
            requireNonNull(future.get(Duration.ofSeconds(30).toMillis(), TimeUnit.MILLISECONDS)));
      }
    }
    return results;
  }

  private static void closeAll(PageAllocator pages, List<PageBuffer> buffers) {
    buffers.forEach(PageBuffer::close);
    pages.state().verify();
    assertThat(pages.usedBytes()).isZero();
    var _ = pages.trim();
    assertThat(pages.committedBytes()).isZero();
    requireNoSpans(mediumHeap(pages).context.spans());
    pages.close();
  }

  /** A page that was undone has no number any more: the table would keep it for ever. */
  private static void requireNoSpans(SpanTable spans) {
    for (int id = 0; id < 100; id++) {
      assertThat(spans.getRacy(id)).as("span %d", id).isNull();
    }
  }
}
