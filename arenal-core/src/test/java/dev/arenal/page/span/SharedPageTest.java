package dev.arenal.page.span;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The word that all threads share: pieces, references, and the end. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SharedPageTest {
  private static final int UNIT_COUNT = 1024; // 4 MiB

  private final PaperPages paper = new PaperPages();

  @Test
  void pieces_followOneAnother_untilThereIsNoRoom() {
    SharedPage page = page(true);
    assertThat(page.unitCount).isEqualTo(UNIT_COUNT);
    assertThat(page.bumpAtomic(1000)).isZero();
    assertThat(page.bumpAtomic(25)).isEqualTo(-1);
    assertThat(page.bumpAtomic(20)).isEqualTo(1000);
    assertThat(page.bumpAtomic(5)).isEqualTo(-1);
    assertThat(page.bumpAtomic(4)).isEqualTo(1020);
    assertThat(page.bumpAtomic(1)).isEqualTo(-1);
    assertThat(page.topVolatile()).isEqualTo(UNIT_COUNT);
    assertThat(page.referencesVolatile()).isEqualTo(3);
    page.verify();
  }

  /** Of an unpublished page as well: the thread that publishes it has a piece in it. */
  @Test
  void firstPiece_isThereBeforeThePageIsKnown_andGoesWithIt() {
    SharedPage page = page(true);
    assertThat(page.bumpAtomic(UNIT_COUNT)).isZero();
    assertThat(page.isRetiredVolatile()).isFalse();
    assertThat(page.release()).isFalse(); // it is current: the thread that retires it gives it back
    assertThat(page.retire()).isEqualTo(-1);
  }

  @Test
  void retiredPage_hasNoMorePieces_andGoesWithItsLastBuffer() {
    SharedPage page = page(true);
    assertThat(page.bumpAtomic(10)).isZero();
    assertThat(page.bumpAtomic(30)).isEqualTo(10);
    assertThat(page.retire()).isEqualTo(40);
    assertThat(page.isRetiredVolatile()).isTrue();
    assertThat(page.bumpAtomic(1)).isEqualTo(-1);
    assertThat(page.topVolatile()).isEqualTo(40);
    assertThat(page.release()).isFalse();
    assertThat(page.release()).isTrue();
  }

  /** A free range is used again while another buffer holds the page. */
  @Test
  void retiredPage_isRetained_whileItHasAnOwner() {
    SharedPage page = page(true);
    assertThat(page.bumpAtomic(10)).isZero();
    assertThat(page.retire()).isEqualTo(10);
    assertThat(page.retain()).isTrue();
    assertThat(page.referencesVolatile()).isEqualTo(2);
    assertThat(page.release()).isFalse();
    assertThat(page.release()).isTrue();
    assertThat(page.retain()).isFalse();
    assertThat(page.referencesVolatile()).isZero();
  }

  @Test
  void currentPage_isRetained_withoutAPiece() {
    SharedPage page = page(true);
    assertThat(page.isRetiredVolatile()).isFalse();
    assertThat(page.retain()).isTrue();
    assertThat(page.release()).isFalse();
  }

  /** Each is a buffer: with one too few, its page would go to the next owner too early. */
  @Test
  void referencesTakenAtOnce_areAllCounted() throws Exception {
    SharedPage page = page(true);
    int eachCount = 200_000;
    CyclicBarrier start = new CyclicBarrier(3);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<@Nullable Void>> results = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        results.add(
            threads.submit(() -> {
              var _ = start.await();
              for (int n = 0; n < eachCount; n++) {
                if (!page.retain()) {
                  throw new AssertionError("page has an owner: " + page);
                }
              }
              return null;
            }));
      }
      for (Future<@Nullable Void> result : results) {
        result.get();
      }
    }
    assertThat(page.referencesVolatile()).isEqualTo(3 * eachCount);
  }

  @Test
  void retiringTwice_isRefused() {
    SharedPage page = page(true);
    assertThat(page.bumpAtomic(10)).isZero();
    assertThat(page.retire()).isEqualTo(10);
    assertThatThrownBy(page::retire)
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage(
            "page is already retired: page=0x10000000000, sizeBytes=4194304, usedUnits=1024,"
                + " discardedUnits=0, longestFree=0, longestCommitted=0");
    assertThat(page.topVolatile()).isEqualTo(10);
    assertThat(page.release()).isTrue();
  }

  @Test
  void unusedPage_beginsAnew_butIsNotZeroBelowItsFormerTop() {
    SharedPage page = page(true);
    assertThat(page.restartIfUnused()).isFalse(); // it is at its beginning
    int first = page.bumpAtomic(100);
    assertThat(page.isStillZero(first)).isTrue();
    assertThat(page.restartIfUnused()).isFalse(); // a thread is in it
    assertThat(page.release()).isFalse();
    assertThat(page.restartIfUnused()).isTrue();
    assertThat(page.topVolatile()).isZero();
    assertThat(page.bumpAtomic(20)).isZero();
    assertThat(page.release()).isFalse();
    assertThat(page.restartIfUnused()).isTrue(); // at less than before
    int second = page.bumpAtomic(60);
    assertThat(second).isZero();
    assertThat(page.isStillZero(second)).isFalse();
    assertThat(page.isStillZero(page.bumpAtomic(10))).isFalse();
    assertThat(page.isStillZero(page.bumpAtomic(30))).isFalse(); // from 70
    assertThat(page.isStillZero(page.bumpAtomic(30))).isTrue(); // from 100
    for (int i = 0; i < 4; i++) {
      assertThat(page.release()).isFalse();
    }
    assertThat(page.restartIfUnused()).isTrue();
    assertThat(page.isStillZero(page.bumpAtomic(130))).isFalse();
    assertThat(page.isStillZero(page.bumpAtomic(1))).isTrue();
    assertThat(page.retire()).isEqualTo(131);
    assertThat(page.release()).isFalse();
    assertThat(page.release()).isTrue();
    assertThat(page.restartIfUnused()).isFalse(); // it is retired
  }

  @Test
  void usedMemory_isNeverTakenForZero() {
    SharedPage page = page(false);
    assertThat(page.isStillZero(page.bumpAtomic(1))).isFalse();
    assertThat(page.isStillZero(UNIT_COUNT - 1)).isFalse();
  }

  /**
   * A thread that takes a piece has the page at the same instant, so no thread can give it back
   * meanwhile (JDK-8386128). Some buffers are closed before the page is retired, some after it;
   * exactly one thread gives it back, when no piece is left, and no unit is handed out twice.
   */
  @Test
  void pageIsGivenBackOnce_byTheLastThread() throws Exception {
    for (int round = 0; round < 300; round++) {
      SharedPage page = page(true);
      Race race = new Race(page, round);
      try (ExecutorService threads = Executors.newCachedThreadPool()) {
        List<Future<@Nullable Void>> results = new ArrayList<>();
        for (Callable<@Nullable Void> task : race.tasks()) {
          results.add(threads.submit(task));
        }
        for (Future<@Nullable Void> result : results) {
          result.get();
        }
      }
      assertThat(race.givenBackCount.get()).as("round %d", round).isEqualTo(1);
      assertThat(page.referencesVolatile()).isZero();
      assertThat(page.retain()).isFalse();
      int takenCount = 0;
      for (int unit = 0; unit < UNIT_COUNT; unit++) {
        assertThat(race.owners.get(unit)).isLessThan(2);
        takenCount += race.owners.get(unit);
      }
      assertThat(takenCount).isEqualTo(page.topVolatile());
    }
  }

  /** Three threads that take and close, and one that retires the page meanwhile. */
  private static final class Race {
    private final SharedPage page;
    private final int round;
    private final CyclicBarrier start = new CyclicBarrier(4);
    final AtomicInteger givenBackCount = new AtomicInteger();
    final AtomicIntegerArray owners = new AtomicIntegerArray(UNIT_COUNT);

    Race(SharedPage page, int round) {
      this.page = page;
      this.round = round;
    }

    List<Callable<@Nullable Void>> tasks() {
      List<Callable<@Nullable Void>> tasks = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        int units = 1 + i;
        tasks.add(() -> use(units));
      }
      tasks.add(this::retire);
      return tasks;
    }

    private @Nullable Void use(int units) throws Exception {
      var _ = start.await();
      int from = page.bumpAtomic(units);
      int previous = -1;
      while (from >= 0) {
        for (int unit = from; unit < from + units; unit++) {
          var _ = owners.incrementAndGet(unit);
        }
        if (previous >= 0) {
          close();
        }
        previous = from;
        from = page.bumpAtomic(units);
      }
      if (previous >= 0) {
        close();
      }
      return null;
    }

    private void close() {
      if (page.release()) {
        var _ = givenBackCount.incrementAndGet();
      }
    }

    private @Nullable Void retire() throws Exception {
      var _ = start.await();
      int mostSpins = round * 20;
      for (int i = 0; i < mostSpins; i++) {
        Thread.onSpinWait();
      }
      if (page.retire() < 0) {
        var _ = givenBackCount.incrementAndGet();
      }
      return null;
    }
  }

  private SharedPage page(boolean isZero) {
    return paper.sharedPage(0, 2, isZero);
  }
}
