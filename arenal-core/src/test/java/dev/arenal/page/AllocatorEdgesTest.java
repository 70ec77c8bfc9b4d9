package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import dev.arenal.reserve.Ledger;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sizes and durations at the ends of their types, room in odd places, and bad luck at the end. */
final class AllocatorEdgesTest {
  private static final int QUARTER_MIB = 1 << 18;

  @RegisterExtension private final Allocators allocators = new Allocators();

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - (2 << 20), 1L << 62, (256 << 20) + 1})
  void sizeBeyondTheCapacity_isRefusedAsAnyOther(long sizeBytes) {
    PageAllocator pages = allocators.open();
    assertThat(pages.tryAllocate(sizeBytes, PageAge.SHORT_LIVED)).isNull();
    assertThatThrownBy(
            () -> pages.allocate(sizeBytes, PageAge.LONG_LIVED, Duration.ofSeconds(1000)))
        .isExactlyInstanceOf(OutOfNativeMemoryError.class)
        .hasMessage(
            "no room: allocator=test, requestedBytes="
                + sizeBytes
                + ", age=LONG_LIVED, usedBytes=0, pageBytes=0, capacityBytes=268435456,"
                + " committedBytes=0, budget=Budget[name=test, limitBytes=none, committedBytes=0],"
                + " maxWaitMillis=0 (expected at most the capacity)");
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE})
  void negativeSize_isRefused(long sizeBytes) {
    PageAllocator pages = allocators.open();
    assertThatThrownBy(() -> pages.tryAllocate(sizeBytes, PageAge.SHORT_LIVED))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "size is negative: allocator=test, sizeBytes=" + sizeBytes + " (expected 0 or more)");
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -9_223_372_037L, -1, 0})
  void waitOfZeroOrLess_isNone_howeverLongAgo(long seconds) {
    allocators.capacityBytes = 8 * MIB;
    PageAllocator pages = allocators.open();
    try (PageBuffer _ = pages.allocate(8 * MIB, PageAge.SHORT_LIVED, Duration.ofSeconds(seconds))) {
      assertThatThrownBy(() -> pages.allocate(1, PageAge.SHORT_LIVED, Duration.ofSeconds(seconds)))
          .isExactlyInstanceOf(OutOfNativeMemoryError.class)
          .hasMessageContaining(", maxWaitMillis=0 (close buffers");
    }
  }

  /**
   * A run of which free slots are on their way to the kernel has no slot, and is not looked into.
   */
  @Test
  void allocationWhileFreeSlotsAreWithTheKernel_isServed() {
    PageAllocator pages = allocators.open();
    List<PageBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      buffers.add(pages.allocate(8192));
    }
    for (int i = 0; i < 64; i += 2) {
      buffers.get(i).close();
    }
    List<PageBuffer> meanwhile = new ArrayList<>();
    allocators.os.beforeDiscard(() -> {
      allocators.os.beforeDiscard(null);
      for (int i = 0; i < 4; i++) {
        meanwhile.add(pages.allocate(8192));
      }
    });
    assertThat(pages.trim()).isPositive();
    assertThat(meanwhile).hasSize(4);
    pages.state().verify();
    meanwhile.forEach(PageBuffer::close);
    for (int i = 1; i < 64; i += 2) {
      buffers.get(i).close();
    }
  }

  @Test
  void longestWait_isNotAnOverflow() {
    PageAllocator pages = allocators.open();
    pages.allocate(1, PageAge.SHORT_LIVED, Duration.ofSeconds(Long.MAX_VALUE)).close();
  }

  /** As many units as an int has bits to count them: none may be lost on the way. */
  @Test
  void largestCapacity_isNotAnOverflow() {
    try (PageAllocator pages = PageAllocator.builder("pages").capacityBytes(8L << 40).build();
        PageBuffer _ = pages.allocate(MIB, PageAge.SHORT_LIVED)) {
      pages.allocate(MIB, PageAge.SHORT_LIVED).close();
      assertThat(pages.tryAllocate(8L << 40, PageAge.SHORT_LIVED)).isNull();
      assertThat(pages.tryAllocate((8L << 40) - 1, PageAge.SHORT_LIVED)).isNull();
    }
  }

  @Test
  void freeSlotOfAnotherStripe_isRoom() {
    allocators.capacityBytes = 128 * MIB;
    PageAllocator pages = allocators.open();
    List<PageBuffer> buffers = fill(pages, 8 << 10);
    // Every other one is free: room for thousands, but for no run.
    for (int i = 0; i < buffers.size(); i += 2) {
      buffers.get(i).close();
    }
    List<PageBuffer> more = new ArrayList<>();
    // Each thread has a stripe of its own to begin with; one of these has another than this one.
    for (int i = 0; i < 8; i++) {
      Thread thread =
          Thread.ofPlatform()
              .unstarted(() -> {
                PageBuffer buffer = pages.tryAllocate(8 << 10, PageAge.SHORT_LIVED);
                if (buffer != null) {
                  more.add(buffer);
                }
              });
      thread.start();
      join(thread);
    }
    assertThat(more).hasSize(8);
    more.forEach(PageBuffer::close);
    for (int i = 1; i < buffers.size(); i += 2) {
      buffers.get(i).close();
    }
  }

  /** Neither of the pages fits into the budget before another user gives memory back. */
  @ParameterizedTest
  @ValueSource(longs = {100, 300_000, 3 * MIB - 1, 5 * MIB})
  void budgetIsReclaimed_howeverAlmostThereIsRoom(long sizeBytes) {
    allocators.budget = Budget.limitedTo("shared", 16 * MIB);
    long pageBytes = sizeBytes <= 2 * MIB ? 2 * MIB : sizeBytes <= 4 * MIB ? 4 * MIB : 6 * MIB;
    long othersBytes = 16 * MIB - pageBytes + 1;
    assertThat(Ledger.of(allocators.budget).tryCommit(othersBytes)).isTrue();
    LongSupplier reclaimer =
        () -> {
          Ledger.of(allocators.budget).uncommit(othersBytes);
          return othersBytes;
        };
    Ledger.of(allocators.budget).addReclaimer(reclaimer);
    PageAllocator pages = allocators.open();
    PageBuffer buffer = pages.tryAllocate(sizeBytes, PageAge.SHORT_LIVED);
    assertThat(buffer).isNotNull();
    requireNonNull(buffer).close();
    Ledger.of(allocators.budget).removeReclaimer(reclaimer);
  }

  /** A reclaimer may do anything with the allocator that runs into its budget. */
  @Test
  void reclaimer_mayTrimAndCloseBuffers() {
    allocators.budget = Budget.limitedTo("shared", 16 * MIB);
    PageAllocator pages = allocators.open();
    List<PageBuffer> hoard = new ArrayList<>();
    LongSupplier reclaimer =
        () -> {
          hoard.forEach(PageBuffer::close);
          hoard.clear();
          return pages.trim();
        };
    Ledger.of(allocators.budget).addReclaimer(reclaimer);
    for (int i = 0; i < 1000; i++) {
      hoard.add(pages.allocate(100_000 + i * 977L % 900_000, PageAge.SHORT_LIVED));
    }
    hoard.forEach(PageBuffer::close);
    Ledger.of(allocators.budget).removeReclaimer(reclaimer);
  }

  @Test
  void toString_isOneLine() {
    PageAllocator pages = allocators.open();
    try (PageBuffer _ = pages.allocate(MIB, PageAge.SHORT_LIVED)) {
      assertThat(pages)
          .hasToString("PageAllocator[name=test, usedBytes=1048576, committedBytes=2097152]");
    }
  }

  // ---- the end ----

  @Test
  void closeThatTheKernelRefuses_canBeDoneAgain() {
    PageAllocator pages = allocators.open();
    pages.allocate(100, PageAge.SHORT_LIVED).close();
    allocators.os.failAlways(Call.RELEASE, Errno.ENOMEM);
    assertThatThrownBy(pages::close)
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage(
            "address space was not given back: allocator=test, reservedBytes=1073741824,"
                + " errno=ENOMEM (12) (close the allocator again)");
    assertThatThrownBy(() -> pages.allocate(1, PageAge.SHORT_LIVED))
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("allocator is closed: allocator=test");
    assertThatThrownBy(pages::close).isExactlyInstanceOf(IllegalStateException.class);
    allocators.os.succeed();
    pages.close();
    assertThat(allocators.os.mappedBytes()).isZero();
    pages.close();
  }

  @Test
  void closedAllocator_answersWhatIsHarmless() {
    PageAllocator pages = allocators.open();
    pages.allocate(100, PageAge.SHORT_LIVED).close();
    pages.close();
    assertThat(pages.usedBytes()).isZero();
    assertThat(pages.committedBytes()).isZero();
    assertThat(pages.trim()).isZero();
    assertThat(pages.report().committedBytes()).isZero();
    assertThat(pages.statistics().kind()).isEqualTo("PageAllocator");
    pages.state().tick(System.nanoTime());
    pages.state().verify();
  }

  /** The others must not see an allocator that is closed, and then open again. */
  @Test
  void closeWithOpenBuffers_isNoticedByNoOtherThread() throws InterruptedException {
    PageAllocator pages = allocators.open();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    try (PageBuffer _ = pages.allocate(100, PageAge.SHORT_LIVED)) {
      Thread other =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  for (int i = 0; i < 20_000; i++) {
                    pages.allocate(i, PageAge.LONG_LIVED).close();
                  }
                } catch (Throwable e) {
                  failure.set(e);
                }
              });
      while (other.isAlive()) {
        assertThatThrownBy(pages::close)
            .isExactlyInstanceOf(IllegalStateException.class)
            .hasMessageMatching(
                "allocator has open buffers or arenas: allocator=test, usedBytes=[0-9]+ \\("
                    + "close them first; -Darenal.leaks=all shows where each was allocated\\)");
      }
      other.join();
    }
    assertThat(failure.get()).isNull();
  }

  // ---- claimed memory ----

  /**
   * A page without buffers is kept for the next one: not to be released while parts are claimed.
   */
  @Test
  void emptyPage_keepsItsOwner_whileParts_areClaimed() {
    PageAllocator pages = allocators.open();
    PageBuffer idle = pages.allocate(MIB / 8, PageAge.SHORT_LIVED);
    PageBuffer later = pages.allocate(MIB / 8, PageAge.SHORT_LIVED);
    idle.close();
    allocators.pass(pages, Duration.ofSeconds(10)); // another cycle begins
    later.close(); // the page is empty, and one part of it has not been for long
    List<PageBuffer> meanwhile = new ArrayList<>();
    allocators.os.beforeDiscard(() -> {
      allocators.os.beforeDiscard(null);
      // In vain, so that all that is kept is given up.
      assertThat(pages.tryAllocate(256 * MIB, PageAge.SHORT_LIVED)).isNull();
      meanwhile.add(pages.allocate(4 * MIB, PageAge.SHORT_LIVED));
      meanwhile.add(pages.allocate(2 * MIB, PageAge.SHORT_LIVED));
      meanwhile.forEach(buffer -> Noise.write(buffer.segment(), 1));
    });
    allocators.pass(pages, Duration.ofSeconds(8));
    assertThat(meanwhile).hasSize(2);
    pages.state().verify();
    for (PageBuffer buffer : meanwhile) {
      assertThat(Noise.mismatch(buffer.segment(), 1)).isEqualTo(-1);
      buffer.close();
    }
  }

  // ---- trim ----

  /** A page with a hole that went back goes at once when it is empty, and not by the cache. */
  @ParameterizedTest
  @ValueSource(longs = {1000, 20_000, 262_144, MIB / 2})
  void trim_countsAlsoPagesWithHoles(long sizeBytes) {
    PageAllocator pages = allocators.open();
    List<PageBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      buffers.add(pages.allocate(sizeBytes, PageAge.SHORT_LIVED));
    }
    buffers.subList(10, 70).forEach(PageBuffer::close);
    long fullBytes = pages.committedBytes();
    assertThat(pages.trim()).isEqualTo(fullBytes - pages.committedBytes()).isPositive();
    buffers.subList(70, 80).forEach(PageBuffer::close);
    buffers.subList(0, 10).forEach(PageBuffer::close);
    long restBytes = pages.committedBytes();
    assertThat(restBytes).isPositive();
    assertThat(pages.trim()).isEqualTo(restBytes);
    assertThat(pages.committedBytes()).isZero();
  }

  // ---- recommit ----

  /** A hole that went back to the kernel, and a budget that has no room to take it again. */
  @Test
  void mediumHole_thatTheBudgetDoesNotGiveBack_isStillThere() {
    allocators.budget = Budget.limitedTo("shared", 32 * MIB);
    PageAllocator pages = allocators.open();
    PageBuffer first = pages.allocate(MIB, PageAge.SHORT_LIVED);
    PageBuffer hole = pages.allocate(MIB / 2, PageAge.SHORT_LIVED);
    PageBuffer last = pages.allocate(MIB / 2, PageAge.SHORT_LIVED);
    long address = hole.segment().address();
    hole.close();
    assertThat(pages.trim()).isEqualTo(MIB / 2);
    long restBytes = allocators.budget.availableBytes();
    assertThat(Ledger.of(allocators.budget).tryCommit(restBytes)).isTrue();
    assertThat(pages.tryAllocate(MIB / 2, PageAge.SHORT_LIVED)).isNull();
    pages.state().verify();
    Ledger.of(allocators.budget).uncommit(restBytes);
    PageBuffer again = pages.allocate(MIB / 2, PageAge.SHORT_LIVED);
    assertThat(again.segment().address()).isEqualTo(address);
    again.segment().fill((byte) 1);
    again.close();
    first.close();
    last.close();
  }

  /**
   * A thread that frees a buffer and takes one of the same size gets it, though others were
   * discarded.
   */
  @ParameterizedTest
  @ValueSource(longs = {1000, 4096, 8192, 20_000, 262_144, MIB / 2})
  void committedHole_isUsed_whereTheBudgetRefusesDiscardedOnes(long sizeBytes) {
    allocators.budget = Budget.limitedTo("shared", 64 * MIB);
    PageAllocator pages = allocators.open();
    List<PageBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      buffers.add(pages.allocate(sizeBytes, PageAge.SHORT_LIVED));
    }
    for (int i = 1; i < 70; i += 10) {
      buffers.subList(i, i + 8).forEach(PageBuffer::close);
    }
    assertThat(pages.trim()).isPositive();
    long restBytes = allocators.budget.availableBytes();
    assertThat(Ledger.of(allocators.budget).tryCommit(restBytes)).isTrue();
    for (int i = 79; i >= 71; i--) {
      buffers.get(i).close();
      PageBuffer again = pages.tryAllocate(sizeBytes, PageAge.SHORT_LIVED);
      assertThat(again).as("buffer %d", i).isNotNull();
      buffers.set(i, requireNonNull(again));
      pages.state().verify();
    }
    Ledger.of(allocators.budget).uncommit(restBytes);
    for (int i = 0; i < 80; i++) {
      if (i >= 70 || i % 10 == 0 || i % 10 == 9) {
        buffers.get(i).close();
      }
    }
  }

  /** Slots that went back to the kernel, came again, were written to, and became other slots. */
  @Test
  void slotsThatCameAgain_areZeroWhenTheyAreOthers() {
    PageAllocator pages = allocators.open();
    List<PageBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      buffers.add(pages.allocate(2048, PageAge.SHORT_LIVED));
    }
    List<PageBuffer> kept = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      if (i % 32 == 31) {
        kept.add(buffers.get(i));
      } else {
        buffers.get(i).close();
      }
    }
    assertThat(pages.trim()).isPositive();
    for (int i = 0; i < 190; i++) {
      PageBuffer again = pages.allocate(2048, PageAge.SHORT_LIVED);
      Noise.write(again.segment(), i);
      kept.add(again);
    }
    kept.forEach(PageBuffer::close);
    List<PageBuffer> others = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      PageBuffer other = pages.allocate(100, PageAge.SHORT_LIVED);
      assertThat(Noise.firstNonZero(other.segment())).as("buffer %d", i).isEqualTo(-1);
      others.add(other);
    }
    others.forEach(PageBuffer::close);
  }

  /** Half an OS page is taken again, and so the other half is there too. */
  @Test
  void restOfAnOsPageThatIsTakenAgain_isNotForgotten() {
    PageAllocator pages = allocators.open();
    PageBuffer first = pages.allocate(20_000, PageAge.SHORT_LIVED);
    var _ = pages.trim();
    PageBuffer second = pages.allocate(18_000, PageAge.SHORT_LIVED);
    pages.state().verify();
    first.close();
    second.close();
    PageBuffer slot = pages.allocate(1000, PageAge.SHORT_LIVED);
    var _ = pages.trim();
    PageBuffer other = pages.allocate(300, PageAge.SHORT_LIVED);
    pages.state().verify();
    slot.close();
    other.close();
  }

  @Test
  void kernelThatTakesBackOnlySome_leavesTheRestUsable() {
    allocators.mode = CommitMode.PROTECT;
    PageAllocator pages = allocators.open();
    List<PageBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      buffers.add(pages.allocate(MIB / 4, PageAge.SHORT_LIVED));
    }
    for (int i = 1; i < 8; i += 2) {
      buffers.get(i).close();
    }
    allocators.os.failCalls(3, 1, Errno.ENOMEM);
    var _ = pages.trim();
    pages.state().verify();
    for (int i = 1; i < 8; i += 2) {
      PageBuffer buffer = pages.allocate(MIB / 4, PageAge.SHORT_LIVED);
      MemorySegment segment = buffer.segment();
      assertThat(segment.mismatch(MemorySegment.ofArray(new byte[QUARTER_MIB]))).isEqualTo(-1);
      segment.fill((byte) 1); // crashes where it is not accessible
      buffers.set(i, buffer);
    }
    buffers.forEach(PageBuffer::close);
  }

  // ---- large pages ----

  @Test
  void largeBuffers_areUsedAndNotFree() {
    PageAllocator pages = allocators.open();
    try (PageBuffer _ = pages.allocate(9 * MIB, PageAge.SHORT_LIVED)) {
      PageReport report = pages.report();
      assertThat(report.usedBytes()).isEqualTo(9 * MIB);
      assertThat(report.freeBytes()).isZero();
      assertThat(report.wasteBytes()).isEqualTo(MIB);
      assertThat(report.largePageCount()).isEqualTo(1);
    }
  }

  private static List<PageBuffer> fill(PageAllocator pages, long sizeBytes) {
    List<PageBuffer> buffers = new ArrayList<>();
    PageBuffer buffer = pages.tryAllocate(sizeBytes, PageAge.SHORT_LIVED);
    while (buffer != null) {
      buffers.add(buffer);
      buffer = pages.tryAllocate(sizeBytes, PageAge.SHORT_LIVED);
    }
    return buffers;
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
