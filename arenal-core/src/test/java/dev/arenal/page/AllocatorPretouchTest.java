package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.MemoryFigures;
import dev.arenal.os.ResidentSize;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import dev.arenal.page.granule.Supplies;
import dev.arenal.page.granule.SupplyFigures;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchReport;
import dev.arenal.reserve.Ledger;
import dev.arenal.stats.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pretouch of an allocator that is there already, idle or in use. */
@Timeout(180)
final class AllocatorPretouchTest {
  private static final Executor OWN_THREAD = task -> Thread.ofPlatform().daemon().start(task);

  private static final String FIGURES =
      ", availableBytes=1048576000, memAvailableBytes=1048576000, memTotalBytes=8589934592,"
          + " addressSpaceLimitBytes=none, addressSpaceUsedBytes=0, overcommitMode=0,"
          + " commitLimitBytes=none, commitUsedBytes=0";

  @RegisterExtension private final Allocators allocators = new Allocators();

  @ParameterizedTest
  @EnumSource
  void upTo_countsWhatIsThere(CommitMode mode) {
    allocators.mode = mode;
    PageAllocator pages = allocators.open();
    assertThat(pages.lastPretouch()).isNull();
    PageBuffer buffer = pages.allocate(10 * MIB, PageAge.SHORT_LIVED);
    pages.allocate(20 * MIB, PageAge.SHORT_LIVED).close();
    assertThat(pages.committedBytes()).isEqualTo(30 * MIB);
    PretouchReport report = pages.pretouch(Pretouch.upTo(100 * MIB - 1));
    assertThat(pages.committedBytes()).isEqualTo(100 * MIB);
    assertThat(report.touchedBytes()).isEqualTo(90 * MIB);
    assertThat(report.target()).isEqualTo("allocator=test");
    assertThat(pages.lastPretouch()).isSameAs(report);
    assertThat(pages.report().committedBytes()).isEqualTo(100 * MIB);
    assertThat(pages.pretouch(Pretouch.upTo(40 * MIB)).touchedBytes()).isEqualTo(30 * MIB);
    assertThat(pages.committedBytes()).isEqualTo(100 * MIB);
    buffer.close();
  }

  @ParameterizedTest
  @EnumSource
  void all_isTheCapacity_andCleanAndTaken(CommitMode mode) {
    allocators.mode = mode;
    allocators.largestReservationBytes = 100 * MIB;
    PageAllocator pages = allocators.open();
    var _ = pages.pretouch(Pretouch.all().threads(3));
    assertThat(pages.committedBytes()).isEqualTo(256 * MIB);
    PageBuffer buffer = pages.allocate(90 * MIB, PageAge.LONG_LIVED);
    assertThat(buffer.span().page().memory.isZero).isTrue();
    assertThat(Noise.firstNonZero(buffer.segment())).isNegative();
    assertThat(pages.committedBytes()).isEqualTo(256 * MIB);
    buffer.close();
  }

  @ParameterizedTest
  @EnumSource
  void inUse_isLeftAlone(CommitMode mode) {
    allocators.mode = mode;
    PageAllocator pages = allocators.open();
    List<PageBuffer> buffers = new ArrayList<>();
    int[] sizes = {900, 40_000, 200_000, 600_000, (int) (3 * MIB)};
    for (int i = 0; i < 250; i++) {
      PageBuffer buffer = pages.allocate(sizes[i % sizes.length], PageAge.SHORT_LIVED);
      Noise.write(buffer.segment(), i);
      buffers.add(buffer);
    }
    for (int i = 0; i < 250; i++) {
      if (i % 7 != 0) {
        buffers.get(i).close();
      }
    }
    assertThat(pages.trim()).isPositive();
    long committedBytes = pages.committedBytes();
    PretouchReport report = pages.pretouch(Pretouch.upTo(committedBytes).withHugePages());
    assertThat(report.touchedBytes()).isZero();
    assertThat(allocators.os.callCount(Call.POPULATE)).isZero();
    assertThat(pages.committedBytes()).isEqualTo(committedBytes);
    SupplyFigures before = pages.state().supply.figures();
    var _ = pages.pretouch(Pretouch.all());
    SupplyFigures figures = pages.state().supply.figures();
    assertThat(figures.usedBytes() + figures.cachedBytes()).isEqualTo(256 * MIB);
    assertThat(figures.committedBytes() - figures.cachedBytes())
        .isEqualTo(before.committedBytes() - before.cachedBytes());
    pages.state().verify();
    for (int i = 0; i < 250; i += 7) {
      assertThat(Noise.mismatch(buffers.get(i).segment(), i)).isNegative();
      buffers.get(i).close();
    }
  }

  @Test
  void allocationThatFails_doesNotCostTheCache() {
    allocators.budget = Budget.limitedTo("b", 100 * MIB);
    PageAllocator pages = allocators.open();
    var _ = pages.pretouch(Pretouch.upTo(60 * MIB));
    assertThat(pages.tryAllocate(200 * MIB, PageAge.SHORT_LIVED)).isNull();
    assertThat(pages.committedBytes()).isEqualTo(60 * MIB);
    PageAllocator other = allocators.open();
    other.allocate(80 * MIB, PageAge.SHORT_LIVED).close();
    assertThat(pages.committedBytes()).isZero();
  }

  @Test
  void whatWasPretouched_isAFloor_untilTrim() {
    allocators.floorBytes = 4 * MIB;
    PageAllocator pages = allocators.open();
    var _ = pages.pretouch(Pretouch.upTo(64 * MIB));
    pages.allocate(100 * MIB, PageAge.SHORT_LIVED).close();
    allocators.pass(pages, Duration.ofSeconds(60));
    assertThat(pages.committedBytes()).isEqualTo(64 * MIB);
    assertThat(pages.trim()).isEqualTo(64 * MIB);
    pages.allocate(100 * MIB, PageAge.SHORT_LIVED).close();
    allocators.pass(pages, Duration.ofSeconds(60));
    assertThat(pages.committedBytes()).isEqualTo(4 * MIB);
  }

  @ParameterizedTest
  @EnumSource
  void everyCallRefusedInTurn_givesBack(CommitMode mode) {
    allocators.mode = mode;
    PageAllocator pages = allocators.open();
    PageBuffer buffer = pages.allocate(5 * MIB, PageAge.SHORT_LIVED);
    Noise.write(buffer.segment(), 5);
    pages.allocate(20 * MIB, PageAge.SHORT_LIVED).close();
    long committedBytes = pages.committedBytes();
    int refusedCount = 0;
    for (int call = 1; call < 60; call++) {
      allocators.os.failCalls(call, 1, Errno.ENOMEM);
      try {
        var _ = pages.pretouch(Pretouch.upTo(100 * MIB).threads(2));
        allocators.os.succeed();
        var _ = pages.trim();
        pages.allocate(20 * MIB, PageAge.SHORT_LIVED).close();
      } catch (OutOfMemoryError e) {
        assertThat(e)
            .hasMessageStartingWith("pretouch failed: allocator=test, wantedBytes=98566144, ");
        refusedCount++;
      }
      allocators.os.succeed();
      assertThat(pages.committedBytes()).isEqualTo(committedBytes);
      assertThat(allocators.budget.committedBytes()).isEqualTo(committedBytes);
      assertThat(pages.floorBytes()).isZero();
      pages.state().verify();
    }
    assertThat(refusedCount).isGreaterThan(mode == CommitMode.DISCARD ? 12 : 20);
    assertThat(Noise.mismatch(buffer.segment(), 5)).isNegative();
    buffer.close();
  }

  @ParameterizedTest
  @EnumSource
  void cancelledHalfWay_givesBack(CommitMode mode) {
    allocators.mode = mode;
    allocators.os.populateReally(); // else there is no half way
    PageAllocator pages = allocators.open();
    AtomicInteger askedCount = new AtomicInteger();
    Pretouch wanted = Pretouch.all().threads(2).cancelWhen(() -> askedCount.incrementAndGet() > 10);
    assertThatThrownBy(() -> pages.pretouch(wanted))
        .isInstanceOf(CancellationException.class)
        .hasMessageMatching(
            "pretouch cancelled: allocator=test, wantedBytes=268435456, touchedBytes=\\d+ \\(what"
                + " was taken has gone back\\)");
    assertThat(allocators.os.callCount(Call.POPULATE)).isPositive();
    assertThat(pages.committedBytes()).isZero();
    assertThat(pages.floorBytes()).isZero();
    assertThat(pages.state().supply.figures().lastErrno()).isZero();
    assertThat(pages.lastPretouch()).isNull();
  }

  @Test
  void moreThanThereIs_isRefusedWithAllFigures_beforeAnythingIsTouched() {
    allocators.os.setMemoryFigures(() -> figures(1000 * MIB));
    allocators.capacityBytes = 4096 * MIB;
    PageAllocator pages = allocators.open();
    PageBuffer buffer = pages.allocate(5 * MIB, PageAge.SHORT_LIVED);
    String message =
        "pretouch refused, limited by memory (MemAvailable): allocator=test, wantedBytes=%d,"
            + " marginBytes=%d%s, budget=test, budgetLimitBytes=none, budgetCommittedBytes=%d"
            + " (nothing was touched: ask for less, free some memory or raise the limit;"
            + " Pretouch.forced() skips this check)";
    assertThatThrownBy(() -> pages.pretouch(Pretouch.all()))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage(message.formatted(4090 * MIB, margin(4090 * MIB), FIGURES, 6 * MIB));
    buffer.close();
    var _ = pages.trim();
    allocators.pretouchBytes = 2048 * MIB;
    int reservedCount = allocators.os.callCount(Call.RESERVE);
    assertThatThrownBy(allocators::open)
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage(message.formatted(2048 * MIB, margin(2048 * MIB), FIGURES, 0));
    assertThat(allocators.os.callCount(Call.RESERVE)).isEqualTo(reservedCount);
    assertThat(allocators.os.callCount(Call.POPULATE)).isZero();
  }

  /** What a pretouch with a thread for each core leaves to others. */
  private static long margin(long sizeBytes) {
    int coreCount = Runtime.getRuntime().availableProcessors();
    return Math.max(16 * MIB, 8 * MIB * coreCount) + sizeBytes / 128;
  }

  private static MemoryFigures figures(long availableBytes) {
    long unknown = MemoryFigures.UNKNOWN;
    return new MemoryFigures(availableBytes, 8192 * MIB, List.of(), unknown, 0, 0, unknown, 0);
  }

  @Test
  void budgetThatIsTakenMeanwhile_isToldWithFigures() {
    allocators.budget = Budget.limitedTo("b", 200 * MIB);
    PageAllocator pages = allocators.open();
    AtomicBoolean isTaken = new AtomicBoolean();
    allocators.os.beforePopulate(() -> {
      if (!isTaken.getAndSet(true)) {
        assertThat(Ledger.of(allocators.budget).tryCommit(190 * MIB)).isTrue();
      }
    });
    assertThatThrownBy(() -> pages.pretouch(Pretouch.upTo(200 * MIB).threads(1)))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage(
            "pretouch refused by the budget: allocator=test, wantedBytes=209715200,"
                + " committedBytes=8388608, capacityBytes=268435456, budget=Budget[name=b,"
                + " limitBytes=209715200, committedBytes=207618048] (another user of it has taken"
                + " what there was: raise its limit, or ask for less; what was taken has gone"
                + " back)");
    allocators.os.beforePopulate(null);
    Ledger.of(allocators.budget).uncommit(190 * MIB);
    assertThat(allocators.budget.committedBytes()).isZero();
  }

  /** Others' caches make room for it, its own is none of them. */
  @Test
  void budgetThatAnothersCacheHas_isReclaimed() {
    allocators.budget = Budget.limitedTo("b", 100 * MIB);
    PageAllocator other = allocators.open();
    other.allocate(80 * MIB, PageAge.SHORT_LIVED).close();
    PageAllocator pages = allocators.open();
    var _ = pages.pretouch(Pretouch.upTo(60 * MIB));
    assertThat(pages.committedBytes()).isEqualTo(60 * MIB);
    assertThat(other.committedBytes()).isZero();
    assertThatThrownBy(() -> pages.pretouch(Pretouch.upTo(101 * MIB)))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageStartingWith("pretouch refused, limited by the budget: allocator=test, ");
    assertThat(pages.committedBytes()).isEqualTo(60 * MIB);
  }

  @Test
  void outOfACallback_allMayBeCalled_butNeitherCloseNorAnotherPretouch() {
    PageAllocator pages = allocators.open();
    PageBuffer held = pages.allocate(5 * MIB, PageAge.SHORT_LIVED);
    AtomicInteger callCount = new AtomicInteger();
    Pretouch wanted =
        Pretouch.all()
            .threads(2)
            .cancelWhen(() -> {
              callCount.incrementAndGet();
              assertThatThrownBy(pages::close)
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessage(
                      "pretouch is running: allocator=test (cancel it, or wait for its end)");
              assertThatThrownBy(() -> pages.pretouch(Pretouch.all()))
                  .isInstanceOf(IllegalStateException.class)
                  .hasMessage("pretouch is running: allocator=test (expected one at a time)");
              pages.allocate(100_000, PageAge.SHORT_LIVED).close();
              pages.report();
              return false;
            });
    var _ = pages.pretouch(wanted);
    assertThat(callCount.get()).isPositive();
    assertThat(pages.committedBytes()).isEqualTo(256 * MIB);
    held.close();
    pages.close();
    assertThatThrownBy(() -> pages.pretouch(Pretouch.all()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("allocator is closed: allocator=test");
  }

  /** All that there is, is cached, and a part of it is just being touched. */
  @ParameterizedTest
  @EnumSource
  void whoNeedsWhatIsBeingTouched_waitsForIt(CommitMode mode) throws InterruptedException {
    allocators.mode = mode;
    PageAllocator pages = allocators.open();
    Supplies.beForbearing(pages.state().supply);
    pages.allocate(256 * MIB, PageAge.SHORT_LIVED).close();
    CountDownLatch inKernel = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    allocators.os.beforePopulate(() -> {
      inKernel.countDown();
      await(goOn);
    });
    CompletableFuture<PretouchReport> pretouch =
        CompletableFuture.supplyAsync(() -> pages.pretouch(Pretouch.all().threads(1)), OWN_THREAD);
    inKernel.await();
    assertThat(pages.report().committedBytes()).isEqualTo(256 * MIB);
    AtomicReference<@Nullable Thread> needing = new AtomicReference<>();
    CompletableFuture<PageBuffer> needed =
        CompletableFuture.supplyAsync(
            () -> {
              needing.set(Thread.currentThread());
              return pages.tryAllocate(256 * MIB, PageAge.SHORT_LIVED);
            },
            OWN_THREAD);
    Await.until(() -> isIn(needing.get(), "awaitSettled"));
    assertThat(needed.isDone()).isFalse();
    goOn.countDown();
    PageBuffer buffer = needed.join();
    assertThat(buffer).isNotNull();
    assertThat(pretouch.join().touchedBytes()).as("the rest is in use").isEqualTo(8 * MIB);
    allocators.os.beforePopulate(null);
    pages.state().verify();
    buffer.close();
  }

  /** Whether the thread is just there: it waits for what it shall wait for, and not for a start. */
  private static boolean isIn(@Nullable Thread thread, String method) {
    return thread != null
        && thread.getState() == Thread.State.TIMED_WAITING
        && Arrays.stream(thread.getStackTrace())
            .anyMatch(frame -> frame.getMethodName().equals(method));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** On the real kernel: what is committed is there, and holes are not, huge pages or not. */
  @Test
  void resident_isWhatIsCommitted() {
    try (PageAllocator pages =
        PageAllocator.builder("real")
            .capacityBytes(512 * MIB)
            .pretouch(Pretouch.upTo(64 * MIB))
            .build()) {
      PretouchReport first = Objects.requireNonNull(pages.lastPretouch());
      assertThat(first.touchedBytes()).isEqualTo(64 * MIB);
      assertThat(first.faultCount()).isNotZero();
      List<PageBuffer> buffers = new ArrayList<>();
      for (int i = 0; i < 1500; i++) {
        PageBuffer buffer = pages.allocate(200_000, PageAge.SHORT_LIVED);
        Noise.write(buffer.segment(), i);
        buffers.add(buffer);
      }
      for (int i = 0; i < 1500; i++) {
        if (i % 40 != 0) {
          buffers.get(i).close();
        }
      }
      var _ = pages.trim();
      long committedBytes = pages.committedBytes();
      assertThat(committedBytes).isLessThan(16 * MIB);
      long residentBytes = ResidentSize.bytes();
      var _ = pages.pretouch(Pretouch.upTo(committedBytes).withHugePages());
      assertThat(ResidentSize.bytes() - residentBytes).isLessThan(40 * MIB);
      for (int i = 0; i < 1500; i += 40) {
        assertThat(Noise.mismatch(buffers.get(i).segment(), i)).isNegative();
        buffers.get(i).close();
      }
    }
  }
}
