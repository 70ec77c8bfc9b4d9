package dev.arenal.touch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.os.Errno;
import dev.arenal.os.MemoryFigures;
import dev.arenal.os.NativeMemory;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchMethod;
import dev.arenal.pretouch.PretouchReport;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine, with a kernel and an owner of memory that watch it. */
final class TouchRunTest {
  private static final long MIB = 1 << 20;
  private static final long SIZE = 100 * MIB;
  private static final long ROOM_MILLIS = 600;

  private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
  private final PaperSource source = new PaperSource(os, SIZE);

  @BeforeEach
  void memoryIsResident() {
    os.populateReally();
  }

  @AfterEach
  void nothingIsLeft() {
    os.succeed();
    source.release();
    os.assertNoComplaints();
    os.assertNothingMapped();
    assertThat(source.complaints).isEmpty();
    assertThat(source.lostCount()).isZero();
  }

  private PretouchReport run(Pretouch settings) {
    return new TouchRun(os, settings, "test=t").run(source, SIZE);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void allOfIt_isTouchedByThatManyThreads(int threadCount) {
    PretouchReport report = run(Pretouch.all().threads(threadCount));
    assertThat(report.threadCount()).isEqualTo(threadCount);
    assertThat(report.touchedBytes()).isEqualTo(SIZE);
    assertThat(report.pageCount()).isEqualTo(SIZE / os.pageSizeBytes());
    assertThat(report.faultCount()).isGreaterThanOrEqualTo(SIZE / os.pageSizeBytes());
    assertThat(report.hugeBytes()).isEqualTo(-1);
    assertThat(report.gibPerSecond()).isPositive();
    assertThat(source.doneBytes()).isEqualTo(SIZE);
    assertThat(source.undoneCount()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void eachMethod_leavesContentsAlone(PretouchMethod method) {
    var word = NativeMemory.segment(source.address + 7 * MIB, 8);
    word.set(ValueLayout.JAVA_LONG, 0, 42);
    PretouchReport report = run(Pretouch.all().method(method));
    assertThat(report.method()).isEqualTo(method);
    assertThat(word.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(42);
    Call other = method == PretouchMethod.POPULATE ? Call.TOUCH : Call.POPULATE;
    assertThat(os.callCount(other)).isZero();
  }

  @Test
  void oldKernel_isTouchedWhateverIsAskedFor() {
    os.setCanPopulate(false);
    PretouchReport report = run(Pretouch.all().method(PretouchMethod.POPULATE));
    assertThat(report.method()).isEqualTo(PretouchMethod.TOUCH);
    assertThat(os.callCount(Call.POPULATE)).isZero();
    assertThat(report.faultCount()).isGreaterThanOrEqualTo(SIZE / os.pageSizeBytes());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void hugePages_areAskedForAndCountedAndNotForLater(boolean isBackwards) {
    source.isBackwards = isBackwards;
    PretouchReport report = run(Pretouch.all().withHugePages());
    assertThat(report.hugePages()).isTrue();
    assertThat(report.hugeBytes()).isBetween(0L, SIZE);
    assertThat(report.hugePageCount()).isEqualTo(report.hugeBytes() / (2 * MIB));
    int pieceCount = 4; // of 32 MiB
    int rangeCount = 1; // which all of them are
    assertThat(os.callCount(Call.ADVISE_HUGE)).isEqualTo(pieceCount + rangeCount);
  }

  @Test
  void hugePages_areNotForLater_alsoWhereAnUndoFails() {
    TouchSource stuck =
        new TouchSource() {
          @Override
          public @Nullable TouchPart next(long mostBytes) {
            return source.next(mostBytes);
          }

          @Override
          public void undo() {
            source.undo();
            throw new IllegalStateException("locked");
          }
        };
    Pretouch settings = Pretouch.all().threads(1).withHugePages().cancelWhen(() -> true);
    assertThatThrownBy(() -> new TouchRun(os, settings, "test=t").run(stuck, SIZE))
        .isInstanceOf(CancellationException.class)
        .hasSuppressedException(new IllegalStateException("locked"));
    assertThat(os.callCount(Call.ADVISE_HUGE)).isEqualTo(2); // for the first piece, and back
  }

  @Test
  void kernelWithoutHugePages_hasOthers() {
    os.failAlways(Call.ADVISE_HUGE, Errno.EINVAL);
    assertThat(run(Pretouch.all().withHugePages()).touchedBytes()).isEqualTo(SIZE);
  }

  @Test
  void virtualThread_letsOthersTouch() throws InterruptedException {
    AtomicReference<PretouchReport> report = new AtomicReference<>();
    Thread.ofVirtual().start(() -> report.set(run(Pretouch.all().threads(1)))).join();
    assertThat(report.get().touchedBytes()).isEqualTo(SIZE);
  }

  /** Of several threads one may be kept from telling while the others come to the end. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void progress_growsAndEndsWithAll(int threadCount) {
    List<Long> done = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger slowCount = new AtomicInteger(5);
    os.beforePopulate(() -> {
      if (slowCount.getAndDecrement() > 0) {
        sleep(25);
      }
    });
    var _ =
        run(
            Pretouch.all()
                .threads(threadCount)
                .onProgress((doneBytes, totalBytes) -> {
                  assertThat(totalBytes).isEqualTo(SIZE);
                  done.add(doneBytes);
                }));
    assertThat(done).hasSizeGreaterThan(threadCount == 1 ? 3 : 0).isSorted().endsWith(SIZE);
  }

  @Test
  void progressThatThrows_endsItWithThat() {
    CountDownLatch told = new CountDownLatch(1);
    AtomicInteger populateCount = new AtomicInteger();
    os.beforePopulate(() -> {
      if (populateCount.incrementAndGet() <= 2) {
        sleep(25);
      } else {
        awaitLong(told); // there is work left when it is told
      }
    });
    IllegalStateException mine = new IllegalStateException("mine");
    assertThatThrownBy(() ->
            run(
                Pretouch.all()
                    .threads(2)
                    .onProgress((doneBytes, totalBytes) -> {
                      told.countDown();
                      throw mine;
                    })))
        .isSameAs(mine);
    assertThat(source.doneBytes()).isLessThan(SIZE);
    assertThat(source.undoneCount()).isEqualTo(1);
  }

  @Test
  void progressThatThrowsAtTheEnd_isAFailureToo() {
    assertThatThrownBy(() ->
            run(
                Pretouch.all()
                    .onProgress((doneBytes, totalBytes) -> {
                      if (doneBytes == totalBytes) {
                        throw new IllegalStateException("mine");
                      }
                    })))
        .hasMessage("mine");
    assertThat(source.undoneCount()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void cancellationHalfWay_givesBack(int threadCount) {
    AtomicInteger askedCount = new AtomicInteger();
    assertThatThrownBy(() ->
            run(
                Pretouch.all()
                    .threads(threadCount)
                    .cancelWhen(() -> askedCount.incrementAndGet() > 6)))
        .isInstanceOf(CancellationException.class)
        .hasMessageMatching(
            "pretouch cancelled: test=t, wantedBytes=104857600, touchedBytes=\\d+ \\(what was taken"
                + " has gone back\\)");
    assertThat(source.doneBytes()).isLessThan(SIZE);
    assertThat(source.failedCount()).isZero(); // each part was touched as a whole
    assertThat(source.undoneCount()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void interrupt_cancelsAndStays(boolean callerTouches) {
    os.setNodes(List.of(bits(0), bits(0, 1)));
    Pretouch settings = callerTouches ? Pretouch.all() : Pretouch.all().onNode(1);
    Thread caller = Thread.currentThread();
    os.beforePopulate(caller::interrupt);
    assertThatThrownBy(() -> run(settings)).isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(source.undoneCount()).isEqualTo(1);
  }

  /** Of two threads that are refused at once, one makes room, and the other one is interrupted. */
  @Test
  void interruptedThreadThatWaitsForRoom_sleeps() {
    CountDownLatch isMakingRoom = new CountDownLatch(1);
    AtomicBoolean isThere = new AtomicBoolean();
    Thread caller = Thread.currentThread();
    TouchSource late =
        new TouchSource() {
          @Override
          public @Nullable TouchPart next(long mostBytes) {
            if (!isThere.get()) {
              throw refusal("no room yet");
            }
            return source.next(mostBytes);
          }

          @Override
          public boolean makeRoom() {
            if (Thread.currentThread().equals(caller)) {
              awaitLong(isMakingRoom);
              caller.interrupt();
              return false;
            }
            isMakingRoom.countDown();
            sleep(ROOM_MILLIS);
            isThere.set(true);
            return true;
          }

          @Override
          public void undo() {
            source.undo();
          }
        };
    TouchRun run = new TouchRun(os, Pretouch.all().threads(2), "test=t");
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long before = threads.getThreadCpuTime(caller.threadId());
    assertThatThrownBy(() -> run.run(late, SIZE)).isInstanceOf(CancellationException.class);
    long cpuNanos = threads.getThreadCpuTime(caller.threadId()) - before;
    assertThat(Thread.interrupted()).isTrue();
    assertThat(cpuNanos).isBetween(0L, ROOM_MILLIS * 1_000_000 / 2);
  }

  @Test
  void everyPopulateRefusedInTurn_givesBackAndTells() {
    for (int call = 1; call <= 13; call++) {
      PaperSource paper = new PaperSource(os, SIZE);
      os.failCalls(call, 1, Errno.ENOMEM);
      assertThatThrownBy(
              () -> new TouchRun(os, Pretouch.all().threads(2), "test=t").run(paper, SIZE))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessageMatching(
              "pretouch failed: test=t, wantedBytes=104857600, touchedBytes=\\d+, errno=ENOMEM"
                  + " \\(12\\), availableBytes=none, memAvailableBytes=none, memTotalBytes=none,"
                  + " addressSpaceLimitBytes=none, addressSpaceUsedBytes=0, overcommitMode=0,"
                  + " commitLimitBytes=none, commitUsedBytes=0 \\(the operating system gives no"
                  + " more memory; what was taken has gone back\\)");
      assertThat(paper.undoneCount()).isEqualTo(1);
      assertThat(paper.failedCount()).isBetween(1, 2);
      assertThat(paper.lostCount()).isZero();
      os.succeed();
      paper.release();
    }
  }

  @Test
  void sourceThatRefuses_endsItWithItsError() {
    OutOfMemoryError mine = new OutOfMemoryError("budget");
    source.failure = mine;
    source.failsAfterBytes = 50 * MIB;
    assertThatThrownBy(() -> run(Pretouch.all())).isSameAs(mine);
    assertThat(source.undoneCount()).isEqualTo(1);
  }

  /** Room that others make is no Java heap, and a part that is lost on the way is not touched. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void javaHeapThatIsFullInTheMiddleOfAClaim_endsIt_alsoWhereOthersMakeRoom(int threadCount) {
    AtomicInteger claimCount = new AtomicInteger();
    TouchSource full =
        new TouchSource() {
          @Override
          public @Nullable TouchPart next(long mostBytes) {
            TouchPart part = source.next(mostBytes);
            if (part != null && claimCount.incrementAndGet() == 3) {
              part.settle();
              throw new OutOfMemoryError("Java heap space");
            }
            return part;
          }

          @Override
          public boolean makeRoom() {
            return true;
          }

          @Override
          public void undo() {
            source.undo();
          }
        };
    TouchRun run = new TouchRun(os, Pretouch.all().threads(threadCount), "test=t");
    assertThatThrownBy(() -> run.run(full, SIZE)).hasMessage("Java heap space");
    assertThat(source.undoneCount()).isEqualTo(1);
  }

  @Test
  void refusalOfTheSource_isTriedAgainWhereOthersMakeRoom() {
    source.failure = refusal("no room yet");
    source.failsAfterBytes = 50 * MIB;
    TouchSource helped =
        new TouchSource() {
          @Override
          public @Nullable TouchPart next(long mostBytes) {
            return source.next(mostBytes);
          }

          @Override
          public boolean makeRoom() {
            source.failure = null;
            return true;
          }

          @Override
          public void undo() {
            source.undo();
          }
        };
    TouchRun run = new TouchRun(os, Pretouch.all().threads(1), "test=t");
    assertThat(run.run(helped, SIZE).touchedBytes()).isEqualTo(SIZE);
  }

  private static OutOfNativeMemoryError refusal(String message) {
    return new OutOfNativeMemoryError(message, "t", SIZE, 0, "b", 0, 0);
  }

  // ---- limits ----

  private static MemoryFigures figures(long memAvailableBytes) {
    MemoryFigures.Group group = new MemoryFigures.Group("/job", 4096 * MIB, 1024 * MIB, 24 * MIB);
    return new MemoryFigures(
        memAvailableBytes, 8192 * MIB, List.of(group), 1L << 40, 1 << 30, 2, 1L << 34, 1L << 33);
  }

  @Test
  void moreThanTheGroupHas_isRefusedWithEveryFigure() {
    os.setMemoryFigures(() -> figures(6000 * MIB));
    TouchNeed need = new TouchNeed(3500 * MIB, 0, 0, "b", 1, Long.MAX_VALUE, 77);
    assertThatThrownBy(() -> new TouchRun(os, Pretouch.all().threads(1), "test=t").check(need))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage(
            "pretouch refused, limited by memory (control group /job): test=t,"
                + " wantedBytes=3670016000, marginBytes=45449216, availableBytes=3246391296,"
                + " memAvailableBytes=6291456000, memTotalBytes=8589934592, controlGroup=/job,"
                + " groupLimitBytes=4294967296, groupUsageBytes=1073741824,"
                + " groupReclaimableBytes=25165824, addressSpaceLimitBytes=1099511627776,"
                + " addressSpaceUsedBytes=1073741824, overcommitMode=2,"
                + " commitLimitBytes=17179869184, commitUsedBytes=8589934592, budget=b,"
                + " budgetLimitBytes=none, budgetCommittedBytes=77 (nothing was touched: ask for"
                + " less, free some memory or raise the limit; Pretouch.forced() skips this"
                + " check)");
  }

  @Test
  void eachThingThatIsMissing_isNamed() {
    os.setMemoryFigures(() -> figures(100 * MIB));
    TouchNeed need = new TouchNeed(3500 * MIB, 1L << 34, 1L << 41, "b", 100, 150, 51);
    assertThatThrownBy(() -> new TouchRun(os, Pretouch.all(), "test=t").check(need))
        .hasMessageStartingWith(
            "pretouch refused, limited by memory (MemAvailable), addresses (ulimit -v), the"
                + " kernel's commit limit (vm.overcommit_memory=2), the budget: test=t,");
  }

  @Test
  void whatIsThereWithSomethingToSpare_isGranted() {
    os.setMemoryFigures(() -> figures(6000 * MIB));
    TouchRun run = new TouchRun(os, Pretouch.all(), "test=t");
    run.check(new TouchNeed(3000 * MIB, 1L << 33, 1L << 39, "b", 100, 150, 50));
    assertThatThrownBy(() -> run.check(TouchNeed.ofResident(3080 * MIB)))
        .isInstanceOf(OutOfMemoryError.class);
    run.check(TouchNeed.ofResident(0));
  }

  @Test
  void forced_asksForNoFigures() {
    os.setMemoryFigures(() -> figures(0));
    TouchRun run = new TouchRun(os, Pretouch.all().forced(), "test=t");
    run.check(TouchNeed.ofResident(SIZE));
    assertThat(run.run(source, SIZE).touchedBytes()).isEqualTo(SIZE);
  }

  @Test
  void memoryThatVanishesOnTheWay_endsIt() {
    AtomicInteger askedCount = new AtomicInteger();
    os.setMemoryFigures(() -> figures(askedCount.incrementAndGet() < 2 ? 3000 * MIB : 60 * MIB));
    os.beforePopulate(() -> sleep(15));
    TouchRun run = new TouchRun(os, Pretouch.all().threads(1), "test=t");
    run.check(TouchNeed.ofResident(SIZE));
    assertThatThrownBy(() -> run.run(source, SIZE))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageStartingWith(
            "pretouch given up, memory was taken meanwhile (MemAvailable): test=t,"
                + " wantedBytes=104857600, touchedBytes=")
        .hasMessageEndingWith(" (what was taken has gone back)");
    assertThat(source.undoneCount()).isEqualTo(1);
  }

  /** The kernel counts pages as used before the call that touches them has returned. */
  @Test
  void memoryThatAnotherThreadIsTouching_isNotMissing() {
    long needBytes = 2000 * MIB;
    long marginBytes = 16 * MIB + needBytes / 128;
    AtomicLong begunBytes = new AtomicLong();
    AtomicInteger lookCount = new AtomicInteger();
    CountDownLatch looked = new CountDownLatch(1);
    os.setMemoryFigures(() -> {
      if (lookCount.incrementAndGet() == 2) {
        looked.countDown();
      }
      return figures(needBytes + marginBytes - Math.min(SIZE, begunBytes.get()));
    });
    os.beforePopulate(() -> {
      if (begunBytes.addAndGet(32 * MIB) == 32 * MIB) {
        awaitLong(looked);
      } else {
        sleep(60);
      }
    });
    TouchRun run = new TouchRun(os, Pretouch.all().withHugePages().threads(2), "test=t");
    run.check(TouchNeed.ofResident(needBytes));
    assertThat(run.run(source, SIZE).touchedBytes()).isEqualTo(SIZE);
    assertThat(lookCount.get()).isGreaterThanOrEqualTo(2);
  }

  // ---- NUMA ----

  @Test
  void oneNode_costsNothing() {
    var _ = run(Pretouch.all().onNode(0));
    assertThat(os.callCount(Call.BIND)).isZero();
  }

  @Test
  void node_touchesByItsProcessorsOnly() {
    os.setNodes(List.of(bits(0), bits(0, 1)));
    PretouchReport report = run(Pretouch.all().onNode(1).threads(3));
    assertThat(report.threadCount()).isEqualTo(3);
    assertThat(os.boundTo()).containsExactly(bits(0, 1), bits(0, 1), bits(0, 1));
    assertThat(report.touchedBytes()).isEqualTo(SIZE);
  }

  @Test
  void thisNode_isThatOfTheCaller() {
    os.setNodes(List.of(bits(0), bits(1)));
    var _ = run(Pretouch.all().onNode(Pretouch.THIS_NODE).threads(1));
    assertThat(os.boundTo()).containsExactly(bits(0));
  }

  @Test
  void nodeThatIsNotThere_isRefused() {
    assertThatThrownBy(() -> run(Pretouch.all().onNode(5)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("NUMA node has no processor for this process: test=t, node=5, nodes=1");
  }

  private static BitSet bits(int... numbers) {
    BitSet bits = new BitSet();
    for (int number : numbers) {
      bits.set(number);
    }
    return bits;
  }

  private static void awaitLong(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
