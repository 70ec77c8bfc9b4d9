package dev.arenal.supply;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.guard.Damage;
import dev.arenal.guard.StackSafeLock;
import dev.arenal.supply.Claims.Use;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which refusals are believed, and how long a thread waits for others. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ClaimsTest {
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final StackSafeLock lock = new StackSafeLock();
  private final Damage damage = new Damage("space", "s");
  private final Claims claims = new Claims(lock, damage);
  private final AtomicInteger attempts = new AtomicInteger();

  @Test
  void refusalWhileNothingIsClaimed_isBelieved() {
    long changes = claims.changeCountRacy();
    assertThat(claims.retry(this::refuse, -7, changes, Claims.deadlineNanos())).isEqualTo(-7);
    assertThat(attempts).hasValue(0);
  }

  @Test
  void refusalWhileSomethingWasSettled_isTriedAgain() {
    long changes = claims.changeCountRacy();
    locked(() -> claims.begin(Use.BRIEF));
    locked(() -> claims.end(Use.BRIEF));
    assertThat(claims.retry(this::refuse, -7, changes, Claims.deadlineNanos())).isEqualTo(-8);
    assertThat(attempts).hasValue(1);
  }

  @Test
  void refusalWhileSomethingIsClaimed_waitsForIt() throws Exception {
    for (Use use : Use.values()) {
      locked(() -> claims.begin(use));
      long changes = claims.changeCountRacy();
      CompletableFuture<Long> result = new CompletableFuture<>();
      Thread thread =
          Thread.ofPlatform()
              .start(() ->
                  result.complete(claims.retry(() -> 5, -7, changes, Claims.deadlineNanos())));
      awaitWaiting(thread);
      assertThat(result).isNotDone();
      locked(() -> claims.end(use));
      assertThat(result.get()).isEqualTo(5);
      thread.join();
    }
  }

  @Test
  void refusalAfterTheDeadline_isBelieved() {
    locked(() -> claims.begin(Use.BRIEF));
    assertThat(claims.retry(this::refuse, -7, 0, System.nanoTime())).isEqualTo(-7);
    assertThat(attempts).hasValue(0);
  }

  @Test
  void success_isNotTriedAgain() {
    locked(() -> claims.begin(Use.BRIEF));
    assertThat(claims.retry(this::refuse, 3, 0, Claims.deadlineNanos())).isEqualTo(3);
    assertThat(attempts).hasValue(0);
  }

  @Test
  void damage_endsTheWait_andTheTries() {
    locked(() -> claims.begin(Use.BRIEF));
    damage.note(new StackOverflowError());
    long deadlineNanos = System.nanoTime() + MILLISECONDS.toNanos(50);
    assertThat(claims.retry(this::refuse, -7, 0, deadlineNanos)).isEqualTo(-8);
    locked(() -> claims.awaitNone(0));
    assertThat(locked(() -> claims.awaitReturn(Long.MAX_VALUE))).isFalse();
  }

  @Test
  void brief_isWaitedFor_andAPretouchIsNot() throws Exception {
    assertThat(claims.awaitBrief()).isFalse();
    locked(() -> claims.begin(Use.PRETOUCH));
    assertThat(claims.awaitBrief()).isFalse();
    locked(() -> claims.begin(Use.BRIEF));
    CompletableFuture<Boolean> waited = new CompletableFuture<>();
    Thread thread = Thread.ofPlatform().start(() -> waited.complete(claims.awaitBrief()));
    awaitWaiting(thread);
    locked(() -> claims.end(Use.BRIEF));
    assertThat(waited.get()).isTrue();
    thread.join();
  }

  @Test
  void briefOnesThatFollowEachOther_areNotWaitedForWithoutEnd() throws Exception {
    locked(() -> claims.begin(Use.BRIEF));
    CompletableFuture<Boolean> waited = new CompletableFuture<>();
    Thread thread = Thread.ofPlatform().start(() -> waited.complete(claims.awaitBrief()));
    awaitWaiting(thread);
    for (int i = 0; i < 8; i++) {
      locked(() -> claims.begin(Use.BRIEF));
      locked(() -> claims.end(Use.BRIEF)); // one is always left
    }
    assertThat(waited.get()).isTrue();
    thread.join();
  }

  @Test
  void pretouch_isWaitedForAsLongAsItHasSomethingInHand() throws Exception {
    assertThat(locked(() -> claims.awaitReturn(System.nanoTime() + LONG_NANOS))).isFalse();
    locked(() -> claims.begin(Use.PRETOUCH));
    assertThat(locked(() -> claims.awaitReturn(System.nanoTime()))).isFalse();
    assertThat(locked(claims::isAwaited)).isFalse();
    CompletableFuture<Boolean> waited = new CompletableFuture<>();
    Thread thread = Thread.ofPlatform().start(() -> waited.complete(awaitPretouchTwice()));
    awaitWaiting(thread);
    assertThat(locked(claims::isAwaited)).isTrue();
    locked(() -> claims.end(Use.PRETOUCH));
    assertThat(waited.get()).as("as one that tries again, until it says so").isTrue();
    thread.join();
    assertThat(locked(claims::isAwaited)).isFalse();
  }

  private boolean awaitPretouchTwice() {
    boolean isAgain = locked(() -> claims.awaitReturn(System.nanoTime() + LONG_NANOS));
    boolean isLast = !locked(() -> claims.awaitReturn(System.nanoTime() + LONG_NANOS));
    boolean isKnown = locked(claims::isAwaited);
    var _ = claims.endRetry();
    return isAgain && isLast && isKnown;
  }

  @Test
  void makeWay_endsWithTheTries_andForTheThreadItselfAtOnce() throws Exception {
    claims.enterRetry();
    locked(() -> claims.begin(Use.PRETOUCH));
    long startNanos = System.nanoTime();
    locked(claims::makeWay); // it is this thread that tries again
    assertThat(System.nanoTime() - startNanos).isLessThan(LONG_NANOS);
    locked(() -> claims.end(Use.PRETOUCH));
    Thread thread = Thread.ofPlatform().start(() -> locked(claims::makeWay));
    awaitWaiting(thread);
    assertThat(claims.endRetry()).isFalse();
    thread.join();
  }

  @Test
  void makeWay_doesNotWaitForEver() throws Exception {
    Thread other = Thread.ofPlatform().start(claims::enterRetry);
    other.join();
    locked(claims::makeWay); // a fifth of a second, since nothing is in the hands of a pretouch
    assertThat(locked(claims::isAwaited)).isTrue();
  }

  @Test
  void discardThatWasPutOff_isDueAfterTheLastTry() {
    assertThat(locked(claims::putsOff)).isFalse();
    claims.enterRetry();
    claims.enterRetry();
    assertThat(locked(claims::putsOff)).isTrue();
    assertThat(claims.endRetry()).isFalse();
    assertThat(claims.endRetry()).isTrue();
    claims.enterRetry();
    assertThat(claims.endRetry()).isFalse();
  }

  @Test
  void interrupt_endsNoWait_andIsKept() throws Exception {
    locked(() -> claims.begin(Use.BRIEF));
    CompletableFuture<Boolean> isInterrupted = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              Thread.currentThread().interrupt();
              var _ = claims.awaitBrief();
              isInterrupted.complete(Thread.currentThread().isInterrupted());
            });
    awaitWaiting(thread);
    assertThat(isInterrupted).isNotDone();
    locked(() -> claims.end(Use.BRIEF));
    assertThat(isInterrupted.get()).isTrue();
    thread.join();
  }

  @Test
  void toString_hasTheCounts() {
    locked(() -> claims.begin(Use.ASSEMBLY));
    assertThat(claims).hasToString("briefCount=0, pretouchCount=0, assemblyCount=1, loanCount=0");
  }

  private long refuse() {
    var _ = attempts.incrementAndGet();
    return -8;
  }

  private static void awaitWaiting(Thread thread) throws InterruptedException {
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.sleep(1);
    }
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
}
