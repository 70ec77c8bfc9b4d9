package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.memory.CommitMode;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.page.granule.SupplyStatistics;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
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
  private static final String PROPERTY = "arenal.page.synchronizedRefill";
  private static final int COUNT_THREADS = 12;

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
    System.clearProperty(PROPERTY);
    os.assertNoComplaints();
    os.assertNothingMapped();
  }

  @Test
  void unsynchronized_eachThreadBringsAPage_andTheLosersAreUndone() throws Exception {
    PageAllocator pages = open(false);
    kernel.meet(COUNT_THREADS, Duration.ofSeconds(20));
    List<PageBuffer> buffers = allocateOnAllThreads(pages, MIB);
    assertThat(kernel.mostInside()).isEqualTo(COUNT_THREADS);
    // Three pages have room for twelve; one that finds the winner's page full replaces it.
    assertThat(pages.report().mediumPageCount()).isEqualTo(3);
    assertThat(statistics(buffers).undos.get()).isEqualTo(COUNT_THREADS - 3);
    assertThat(pages.report().cachedBytes()).isEqualTo((COUNT_THREADS - 3) * 4 * MIB);
    closeAll(pages, buffers);
  }

  @Test
  void synchronized_oneThreadBringsThePage_andTheOthersGoOnInIt() throws Exception {
    PageAllocator pages = open(true);
    kernel.meet(COUNT_THREADS, Duration.ofMillis(60));
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
    kernel.meet(COUNT_THREADS, isSynchronized ? Duration.ofMillis(10) : Duration.ofSeconds(20));
    List<PageBuffer> buffers = allocateOnAllThreads(pages, 4 * MIB);
    assertThat(pages.report().mediumPageCount()).isEqualTo(COUNT_THREADS);
    assertThat(statistics(buffers).undos.get()).isZero();
    closeAll(pages, buffers);
  }

  /** The threads have room for one page only: they share what it has. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void lastPageOfTheCapacity_isShared(boolean isSynchronized) throws Exception {
    PageAllocator pages = open(isSynchronized);
    PageBuffer large = pages.allocate(CAPACITY_BYTES - 4 * MIB, PageAge.SHORT_LIVED);
    kernel.meet(COUNT_THREADS, Duration.ofMillis(60));
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

  private PageAllocator open(boolean isSynchronized) {
    System.setProperty(PROPERTY, Boolean.toString(isSynchronized));
    return PageAllocator.builder("test")
        .operatingSystem(kernel)
        .commitMode(CommitMode.PROTECT) // then committing is a call
        .capacityBytes(CAPACITY_BYTES)
        .slackPercent(ENOUGH_SLACK_PERCENT)
        .build();
  }

  private static SupplyStatistics statistics(List<PageBuffer> buffers) {
    return buffers.getFirst().context.supply().statistics();
  }

  private static List<PageBuffer> allocateOnAllThreads(PageAllocator pages, long sizeBytes)
      throws Exception {
    List<PageBuffer> buffers = tryAllocateOnAllThreads(pages, sizeBytes);
    assertThat(buffers).hasSize(COUNT_THREADS);
    assertThat(pages.usedBytes()).isEqualTo(COUNT_THREADS * sizeBytes);
    return buffers;
  }

  private static List<PageBuffer> tryAllocateOnAllThreads(PageAllocator pages, long sizeBytes)
      throws Exception {
    List<Callable<List<PageBuffer>>> tasks = new ArrayList<>();
    for (int i = 0; i < COUNT_THREADS; i++) {
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
    pages.close();
  }
}
