package dev.arenal.supply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.guard.Damage;
import dev.arenal.guard.StackSafeLock;
import dev.arenal.supply.Claims.Use;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long a thread waits for others, and which work makes way. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ClaimsTest {
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The test has less. */
  private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

  private final StackSafeLock lock = new StackSafeLock();
  private final Damage damage = new Damage("space", "s");
  private final Claims claims = new Claims(lock, damage);

  @Test
  void awaitNone_ofADamagedOwner_endsAlthoughSomethingIsClaimed() {
    locked(() -> claims.begin(Use.DISCARD));
    damage.note(new StackOverflowError());
    locked(() -> claims.awaitNone(0));
    assertThat(claims.count(Use.DISCARD)).isEqualTo(1);
  }

  /** The exception of an interrupted wait needs room. */
  @Test
  void waitInAFullJavaHeap_goesOn_andStaysInterrupted() {
    StackSafeLock full =
        new StackSafeLock() {
          @Override
          public Condition newCondition() {
            return fullHeap();
          }
        };
    Claims inFull = new Claims(full, damage);
    full.lock();
    try {
      Thread.currentThread().interrupt();
      inFull.awaitMoment();
      assertThat(Thread.interrupted()).isTrue();
      inFull.awaitMoment();
      assertThat(Thread.interrupted()).as("it came while the thread waited").isTrue();
    } finally {
      full.unlock();
    }
  }

  /** A thread is interrupted in each wait, and there is no room for the exception. */
  private static Condition fullHeap() {
    return (Condition)
        Proxy.newProxyInstance(
            ClaimsTest.class.getClassLoader(),
            new Class<?>[] {Condition.class},
            (_, _, _) -> {
              throw new OutOfMemoryError("Java heap space");
            });
  }

  @Test
  void brief_isWaitedFor_andAPretouchIsNot() throws Exception {
    assertThat(claims.awaitDiscards()).isFalse();
    locked(() -> claims.begin(Use.PRETOUCH));
    assertThat(claims.awaitDiscards()).isFalse();
    locked(() -> claims.begin(Use.DISCARD));
    CompletableFuture<Boolean> waited = new CompletableFuture<>();
    Thread thread = Thread.ofPlatform().start(() -> waited.complete(claims.awaitDiscards()));
    awaitWaiting(thread);
    locked(() -> claims.end(Use.DISCARD));
    assertThat(waited.get()).isTrue();
    thread.join();
  }

  @Test
  void briefOnesThatFollowEachOther_areNotWaitedForWithoutEnd() throws Exception {
    locked(() -> claims.begin(Use.DISCARD));
    CompletableFuture<Boolean> waited = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform().start(() -> waited.complete(claims.awaitDiscards(HOUR_NANOS)));
    awaitWaiting(thread);
    for (int i = 0; i < 8; i++) {
      locked(() -> claims.begin(Use.DISCARD));
      locked(() -> claims.end(Use.DISCARD)); // one is always left
    }
    assertThat(waited.get()).isTrue();
    thread.join();
  }

  @Test
  void makeWay_endsWithTheTries_andForTheThreadItselfAtOnce() throws Exception {
    Retry request = enter();
    locked(() -> claims.begin(Use.PRETOUCH));
    long startNanos = System.nanoTime();
    locked(claims::makeWay); // it is this thread that tries again
    assertThat(System.nanoTime() - startNanos).isLessThan(LONG_NANOS);
    Thread thread = Thread.ofPlatform().start(() -> locked(claims::makeWay));
    awaitWaiting(thread);
    startNanos = System.nanoTime();
    assertThat(leave(request)).isFalse();
    thread.join();
    assertThat(System.nanoTime() - startNanos).isLessThan(LONG_NANOS);
  }

  @Test
  void makeWay_doesNotWaitForEver() throws Exception {
    Thread other = Thread.ofPlatform().start(this::enter);
    other.join();
    long startNanos = System.nanoTime();
    locked(claims::makeWay); // a fifth of a second, since nothing is in the hands of a pretouch
    assertThat(System.nanoTime() - startNanos).isLessThan(LONG_NANOS);
    assertThat(locked(claims::isAwaited)).isTrue();
  }

  @Test
  void discardThatWasPutOff_isDueAfterTheLastTry() throws Exception {
    assertThat(locked(claims::putsOff)).isFalse();
    Retry first = enter();
    Retry second = enter();
    assertThat(byAnother(claims::putsOff)).isTrue();
    assertThat(leave(first)).isFalse();
    assertThat(leave(second)).isTrue();
    assertThat(leave(enter())).isFalse();
  }

  @Test
  void discardByTheThreadThatTriesAgain_isPutOff_andDueAfterwards() {
    Retry request = enter();
    assertThat(locked(claims::isAwaited)).isTrue();
    assertThat(locked(claims::putsOff)).as("what its reclaimer frees may serve it").isTrue();
    assertThat(leave(request)).isTrue();
  }

  @Test
  void requestWhoseThreadEndedWithoutAWord_isForgotten() throws Exception {
    Retry request = request(TimeUnit.MILLISECONDS.toNanos(20));
    locked(() -> claims.addRetrying(request));
    while (locked(claims::isAwaited)) { // twice its time, and not for ever
      Thread.sleep(1);
    }
    assertThat(byAnother(claims::putsOff)).isFalse();
    Retry next = enter();
    assertThat(leave(request)).as("it was removed by the next one").isFalse();
    assertThat(locked(claims::isAwaited)).isTrue();
    assertThat(leave(next)).isFalse();
  }

  @Test
  void interrupt_endsNoWait_andIsKept() throws Exception {
    locked(() -> claims.begin(Use.DISCARD));
    CompletableFuture<Boolean> isInterrupted = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              Thread.currentThread().interrupt();
              var _ = claims.awaitDiscards();
              isInterrupted.complete(Thread.currentThread().isInterrupted());
            });
    awaitWaiting(thread);
    assertThat(isInterrupted).isNotDone();
    locked(() -> claims.end(Use.DISCARD));
    assertThat(isInterrupted.get()).isTrue();
    thread.join();
  }

  @Test
  void toString_hasTheCounts() {
    locked(() -> claims.begin(Use.ASSEMBLY));
    assertThat(claims).hasToString("discardCount=0, pretouchCount=0, assemblyCount=1, loanCount=0");
  }

  private Retry enter() {
    Retry request = request(LONG_NANOS);
    locked(() -> claims.addRetrying(request));
    return request;
  }

  private Retry request(long mostNanos) {
    return new Retry(claims, true, 0, mostNanos) {
      @Override
      protected boolean attempt() {
        return true;
      }
    };
  }

  private boolean leave(Retry request) {
    return locked(() -> claims.removeRetrying(request));
  }

  private boolean byAnother(BooleanSupplier action) throws Exception {
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    Thread.ofPlatform().start(() -> result.complete(locked(action))).join();
    return result.get();
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

  /** A thread that holds the lock of a heap waits for a discard no longer than it may. */
  @Test
  void awaitDiscards_endsInTime() {
    locked(() -> claims.begin(Use.DISCARD));
    long startNanos = System.nanoTime();
    assertThat(claims.awaitDiscards(TimeUnit.MILLISECONDS.toNanos(50))).isTrue();
    assertThat(System.nanoTime() - startNanos)
        .isBetween(TimeUnit.MILLISECONDS.toNanos(50), LONG_NANOS);
    locked(() -> claims.end(Use.DISCARD));
    assertThat(claims.awaitDiscards(0)).isFalse();
  }
}
