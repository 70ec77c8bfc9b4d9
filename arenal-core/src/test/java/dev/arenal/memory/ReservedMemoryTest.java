package dev.arenal.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.callbacks.PretouchCallback;
import dev.arenal.os.Errno;
import dev.arenal.os.MemoryFigures;
import dev.arenal.os.OperatingSystem;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchMethod;
import dev.arenal.pretouch.PretouchReport;
import dev.arenal.reserve.Ledger;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class ReservedMemoryTest {
  private static final long MIB = 1 << 20;
  private static final long SIZE = 64 * MIB;

  private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
  private final Budget budget = Budget.limitedTo("b", SIZE);
  private final ReservedMemory memory = ReservedMemory.reserve(os, "table", SIZE, budget);

  /** As a commit does, where the budget is used up. */
  @Test
  void pretouch_asksOthersOfTheBudgetFirst() {
    AtomicLong otherBytes = new AtomicLong(SIZE - 4 * MIB);
    assertThat(Ledger.of(budget).tryCommit(otherBytes.get())).isTrue();
    Budget.Reclaimer other =
        wantedBytes -> {
          assertThat(wantedBytes).isEqualTo(8 * MIB);
          long sizeBytes = otherBytes.getAndSet(0);
          Ledger.of(budget).uncommit(sizeBytes);
          return sizeBytes;
        };
    try (Budget.Registration _ = budget.addReclaimer(other)) {
      assertThat(memory.pretouch(Pretouch.upTo(8 * MIB)).touchedBytes()).isEqualTo(8 * MIB);
    }
    assertThat(otherBytes).hasValue(0);
  }

  @BeforeEach
  void memoryIsResident() {
    os.populateReally();
  }

  @AfterEach
  void nothingIsLeft() {
    os.succeed();
    memory.close();
    memory.close();
    os.assertNoComplaints();
    os.assertNothingMapped();
    assertThat(budget.committedBytes()).isZero();
  }

  private void write(long offsetBytes, long value) {
    memory.segment().set(JAVA_LONG, offsetBytes, value);
  }

  private long read(long offsetBytes) {
    return memory.segment().get(JAVA_LONG, offsetBytes);
  }

  @Test
  void pageSize_isThatOfTheSystem() {
    assertThat(memory.pageBytes()).isEqualTo(os.pageSizeBytes());
    assertThat(memory.commit(memory.pageBytes(), memory.pageBytes())).isEqualTo(os.pageSizeBytes());
  }

  @Test
  void parts_areCommittedAndGivenBack() {
    assertThat(memory.commit(MIB, 2 * MIB)).isEqualTo(2 * MIB);
    assertThat(memory.commit(0, 2 * MIB)).isEqualTo(MIB);
    write(2 * MIB, 42);
    assertThat(memory.uncommit(2 * MIB, 2 * MIB)).isEqualTo(MIB);
    assertThat(read(2 * MIB)).isZero();
    assertThat(memory.committedBytes()).isEqualTo(2 * MIB);
    assertThat(budget.committedBytes()).isEqualTo(2 * MIB);
    assertThat(memory)
        .hasToString("ReservedMemory[name=table, sizeBytes=67108864, committedBytes=2097152]");
  }

  @Test
  void badRanges_areRefusedAndChangeNothing() {
    assertThatThrownBy(() -> memory.commit(1, 4096))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "range is not whole OS pages: memory=table, offsetBytes=1, sizeBytes=4096 (expected"
                + " multiples of 4096)");
    assertThatThrownBy(() -> memory.uncommit(4096, 4097))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "range is not whole OS pages: memory=table, offsetBytes=4096, sizeBytes=4097 (expected"
                + " multiples of 4096)");
    assertThatThrownBy(() -> memory.uncommit(SIZE, 4096))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("Range [67108864, 67108864 + 4096) out of bounds for length 67108864");
    assertThat(os.callCount(Call.DISCARD)).isZero();
    assertThatThrownBy(() -> memory.commit(-4096, 4096))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(memory.commit(SIZE, 0)).isZero();
    assertThat(memory.uncommit(0, 0)).isZero();
    assertThat(budget.committedBytes()).isZero();
  }

  @Test
  void budgetAndEnd_canBeAsked() {
    assertThat(memory.budget()).isSameAs(budget);
    assertThat(memory.isClosed()).isFalse();
    memory.close();
    assertThat(memory.isClosed()).isTrue();
  }

  @Test
  void budgetThatIsUsedUp_refusesWithFigures() {
    assertThat(Ledger.of(budget).tryCommit(SIZE)).isTrue();
    assertThatThrownBy(() -> memory.commit(0, MIB))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage(
            "native memory refused: memory=table, requestedBytes=1048576, committedBytes=0,"
                + " budget=b, limitBytes=67108864, budgetCommittedBytes=67108864 (the budget is"
                + " used up: uncommit something or raise its limit)");
    Ledger.of(budget).uncommit(SIZE);
  }

  @Test
  void moreThanTheLimit_isRefusedWithWhatIsExpected() {
    budget.setLimitBytes(MIB);
    assertThatThrownBy(() -> memory.commit(0, 2 * MIB))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage(
            "native memory refused: memory=table, requestedBytes=2097152, committedBytes=0,"
                + " budget=b, limitBytes=1048576, budgetCommittedBytes=0 (expected at most the"
                + " limit of the budget)");
  }

  @Test
  void reclaimersOfTheBudget_areAsked() {
    assertThat(Ledger.of(budget).tryCommit(SIZE)).isTrue();
    LongSupplier reclaimer =
        () -> {
          Ledger.of(budget).uncommit(SIZE);
          return SIZE;
        };
    Ledger.of(budget).addReclaimer(reclaimer);
    assertThat(memory.commit(0, MIB)).isEqualTo(MIB);
    Ledger.of(budget).removeReclaimer(reclaimer);
  }

  @Test
  void reclaimersOfTheBudget_areNotAskedForWhatIsCommitted() {
    assertThat(memory.commit(0, SIZE)).isEqualTo(SIZE);
    AtomicInteger askedCount = new AtomicInteger();
    LongSupplier reclaimer = askedCount::incrementAndGet;
    Ledger.of(budget).addReclaimer(reclaimer);
    assertThat(memory.commit(0, SIZE)).isZero();
    Ledger.of(budget).removeReclaimer(reclaimer);
    assertThat(askedCount).hasValue(0);
  }

  /** The lock is let go however an operation ends. */
  @Test
  void othersAreServed_afterEachOperation() {
    assertThat(memory.name()).isEqualTo("table");
    assertThat(memory.commit(0, 2 * MIB)).isEqualTo(2 * MIB);
    assertOthersSee(2 * MIB);
    assertThat(memory.uncommit(0, MIB)).isEqualTo(MIB);
    assertOthersSee(MIB);
    assertThat(memory.uncommit(0, 0)).isZero();
    assertOthersSee(MIB);
    os.failAlways(Call.DISCARD, Errno.EINVAL);
    assertThatThrownBy(() -> memory.uncommit(0, 2 * MIB)).isInstanceOf(IllegalStateException.class);
    assertOthersSee(MIB);
    os.succeed();
    assertThat(memory.pretouch(Pretouch.upTo(2 * MIB).threads(1)).touchedBytes())
        .isEqualTo(2 * MIB);
    assertOthersSee(2 * MIB);
    memory.close();
    assertOthersSee(0);
    assertThatThrownBy(() -> memory.uncommit(0, MIB)).hasMessage("memory is closed: memory=table");
    assertOthersSee(0);
  }

  private void assertOthersSee(long committedBytes) {
    assertThat(
            PretouchCallback.inAnotherThread(
                () -> assertThat(memory.committedBytes()).isEqualTo(committedBytes)))
        .isNull();
  }

  @Test
  void discardThatIsRefused_leavesAllAsItWas() {
    var _ = memory.commit(0, MIB);
    write(0, 42);
    os.failAlways(Call.DISCARD, Errno.EINVAL);
    assertThatThrownBy(() -> memory.uncommit(0, MIB))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "memory was not taken back: memory=table, offsetBytes=0, sizeBytes=1048576,"
                + " errno=EINVAL (22) (is it locked? try again)");
    assertThat(read(0)).isEqualTo(42);
    assertThat(budget.committedBytes()).isEqualTo(MIB);
  }

  @Test
  void sizesThatCannotBe_areRefused() {
    assertThatThrownBy(() -> ReservedMemory.reserve("x", 0, budget))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("size is not positive: memory=x, sizeBytes=0");
    assertThatThrownBy(() -> ReservedMemory.reserve("x", Long.MAX_VALUE, budget))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage(
            "address space refused: memory=x, sizeBytes=9223372036854775807, errno=none (see ulimit"
                + " -v and vm.overcommit_memory, or ask for less)");
    assertThatThrownBy(() -> ReservedMemory.reserve("x", 1L << 60, budget))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining("errno=ENOMEM (12)");
  }

  @Test
  void closedMemory_refusesEverything() {
    ReservedMemory closed = ReservedMemory.reserve(os, "c", MIB, budget);
    closed.close();
    assertThatThrownBy(() -> closed.commit(0, MIB)).hasMessage("memory is closed: memory=c");
    assertThatThrownBy(() -> closed.uncommit(0, MIB)).hasMessage("memory is closed: memory=c");
    assertThatThrownBy(() -> closed.pretouch(Pretouch.all()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("memory is closed: memory=c");
    assertThatThrownBy(() -> closed.segment().get(JAVA_LONG, 0))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void closeThatIsRefused_canBeRepeated() {
    os.failAlways(Call.RELEASE, Errno.EINVAL);
    assertThatThrownBy(memory::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "address space was not given back: memory=table, sizeBytes=67108864, errno=EINVAL (22)"
                + " (close it again)");
  }

  // ---- pretouch ----

  @ParameterizedTest
  @EnumSource
  void pretouch_keepsContentsAndCommitsTheRest(PretouchMethod method) {
    var _ = memory.commit(10 * MIB, MIB);
    write(10 * MIB, 42);
    PretouchReport report = memory.pretouch(Pretouch.upTo(40 * MIB - 1).method(method));
    assertThat(report.target()).isEqualTo("memory=table");
    assertThat(report.touchedBytes()).isEqualTo(40 * MIB);
    assertThat(memory.committedBytes()).isEqualTo(40 * MIB);
    assertThat(read(10 * MIB)).isEqualTo(42);
    assertThat(memory.pretouch(Pretouch.all()).touchedBytes()).isEqualTo(SIZE);
  }

  @Test
  void nothingToTouch_isDoneAtOnce() {
    assertThat(memory.pretouch(Pretouch.upTo(0)).touchedBytes()).isZero();
  }

  @Test
  void moreThanTheBudget_isRefusedBeforeAnythingIsTouched() {
    var _ = memory.commit(0, MIB);
    assertThat(Ledger.of(budget).tryCommit(MIB)).isTrue();
    assertThatThrownBy(() -> memory.pretouch(Pretouch.all()))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageStartingWith("pretouch refused, limited by the budget: memory=table,")
        .hasMessageContaining("budget=b, budgetLimitBytes=67108864, budgetCommittedBytes=2097152");
    assertThat(os.callCount(Call.POPULATE)).isZero();
    assertThat(memory.committedBytes()).isEqualTo(MIB);
    Ledger.of(budget).uncommit(MIB);
  }

  @Test
  void moreThanTheMachineHas_isRefusedBeforeAnythingIsTouched() {
    MemoryFigures small =
        new MemoryFigures(
            40 * MIB, SIZE, List.of(), MemoryFigures.UNKNOWN, 0, 0, MemoryFigures.UNKNOWN, 0);
    os.setMemoryFigures(() -> small);
    assertThatThrownBy(() -> memory.pretouch(Pretouch.all()))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageStartingWith("pretouch refused, limited by memory (MemAvailable):");
    assertThat(budget.committedBytes()).isZero();
    assertThat(memory.pretouch(Pretouch.upTo(20 * MIB)).touchedBytes()).isEqualTo(20 * MIB);
  }

  @ParameterizedTest
  @CsvSource({"false, 8", "true, 2"}) // parts of 8 MiB, and of 32 MiB
  void everyCallRefusedInTurn_leavesWhatWasCommittedAndNothingElse(
      boolean hugePages, int partCount) {
    Pretouch all = Pretouch.all().threads(1);
    Pretouch settings = hugePages ? all.withHugePages() : all;
    var _ = memory.commit(10 * MIB, MIB);
    write(10 * MIB, 42);
    int refusedCount = 0;
    for (int call = 1; call < 20; call++) {
      os.failCalls(call, 1, Errno.ENOMEM);
      try {
        var _ = memory.pretouch(settings);
        var _ = memory.uncommit(0, 10 * MIB);
        var _ = memory.uncommit(11 * MIB, SIZE - 11 * MIB);
      } catch (OutOfMemoryError e) {
        refusedCount++;
        assertThat(e).hasMessageStartingWith("pretouch failed: memory=table,");
      } catch (IllegalStateException e) { // what the test itself gives back
        os.succeed();
        var _ = memory.uncommit(0, 10 * MIB);
        var _ = memory.uncommit(11 * MIB, SIZE - 11 * MIB);
      }
      os.succeed();
      assertThat(memory.committedBytes()).isEqualTo(MIB);
      assertThat(read(10 * MIB)).isEqualTo(42);
    }
    assertThat(refusedCount).isEqualTo(partCount);
  }

  @Test
  void cancellationHalfWay_givesBackWhatItTook() {
    var _ = memory.commit(10 * MIB, MIB);
    write(10 * MIB, 42);
    AtomicInteger askedCount = new AtomicInteger();
    Pretouch settings = Pretouch.all().cancelWhen(() -> askedCount.incrementAndGet() > 4);
    assertThatThrownBy(() -> memory.pretouch(settings))
        .isInstanceOf(CancellationException.class)
        .hasMessageStartingWith("pretouch cancelled: memory=table, wantedBytes=67108864");
    assertThat(memory.committedBytes()).isEqualTo(MIB);
    assertThat(read(10 * MIB)).isEqualTo(42);
  }

  /** The others go on: they tell how far they are, or come to the reclaimer, too. */
  @Test
  void reclaimersAskedByAPretouch_areCalledWithoutALock() {
    AtomicInteger seenCount = new AtomicInteger();
    AtomicLong takenBytes = new AtomicLong();
    AtomicInteger aloneCount = new AtomicInteger();
    LongSupplier reclaimer =
        () -> {
          int seen = seenCount.incrementAndGet();
          long end = System.nanoTime() + 10_000_000_000L;
          while (seenCount.get() == seen && System.nanoTime() < end) {
            Thread.onSpinWait();
          }
          aloneCount.addAndGet(seenCount.get() == seen ? 1 : 0);
          var _ = seenCount.incrementAndGet(); // another one that waits has seen enough
          long bytes = takenBytes.getAndSet(0);
          Ledger.of(budget).uncommit(bytes);
          return SIZE; // another thread may have had it
        };
    Ledger.of(budget).addReclaimer(reclaimer);
    Pretouch settings =
        Pretouch.all()
            .threads(2)
            .cancelWhen(() -> {
              long rest = budget.limitBytes() - budget.committedBytes();
              if (seenCount.incrementAndGet() == 2 && Ledger.of(budget).tryCommit(rest)) {
                takenBytes.set(rest);
              }
              return false;
            });
    assertThat(memory.pretouch(settings).touchedBytes()).isEqualTo(SIZE);
    assertThat(aloneCount).hasValue(0);
    Ledger.of(budget).removeReclaimer(reclaimer);
  }

  /**
   * Memory that another thread commits while it is being touched stays, however the pretouch ends.
   */
  @Test
  void whatOthersCommitMeanwhile_staysTheirs() {
    AtomicInteger askedCount = new AtomicInteger();
    Pretouch settings =
        Pretouch.all()
            .threads(1)
            .cancelWhen(() -> {
              if (askedCount.incrementAndGet() == 3) {
                assertThat(memory.commit(MIB, 2 * MIB)).isZero();
                write(2 * MIB, 42);
                assertThat(memory.uncommit(4 * MIB, MIB)).isEqualTo(MIB);
                assertThat(memory.commit(4 * MIB, MIB)).isEqualTo(MIB);
                write(4 * MIB, 43);
              }
              return askedCount.get() > 4;
            });
    assertThatThrownBy(() -> memory.pretouch(settings)).isInstanceOf(CancellationException.class);
    assertThat(read(2 * MIB)).isEqualTo(42);
    assertThat(read(4 * MIB)).isEqualTo(43);
    assertThat(memory.committedBytes()).isEqualTo(3 * MIB);
  }

  /** Two pretouches of the same memory: what neither has made resident goes back with the last. */
  @ParameterizedTest
  @CsvSource({
    "true, true, true, 0", "true, true, false, 0", "true, false, true, 8",
    "true, false, false, 8", "false, true, true, 64", "false, true, false, 64",
    "false, false, true, 64", "false, false, false, 64"
  })
  void pretouchesOfTheSameMemory_shareIt(
      boolean allFails, boolean partFails, boolean allEndsFirst, long committedMib)
      throws Exception {
    Halt ofAll = new Halt(3, allFails);
    Halt ofPart = new Halt(1, partFails);
    Future<?> all = ofAll.start(Pretouch.all().threads(1));
    Future<?> part = ofPart.start(Pretouch.upTo(8 * MIB).threads(1));
    (allEndsFirst ? ofAll : ofPart).end(allEndsFirst ? all : part);
    (allEndsFirst ? ofPart : ofAll).end(allEndsFirst ? part : all);
    assertThat(memory.committedBytes()).isEqualTo(committedMib * MIB);
    assertThat(budget.committedBytes()).isEqualTo(committedMib * MIB);
  }

  /** A pretouch that stops at one of its looks until it is let go, and then is cancelled or not. */
  private final class Halt {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private final AtomicInteger lookCount = new AtomicInteger();
    private final int halt;
    private final boolean fails;

    Halt(int halt, boolean fails) {
      this.halt = halt;
      this.fails = fails;
    }

    Future<?> start(Pretouch settings) throws InterruptedException {
      FutureTask<Object> task =
          new FutureTask<>(() -> memory.pretouch(settings.cancelWhen(this::look)));
      Thread.ofPlatform().start(task);
      reached.await();
      return task;
    }

    private boolean look() {
      if (lookCount.incrementAndGet() == halt) {
        reached.countDown();
        try {
          go.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
        return fails;
      }
      return false;
    }

    void end(Future<?> task) throws Exception {
      go.countDown();
      if (fails) {
        assertThatThrownBy(task::get)
            .isInstanceOf(ExecutionException.class)
            .hasCauseInstanceOf(CancellationException.class);
      } else {
        assertThat(task.get()).isNotNull();
      }
    }
  }

  /**
   * Memory that another thread gives back meanwhile has no owner: the end of a pretouch leaves it
   * alone.
   */
  @Test
  void whatOthersGiveBackMeanwhile_isNotGivenBackOnceMore() {
    AtomicInteger askedCount = new AtomicInteger();
    Pretouch settings =
        Pretouch.all()
            .threads(1)
            .cancelWhen(() -> {
              if (askedCount.incrementAndGet() == 3) {
                assertThat(memory.uncommit(4 * MIB, MIB)).isEqualTo(MIB);
                write(4 * MIB, 43); // which no budget knows
              }
              return askedCount.get() > 4;
            });
    assertThatThrownBy(() -> memory.pretouch(settings)).isInstanceOf(CancellationException.class);
    assertThat(read(4 * MIB)).isEqualTo(43);
    assertThat(memory.committedBytes()).isZero();
  }

  /** A commit is bookkeeping: what was never touched has to be there, too. */
  @Test
  void committedAndNotResident_countsAsWanted() {
    var _ = memory.commit(0, SIZE);
    MemoryFigures small =
        new MemoryFigures(
            40 * MIB, SIZE, List.of(), MemoryFigures.UNKNOWN, 0, 0, MemoryFigures.UNKNOWN, 0);
    os.setMemoryFigures(() -> small);
    assertThatThrownBy(() -> memory.pretouch(Pretouch.all()))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining("wantedBytes=67108864");
    assertThat(memory.pretouch(Pretouch.all().forced()).touchedBytes()).isEqualTo(SIZE);
    assertThat(memory.pretouch(Pretouch.all()).touchedBytes()).isEqualTo(SIZE);
  }

  @Test
  void committedAndNotResident_isLookedForWhereItIs() {
    var _ = memory.commit(32 * MIB, 16 * MIB);
    MemoryFigures tiny =
        new MemoryFigures(
            MIB, SIZE, List.of(), MemoryFigures.UNKNOWN, 0, 0, MemoryFigures.UNKNOWN, 0);
    os.setMemoryFigures(() -> tiny);
    assertThatThrownBy(() -> memory.pretouch(Pretouch.upTo(48 * MIB)))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining("wantedBytes=50331648");
    os.touch(memory.segment().address() + 32 * MIB, 8 * MIB);
    assertThatThrownBy(() -> memory.pretouch(Pretouch.upTo(48 * MIB)))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining("wantedBytes=41943040");
  }

  @Test
  void closeMeanwhile_isRefused() {
    os.beforePopulate(() ->
        assertThatThrownBy(memory::close)
            .isInstanceOf(IllegalStateException.class)
            .hasMessage(
                "memory is being pretouched: memory=table (expected a close after its end)"));
    assertThat(memory.pretouch(Pretouch.all()).touchedBytes()).isEqualTo(SIZE);
    os.beforePopulate(null);
  }

  /** On this machine, with its own kernel: what is said to be resident is. */
  @Test
  void realMemory_isResidentAndGoesBack() {
    OperatingSystem real = OperatingSystem.current();
    long sizeBytes = 256 * MIB;
    try (ReservedMemory table = ReservedMemory.reserve("real", sizeBytes, Budget.unlimited("u"))) {
      long address = table.segment().address();
      assertThat(real.absentBytes(address, sizeBytes)).isEqualTo(sizeBytes);
      PretouchReport report = table.pretouch(Pretouch.all().withHugePages());
      assertThat(real.absentBytes(address, sizeBytes)).isZero();
      assertThat(report.faultCount()).isBetween(1L, sizeBytes / 4096 * 3 / 2);
      assertThat(report.hugeBytes()).isBetween(-1L, sizeBytes);
      assertThat(table.uncommit(0, sizeBytes)).isEqualTo(sizeBytes);
      assertThat(real.absentBytes(address, sizeBytes)).isEqualTo(sizeBytes);
    }
  }

  /** A hundred times what this machine has, in well below the time it would take to touch it. */
  @Test
  void farTooMuch_isRefusedBeforeItIsTouched() {
    long sizeBytes = 1L << 42;
    try (ReservedMemory table = ReservedMemory.reserve("huge", sizeBytes, Budget.unlimited("u"))) {
      long startNanos = System.nanoTime();
      assertThatThrownBy(() -> table.pretouch(Pretouch.all()))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessageMatching(
              "pretouch refused, limited by memory \\(.*\\): memory=huge, wantedBytes="
                  + sizeBytes
                  + ", marginBytes=\\d+, availableBytes=\\d+, memAvailableBytes=\\d+,"
                  + " memTotalBytes=\\d+,.*");
      assertThat(System.nanoTime() - startNanos).isLessThan(30_000_000_000L);
      assertThat(table.committedBytes()).isZero();
    }
  }
}
