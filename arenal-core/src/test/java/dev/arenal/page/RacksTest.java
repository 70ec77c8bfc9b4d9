package dev.arenal.page;

import static dev.arenal.page.granule.Supplies.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.arenal.guard.WatchMode;
import dev.arenal.page.granule.PageSupply;
import dev.arenal.page.span.SpanTable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Free buffers at hand: they are reused, counted as free, bounded, and given back. */
final class RacksTest {
  private static final int[] SIZES = {16, 100, 5000, 8192, 8193, 70_000, 250_000, 500_000};

  @RegisterExtension private final Allocators allocators = new Allocators();

  @BeforeEach
  void keepBuffers() {
    allocators.hasMagazines = true;
    allocators.capacityBytes = 256 * MIB;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 16, 100, 8192, 8193, 70_000, 300_000, 1 << 20})
  void freedBuffer_isTheNextOne_andZero(int sizeBytes) {
    PageAllocator pages = allocators.open();
    PageBuffer first = allocate(pages, sizeBytes);
    long address = first.segment().address();
    first.segment().fill((byte) 7);
    first.close();
    PageBuffer second = allocate(pages, sizeBytes);
    assertThat(second.segment().address()).isEqualTo(address);
    assertThat(Noise.firstNonZero(second.segment())).isEqualTo(-1);
    second.close();
  }

  @Test
  void buffersAtHand_areFreeInTheReport_andNotUsed() {
    PageAllocator pages = allocators.open();
    for (int size : SIZES) {
      PageBuffer buffer = allocate(pages, size);
      buffer.close();
    }
    PageReport report = pages.report();
    assertThat(pages.usedBytes()).isZero();
    assertThat(report.usedBytes()).isZero();
    assertThat(report.usedBytes() + report.freeBytes() + report.wasteBytes() + report.cachedBytes())
        .isEqualTo(report.committedBytes());
    assertThat(report.freeBytes()).isGreaterThan(report.committedBytes() - MIB);
  }

  @Test
  void freedBuffer_servesAnotherSize_ofTheSameMagazine() {
    PageAllocator pages = allocators.open();
    PageBuffer first = allocate(pages, 70_000);
    long address = first.segment().address();
    PageBuffer second = allocate(pages, 72_000);
    first.close();
    second.close();
    PageBuffer larger = allocate(pages, 73_000); // neither fits
    PageBuffer smaller = allocate(pages, 69_000); // the second one has too much
    assertThat(larger.segment().address()).isNotEqualTo(address);
    assertThat(smaller.segment().address()).isEqualTo(address);
    assertThat(pages.usedBytes()).isEqualTo(142_000);
    larger.close();
    smaller.close();
  }

  /** A thirty-second part is the most that may be lost. */
  @Test
  void freedBuffer_doesNotServeAMuchSmallerRequest() {
    PageAllocator pages = allocators.open();
    PageBuffer first = allocate(pages, 100_000);
    long address = first.segment().address();
    PageBuffer between = allocate(pages, 60_000);
    first.close();
    PageBuffer smaller = allocate(pages, 96_000);
    assertThat(smaller.segment().address()).isNotEqualTo(address);
    smaller.close();
    between.close();
  }

  @Test
  void trim_givesAllBack() {
    PageAllocator pages = allocators.open();
    closeAll(many(pages, 300));
    assertThat(pages.trim()).isPositive();
    assertThat(pages.committedBytes()).isZero();
    assertThat(racks(pages).cachedBytes()).isZero();
  }

  /** Buffers that were not needed for a delay go, and those that are needed stay. */
  @Test
  void idleBuffers_goWithTheDelay() {
    allocators.uncommitDelay = Duration.ofSeconds(10);
    PageAllocator pages = allocators.open();
    closeAll(many(pages, 300));
    assertThat(racks(pages).cachedBytes()).isPositive();
    allocators.pass(pages, Duration.ofSeconds(60));
    assertThat(racks(pages).cachedBytes()).isZero();
    assertThat(pages.committedBytes()).isZero();
  }

  /** They go before a request is refused. */
  @Test
  void buffersAtHand_areNotMissed_whereTheCapacityIsUsedUp() {
    allocators.capacityBytes = 8 * PageSupply.GRANULE_BYTES;
    PageAllocator pages = allocators.open();
    closeAll(many(pages, 40));
    PageBuffer whole = allocate(pages, 8 * PageSupply.GRANULE_BYTES);
    assertThat(racks(pages).cachedBytes()).isZero();
    whole.close();
  }

  @Test
  void racks_holdNoMoreThanTheirLimit() {
    PageAllocator pages = allocators.open();
    for (int round = 0; round < 3; round++) {
      closeAll(many(pages, 4000));
      pages.state().verify();
      assertThat(racks(pages).cachedBytes()).isBetween(1L, 8 * MIB);
    }
  }

  /** Where much was used they hold more, and give it back when that is over. */
  @Test
  void racks_followWhatIsUsed() {
    allocators.capacityBytes = 2048 * MIB;
    PageAllocator pages = allocators.open();
    PageBuffer most = allocate(pages, 1200 * MIB);
    allocators.pass(pages, Duration.ofSeconds(1));
    List<PageBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      buffers.add(allocate(pages, MIB));
    }
    closeAll(buffers);
    assertThat(racks(pages).cachedBytes()).isEqualTo(4 * MIB);
    most.close();
    allocators.pass(pages, Duration.ofSeconds(1));
    assertThat(racks(pages).cachedBytes()).isLessThanOrEqualTo(MIB);
    pages.state().verify();
  }

  /** A phase with other sizes pushes out what the last one has left. */
  @Test
  void sizesThatAreNotUsedAnyMore_makeRoom() {
    PageAllocator pages = allocators.open();
    closeAll(many(pages, 4000));
    for (int i = 0; i < 17; i++) {
      allocate(pages, 1 << 20).close();
    }
    long heldBytes = racks(pages).cachedBytes();
    PageBuffer large = allocate(pages, 1 << 20);
    assertThat(racks(pages).cachedBytes()).isEqualTo(heldBytes - MIB);
    large.close();
    assertThat(racks(pages).cachedBytes()).isEqualTo(heldBytes);
    pages.state().verify();
  }

  /** One large buffer now and then leaves the many small ones at hand. */
  @Test
  void largeBuffer_pushesNothingOut() {
    PageAllocator pages = allocators.open();
    closeAll(many(pages, 4000));
    for (int i = 0; i < 16; i++) {
      long heldBytes = racks(pages).cachedBytes();
      allocate(pages, 1 << 20).close();
      assertThat(racks(pages).cachedBytes()).isEqualTo(heldBytes);
    }
    pages.state().verify();
  }

  /** Where there is room, a large buffer stays at hand. */
  @Test
  void largeBuffer_staysWhereThereIsRoom() {
    PageAllocator pages = allocators.open();
    allocate(pages, 1 << 20).close();
    assertThat(racks(pages).cachedBytes()).isEqualTo(MIB);
  }

  @Test
  void checkedAllocator_hasNone() {
    allocators.isChecked = true;
    PageAllocator pages = allocators.open();
    PageBuffer buffer = allocate(pages, 100);
    buffer.close();
    assertThat(pages.state().racks.count()).isZero();
  }

  /** Each of many threads writes its own, and hands every second one to another thread. */
  @Test
  void manyThreads_haveBuffersOfTheirOwn() throws Exception {
    PageAllocator pages = allocators.open();
    int threadCount = 8;
    CyclicBarrier start = new CyclicBarrier(threadCount);
    List<CompletableFuture<Void>> all = new ArrayList<>();
    List<List<PageBuffer>> handed = new ArrayList<>();
    for (int i = 0; i < threadCount; i++) {
      handed.add(new ArrayList<>());
    }
    for (int i = 0; i < threadCount; i++) {
      int own = i;
      CompletableFuture<Void> done = new CompletableFuture<>();
      all.add(done);
      new Thread(
              () -> {
                try {
                  start.await();
                  turnOver(pages, own, handed.get(own));
                  done.complete(null);
                } catch (Throwable e) {
                  done.completeExceptionally(e);
                }
              })
          .start();
    }
    for (CompletableFuture<Void> done : all) {
      done.get();
    }
    Set<Long> addresses = new HashSet<>();
    for (int i = 0; i < threadCount; i++) {
      for (PageBuffer buffer : handed.get(i)) {
        assertThat(addresses.add(buffer.segment().address())).isTrue();
        assertThat(buffer.segment().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(i + 1L);
        buffer.close();
      }
    }
    pages.state().verify();
    assertThat(pages.usedBytes()).isZero();
  }

  /** A virtual thread that is not parked keeps its carrier from the thread that has the lock. */
  @Test
  void interruptedThread_sleepsUntilTheLockIsFree_andStaysInterrupted() throws Exception {
    Rack rack =
        new Rack(
            racks(allocators.open()),
            new SpanTable(),
            false,
            new BufferSampler(WatchMode.OFF, 0, 0),
            1);
    assertThat(rack.tryLock()).isTrue();
    CompletableFuture<Boolean> isInterrupted = new CompletableFuture<>();
    Thread waiting =
        new Thread(() -> {
          Thread.currentThread().interrupt();
          rack.lockWaiting();
          isInterrupted.complete(Thread.currentThread().isInterrupted());
        });
    waiting.start();
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long start = System.nanoTime();
    long cpuNanos = 0;
    while (System.nanoTime() - start < 400_000_000) {
      Thread.sleep(10);
      cpuNanos = threads.getThreadCpuTime(waiting.threadId());
    }
    rack.lock = 0;
    assertThat(isInterrupted.get()).isTrue();
    assertThat(cpuNanos).isBetween(0L, 200_000_000L);
  }

  /** The limit may fall below what a thread is about to bring. */
  @Test
  void makeRoom_ends_whateverIsWanted() {
    PageAllocator pages = allocators.open();
    closeAll(many(pages, 300));
    Rack rack =
        new Rack(racks(pages), new SpanTable(), false, new BufferSampler(WatchMode.OFF, 0, 0), 1);
    assertTimeoutPreemptively(Duration.ofSeconds(60), () -> rack.makeRoom(-1, true));
    racks(pages).adapt(Long.MAX_VALUE); // as a sum that was read while buffers moved
    assertThat(racks(pages).limitBytes()).isLessThanOrEqualTo(allocators.capacityBytes / 32);
    pages.state().verify();
  }

  private static void turnOver(PageAllocator pages, int own, List<PageBuffer> handed) {
    for (int i = 0; i < 5000; i++) {
      PageBuffer buffer = allocate(pages, SIZES[i % SIZES.length]);
      MemorySegment segment = buffer.segment();
      assertThat(segment.get(ValueLayout.JAVA_LONG, 0)).isZero();
      segment.set(ValueLayout.JAVA_LONG, 0, own + 1L);
      if (i % 50 == 0) {
        handed.add(buffer);
      } else {
        assertThat(segment.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(own + 1L);
        buffer.close();
      }
    }
  }

  private static List<PageBuffer> many(PageAllocator pages, int count) {
    List<PageBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      buffers.add(allocate(pages, i % 3 == 0 ? 20_000 + i : 16L * (i % 100 + 1)));
    }
    return buffers;
  }

  private static void closeAll(List<PageBuffer> buffers) {
    buffers.forEach(PageBuffer::close);
  }

  private static PageBuffer allocate(PageAllocator pages, long sizeBytes) {
    return pages.allocate(sizeBytes, PageAge.SHORT_LIVED);
  }

  private static Racks racks(PageAllocator pages) {
    return pages.state().racks;
  }
}
