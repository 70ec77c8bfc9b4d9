package dev.arenal.supply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.guard.Damage;
import dev.arenal.guard.StackSafeLock;
import dev.arenal.supply.Claims.Use;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which refusals are believed, and for how long a thread counts as one that tries again. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RetryTest {
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final Set<Use> WITH_OTHERS = EnumSet.of(Use.PRETOUCH, Use.LOAN);

  private final StackSafeLock lock = new StackSafeLock();
  private final Damage damage = new Damage("space", "s");
  private final Claims claims = new Claims(lock, damage);

  /** A request that is served at one of its attempts. */
  private class Request extends Retry {
    private final int servedAt;
    volatile int attemptCount;
    volatile int askedCount;
    volatile int putOffCount;
    boolean hasWaited;
    boolean isWorthIt = true;
    boolean isHelped;

    Request(boolean awaitsAll, int servedAt, long mostNanos) {
      super(
          claims,
          awaitsAll,
          awaitsAll ? claims.settledCountRacy() : claims.returnedCountRacy(),
          mostNanos);
      this.servedAt = servedAt;
    }

    Request(boolean awaitsAll, int servedAt) {
      this(awaitsAll, servedAt, LONG_NANOS);
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // by one thread
    protected boolean attempt() {
      attemptCount++;
      return attemptCount == servedAt;
    }

    @Override
    protected boolean isWorthIt() {
      assertThat(lock.isHeldByCurrentThread()).isTrue();
      hasWaited |= isWorthIt;
      return isWorthIt;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // by one thread
    protected boolean askOthers(boolean isFirst) {
      assertThat(lock.isHeldByCurrentThread()).isFalse();
      assertThat(isFirst).isEqualTo(askedCount == 0);
      askedCount++;
      return isFirst && isHelped;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // by one thread
    protected void discardPutOff() {
      putOffCount++;
    }
  }

  @Test
  void refusalWhileNothingIsClaimed_isBelieved() {
    for (boolean awaitsAll : new boolean[] {false, true}) {
      Request request = new Request(awaitsAll, 1);
      request.run();
      assertThat(request.attemptCount).isZero();
      assertThat(request.askedCount).isEqualTo(1);
    }
  }

  @Test
  void refusalWhileSomethingWasSettled_isTriedAgain() {
    for (Use use : Use.values()) {
      Request ofAll = new Request(true, 2);
      Request ofOthers = new Request(false, 2);
      locked(() -> claims.begin(use));
      locked(() -> claims.end(use));
      ofAll.run();
      ofOthers.run();
      assertThat(ofAll.attemptCount).isEqualTo(1);
      assertThat(ofOthers.attemptCount).isEqualTo(WITH_OTHERS.contains(use) ? 1 : 0);
    }
  }

  @Test
  void refusalWhileSomethingIsClaimed_waitsForIt() throws Exception {
    for (Use use : Use.values()) {
      locked(() -> claims.begin(use));
      assertServedAfter(new Request(true, 1), () -> claims.end(use));
    }
  }

  @Test
  void threadThatWaitsForOthers_waitsForTheFirstThingThatIsSettled() throws Exception {
    for (Use use : WITH_OTHERS) {
      locked(() -> claims.begin(use));
      locked(() -> claims.begin(use));
      assertServedAfter(new Request(false, 1), () -> claims.end(use));
      locked(() -> claims.end(use));
    }
  }

  @Test
  void threadThatWaitsForOthers_waitsNotForADiscard() {
    locked(() -> claims.begin(Use.DISCARD));
    locked(() -> claims.begin(Use.ASSEMBLY));
    Request request = new Request(false, 1);
    request.run();
    assertThat(request.attemptCount).isZero();
  }

  @Test
  void refusalThatClaimedMemoryCannotHelp_isBelieved() {
    locked(() -> claims.begin(Use.PRETOUCH));
    Request request = new Request(false, 1);
    request.isWorthIt = false;
    request.run();
    assertThat(request.attemptCount).isZero();
    assertThat(locked(claims::isAwaited)).isFalse();
  }

  @Test
  void refusalAfterTheDeadline_isBelieved() {
    locked(() -> claims.begin(Use.PRETOUCH));
    Request late = new Request(true, 1, 0);
    late.run();
    assertThat(late.attemptCount).isZero();
    Request patient;
    long mostNanos = TimeUnit.MILLISECONDS.toNanos(5);
    do { // until this thread comes to its wait before the deadline
      mostNanos *= 2;
      patient = new Request(false, 0, mostNanos);
      patient.run();
      assertThat(patient.attemptCount).isEqualTo(patient.hasWaited ? 1 : 0);
    } while (!patient.hasWaited);
  }

  @Test
  void damage_endsTheTries() {
    locked(() -> claims.begin(Use.PRETOUCH));
    damage.note(new StackOverflowError());
    for (boolean awaitsAll : new boolean[] {false, true}) {
      Request request = new Request(awaitsAll, 1);
      request.run();
      assertThat(request.attemptCount).isZero();
    }
  }

  @Test
  void others_areAskedTwice() {
    Request request = new Request(true, 3);
    request.isHelped = true;
    request.run();
    assertThat(request.attemptCount).isEqualTo(1);
    assertThat(request.askedCount).isEqualTo(2);
  }

  @Test
  void thread_countsAsOneThatTriesAgain_fromItsFirstWaitToTheEnd() throws Exception {
    locked(() -> claims.begin(Use.LOAN));
    Request request =
        new Request(false, 2) {
          @Override
          protected boolean attempt() {
            assertThat(locked(claims::isAwaited)).isTrue();
            try {
              Thread.ofPlatform().start(() -> locked(claims::putsOff)).join();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
            return super.attempt();
          }
        };
    assertThat(locked(claims::isAwaited)).isFalse();
    Thread settler = endOnceAwaited(Use.LOAN);
    request.run();
    settler.join();
    assertThat(request.attemptCount).isEqualTo(1);
    assertThat(locked(claims::isAwaited)).isFalse();
    assertThat(request.putOffCount).as("the discard was put off").isEqualTo(1);
  }

  @Test
  void threadThatEndsByAnError_triesNotAgain() throws Exception {
    locked(() -> claims.begin(Use.LOAN));
    Request request =
        new Request(false, 2) {
          @Override
          protected boolean attempt() {
            assertThat(locked(claims::isAwaited)).isTrue();
            throw new OutOfMemoryError("test");
          }
        };
    Thread settler = endOnceAwaited(Use.LOAN);
    assertThatThrownBy(request::run).isInstanceOf(OutOfMemoryError.class);
    settler.join();
    assertThat(locked(claims::isAwaited)).isFalse();
  }

  @Test
  void requestInsideAnother_leavesTheOuterOneKnown() {
    Request outer =
        new Request(true, 1) {
          @Override
          protected boolean askOthers(boolean isFirst) {
            enter();
            Request inner =
                new Request(true, 1) {
                  @Override
                  protected boolean askOthers(boolean isFirst) {
                    enter();
                    enter();
                    return false;
                  }
                };
            inner.run();
            return locked(claims::isAwaited);
          }
        };
    outer.run();
    assertThat(outer.attemptCount).isEqualTo(1);
    assertThat(locked(claims::isAwaited)).isFalse();
  }

  private Thread endOnceAwaited(Use use) {
    return Thread.ofPlatform()
        .start(() -> {
          while (!locked(claims::isAwaited)) {
            Thread.onSpinWait();
          }
          locked(() -> claims.end(use));
        });
  }

  private void assertServedAfter(Request request, Runnable settlement) throws Exception {
    Thread thread = Thread.ofPlatform().start(request::run);
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.sleep(1);
    }
    assertThat(request.attemptCount).isZero();
    assertThat(locked(claims::isAwaited)).isTrue();
    locked(settlement);
    thread.join();
    assertThat(request.attemptCount).isEqualTo(1);
    assertThat(locked(claims::isAwaited)).isFalse();
  }

  private void locked(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }

  private boolean locked(BooleanSupplier action) {
    lock.lock();
    try {
      return action.getAsBoolean();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Memory that came back between the refusal and the look may serve: the thread waits for no more.
   */
  @Test
  void returnSinceTheAttempt_isTriedAtOnce_whileMoreIsClaimed() {
    locked(() -> claims.begin(Use.LOAN));
    locked(() -> claims.begin(Use.LOAN));
    Request request = new Request(false, 1, TimeUnit.HOURS.toNanos(1)); // the test has less
    locked(() -> claims.end(Use.LOAN));
    request.run();
    assertThat(request.attemptCount).isEqualTo(1);
  }

  /** Other arenas may discard without end: that is no reason to try for ten seconds. */
  @Test
  void discardsWithoutEnd_endTheTries() {
    Request request =
        new Request(true, Integer.MAX_VALUE) {
          @Override
          protected boolean attempt() {
            locked(() -> claims.begin(Use.DISCARD));
            locked(() -> claims.end(Use.DISCARD));
            return super.attempt();
          }
        };
    locked(() -> claims.begin(Use.DISCARD));
    locked(() -> claims.end(Use.DISCARD));
    request.run();
    assertThat(request.attemptCount).isEqualTo(16);
  }

  /** What others have in hand comes back: that is worth more rounds. */
  @Test
  void loansWithoutEnd_endNoTries() {
    locked(() -> claims.begin(Use.LOAN));
    Request request = new Request(false, 40, TimeUnit.HOURS.toNanos(1)) { // the test has less
          @Override
          protected boolean attempt() {
            locked(() -> claims.begin(Use.LOAN));
            locked(() -> claims.end(Use.LOAN));
            return super.attempt();
          }
        };
    locked(() -> claims.begin(Use.LOAN));
    locked(() -> claims.end(Use.LOAN));
    request.run();
    assertThat(request.attemptCount).isEqualTo(40);
  }

  @Test
  void discardThatWasPutOff_isDueAtTheEnd_alsoWhereTheThreadHasLeftBefore() {
    Request request =
        new Request(true, 1) {
          @Override
          protected boolean askOthers(boolean isFirst) {
            enter();
            assertThat(locked(claims::putsOff)).isTrue();
            leaveForNow();
            return super.askOthers(isFirst);
          }
        };
    request.run();
    assertThat(request.putOffCount).isEqualTo(1);
  }
}
