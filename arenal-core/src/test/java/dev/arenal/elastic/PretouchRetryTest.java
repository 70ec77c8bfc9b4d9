package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.memory.Budget;
import dev.arenal.pretouch.Pretouch;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A pretouch beside other users when memory is short, or something fails. */
@Timeout(60)
final class PretouchRetryTest {
  private static final long MIB = 1 << 20;

  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  /** Before the populate of that number, counted from 1. */
  private void beforePopulate(int number, Runnable hook) {
    AtomicInteger count = new AtomicInteger();
    spaces.os.beforePopulate(() -> {
      if (count.incrementAndGet() == number) {
        hook.run();
      }
    });
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void partThatTakesLong_isWaitedFor_byWhoIsInterruptedToo() throws Exception {
    ElasticSpace space = spaces.build(spaces.builder("test").fixedSizeBytes(32 * MIB));
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread other =
        Thread.ofPlatform()
            .unstarted(() -> {
              Thread.currentThread().interrupt();
              try (ElasticArena arena = space.openConfined()) {
                assertThat(arena.allocate(31 * MIB).byteSize()).isEqualTo(31 * MIB);
              } catch (Throwable e) {
                failure.set(e);
              }
              interrupted.set(Thread.interrupted());
            });
    beforePopulate(
        1,
        () -> {
          other.start();
          sleep(400);
        });
    assertThat(space.pretouch(Pretouch.all().threads(1)).touchedBytes()).isPositive();
    other.join();
    assertThat(failure).hasNullValue();
    assertThat(interrupted).isTrue();
    spaces.os.beforePopulate(null);
  }

  @Test
  void othersThatTakeAllAwayAgainAndAgain_doNotKeepItForEver() {
    Budget budget = Budget.unlimited("both");
    ElasticSpace space = spaces.build(spaces.builder("test").budget(budget));
    spaces.os.beforePopulate(() -> {
      var _ = budget.reclaim();
    });
    long touchedBytes = space.pretouch(Pretouch.upTo(40 * MIB).threads(1)).touchedBytes();
    spaces.os.beforePopulate(null);
    assertThat(touchedBytes).isEqualTo(40 * MIB);
    assertThat(space.committedBytes()).isLessThanOrEqualTo(40 * MIB);
    space.verify();
  }

  @Test
  void budgetThatOthersHaveUsedUpMeanwhile_isAskedForWhatTheyCanDoWithout() {
    Budget budget = Budget.limitedTo("both", 20 * MIB);
    ElasticSpace space = spaces.build(spaces.builder("test").budget(budget));
    ElasticSpace other =
        spaces.build(spaces.builder("other").budget(budget).reclaimPolicy(ReclaimPolicy.NONE));
    beforePopulate(
        1,
        () -> {
          try (ElasticArena arena = other.openConfined()) {
            var _ = arena.allocate(6 * MIB);
          }
          assertThat(other.committedBytes()).isGreaterThanOrEqualTo(6 * MIB);
        });
    var _ = space.pretouch(Pretouch.upTo(18 * MIB).threads(1));
    assertThat(space.committedBytes()).isEqualTo(18 * MIB);
    assertThat(budget.committedBytes()).isLessThanOrEqualTo(20 * MIB);
  }

  @Test
  void whatTheFloorHasKept_goesAfterTheDelay_whenThePretouchHasFailed() {
    ElasticSpace space =
        spaces.build(
            spaces.builder("test").uncommitDelay(Duration.ofMillis(100)).reserveBytes(4096));
    long start = System.nanoTime();
    AtomicBoolean used = new AtomicBoolean();
    Pretouch pretouch =
        Pretouch.upTo(64 * MIB)
            .threads(1)
            .cancelWhen(() -> {
              if (used.getAndSet(true)) {
                return true;
              }
              try (ElasticArena arena = space.openConfined()) {
                var _ = arena.allocate(20 * MIB).fill((byte) 1);
              }
              return false;
            });
    assertThatThrownBy(() -> space.pretouch(pretouch)).isInstanceOf(CancellationException.class);
    long committedBytes = space.committedBytes();
    if (System.nanoTime() - start < Duration.ofMillis(100).toNanos()) { // else it may be late
      assertThat(committedBytes).isGreaterThan(4096);
    }
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (space.committedBytes() > 4096 && System.nanoTime() - deadline < 0) {
      sleep(5);
    }
    assertThat(space.committedBytes()).isLessThanOrEqualTo(4096);
  }

  @Test
  void undoThatFails_hidesNothing_andEndsThePretouch() {
    ElasticSpace space = spaces.space();
    IllegalStateException trouble = new IllegalStateException("discard");
    spaces.os.beforeDiscard(() -> {
      throw trouble;
    });
    AtomicInteger askedCount = new AtomicInteger();
    Pretouch pretouch =
        Pretouch.upTo(64 * MIB).threads(1).cancelWhen(() -> askedCount.incrementAndGet() == 4);
    assertThatThrownBy(() -> space.pretouch(pretouch))
        .isInstanceOf(CancellationException.class)
        .hasSuppressedException(trouble);
    assertThat(space.committedBytes()).isPositive();
    assertThat(space.floorBytes()).isZero();
    spaces.os.beforeDiscard(null);
    assertThat(space.pretouch(Pretouch.upTo(MIB)).touchedBytes()).isEqualTo(MIB);
    assertThat(space.trim()).isPositive();
    assertThat(space.committedBytes()).isZero();
    space.verify();
  }

  /**
   * A part that cannot go back the first time does not hold up the rest, and goes the second time.
   */
  @Test
  void undoThatFailsOnce_givesBackAllTheSame() {
    ElasticSpace space = spaces.space();
    AtomicInteger discardCount = new AtomicInteger();
    spaces.os.beforeDiscard(() -> {
      if (discardCount.incrementAndGet() == 1) {
        throw new IllegalStateException("discard");
      }
    });
    AtomicInteger askedCount = new AtomicInteger();
    Pretouch pretouch =
        Pretouch.upTo(64 * MIB).threads(1).cancelWhen(() -> askedCount.incrementAndGet() == 4);
    assertThatThrownBy(() -> space.pretouch(pretouch)).isInstanceOf(CancellationException.class);
    assertThat(discardCount).hasValueGreaterThan(1);
    assertThat(space.committedBytes()).isZero();
    spaces.os.beforeDiscard(null);
    space.verify();
  }

  @Test
  void touchThatThrows_leavesNothingClaimed() {
    ElasticSpace space = spaces.space();
    IllegalStateException trouble = new IllegalStateException("populate");
    beforePopulate(
        3,
        () -> {
          throw trouble;
        });
    assertThatThrownBy(() -> space.pretouch(Pretouch.upTo(64 * MIB).threads(1))).isSameAs(trouble);
    assertThat(space.committedBytes()).isZero();
    spaces.os.beforePopulate(null);
    space.verify();
  }
}
