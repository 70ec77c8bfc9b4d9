package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.memory.Budget;
import dev.arenal.reserve.Ledger;
import dev.arenal.stats.Await;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** First come, first served; and no thread waits longer than it wants, or in vain. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class StallQueueTest {
  private static final long MINUTE = 60_000_000_000L;
  private static final long HOUR = 60 * MINUTE;
  private static final long MILLISECOND = 1_000_000;
  private static final int MANY = 1000;

  /** A second, of all that sleep. */
  private static final int MOST_LOOKS = 300;

  private StallQueue queue = new StallQueue(StallQueue.LONGEST_PARK_NANOS);

  /** The memory that threads wait for. */
  private final AtomicInteger free = new AtomicInteger();

  private final AtomicInteger attemptCount = new AtomicInteger();

  /** Attempts behind the first one. */
  private final AtomicInteger looks = new AtomicInteger();

  @Test
  void firstAttempt_isMadeAtOnce_evenWithoutTimeToWait() {
    free.set(2);
    assertThat(queue.await(this::take, 0)).isEqualTo("taken");
    assertThat(queue.await(this::take, -1)).isEqualTo("taken");
    assertThat(queue.await(this::take, 0)).isNull();
    assertThat(attemptCount.get()).isEqualTo(3);
    assertThat(queue.waitingCount()).isZero();
  }

  @Test
  void timeThatIsUp_endsTheWait_notBefore() {
    long start = System.nanoTime();
    assertThat(queue.await(this::take, 30 * MILLISECOND)).isNull();
    assertThat(System.nanoTime() - start).isBetween(30 * MILLISECOND, MINUTE / 2);
    assertThat(queue.waitingCount()).isZero();
    assertThat(queue.mayGrow()).isTrue();
  }

  @Test
  void longestTime_isNotAnOverflow() throws InterruptedException {
    Waiter waiter = start(Long.MAX_VALUE);
    awaitAttempts(3);
    assertThat(waiter.thread.isAlive()).isTrue();
    release();
    waiter.join();
    assertThat(waiter.result).isEqualTo("taken");
  }

  @Test
  void threads_areServedInTheOrderInWhichTheyCame() throws InterruptedException {
    List<Waiter> waiters = new ArrayList<>();
    List<Waiter> served = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < 8; i++) {
      waiters.add(start(served, MINUTE));
      int count = i + 1;
      Await.until(() -> queue.waitingCount() == count);
    }
    for (int i = 0; i < 8; i++) {
      release();
      int count = i + 1;
      Await.until(() -> served.size() == count);
    }
    for (Waiter waiter : waiters) {
      waiter.join();
    }
    assertThat(served).containsExactlyElementsOf(waiters);
  }

  @Test
  void onlyTheFirst_mayGrow() throws InterruptedException {
    queue.exclusiveNanos = HOUR; // however long this test takes
    assertThat(queue.mayGrow()).isTrue();
    List<Boolean> inAttempt = Collections.synchronizedList(new ArrayList<>());
    StallQueue.Request<String> attempt =
        () -> {
          inAttempt.add(queue.mayGrow());
          return take();
        };
    Waiter first = new Waiter(() -> queue.await(attempt, MINUTE));
    Await.until(() -> !inAttempt.isEmpty());
    assertThat(queue.mayGrow()).isFalse();
    Waiter second = start(MINUTE);
    Await.until(() -> queue.waitingCount() == 2);
    assertThat(queue.mayGrow()).isFalse();
    release();
    first.join();
    assertThat(queue.mayGrow()).isFalse();
    release();
    second.join();
    assertThat(queue.mayGrow()).isTrue();
    assertThat(inAttempt).isNotEmpty().containsOnly(true);
  }

  @Test
  void othersOfTheBudget_areAskedNowAndThen_whileAThreadWaits() throws InterruptedException {
    assertThat(queue.mayAskOthers()).isTrue();
    assertThat(queue.mayAskOthers()).isTrue();
    Waiter first = start(MINUTE);
    awaitAttempts(1);
    AtomicLong askedNanos = new AtomicLong();
    boolean isAskedAgain;
    do { // until this thread was not interrupted in between for as long as they are left in peace
      Await.until(() -> {
        askedNanos.set(System.nanoTime());
        return queue.mayAskOthers();
      });
      isAskedAgain = queue.mayAskOthers();
    } while (System.nanoTime() - askedNanos.get() >= 50 * MILLISECOND);
    assertThat(isAskedAgain).isFalse();
    Await.until(queue::mayAskOthers);
    release();
    first.join();
  }

  @Test
  void othersDoNotEvenTry_beforeItIsTheirTurn() throws InterruptedException {
    AtomicInteger early = new AtomicInteger();
    Waiter first = start(MINUTE);
    awaitAttempts(1);
    Waiter second =
        new Waiter(() ->
            queue.await(
                () -> {
                  early.addAndGet(first.thread.isAlive() ? 1 : 0);
                  return take();
                },
                MINUTE));
    Await.until(() -> queue.waitingCount() == 2);
    awaitAttempts(5); // of the first one, while the second one is there
    assertThat(early.get()).isZero();
    free.set(1);
    first.join();
    release();
    second.join();
  }

  /** The others have their turn then. */
  @Test
  void interrupt_endsTheWait_andStays() throws InterruptedException {
    Waiter first = start(MINUTE);
    awaitAttempts(1);
    Waiter second = start(MINUTE);
    Await.until(() -> queue.waitingCount() == 2);
    first.thread.interrupt();
    first.join();
    assertThat(first.result).isNull();
    assertThat(first.wasInterrupted).isTrue();
    release();
    second.join();
    assertThat(second.result).isEqualTo("taken");
    assertThat(second.wasInterrupted).isFalse();
    assertThat(queue.waitingCount()).isZero();
  }

  /** A thread that is not the first one leaves nothing behind when its time is up. */
  @Test
  void timeOutInTheMiddle_keepsTheOrder() throws InterruptedException {
    Waiter first = start(MINUTE);
    awaitAttempts(1);
    Waiter impatient = start(20 * MILLISECOND);
    impatient.join();
    assertThat(impatient.result).isNull();
    assertThat(queue.waitingCount()).isEqualTo(1);
    release();
    first.join();
    assertThat(first.result).isEqualTo("taken");
    assertThat(queue.mayGrow()).isTrue();
  }

  @Test
  void attemptThatThrows_leavesTheQueue() {
    IllegalStateException error = new IllegalStateException("closed meanwhile");
    assertThatThrownBy(() ->
            queue.await(
                () -> {
                  throw error;
                },
                MINUTE))
        .isSameAs(error);
    assertThat(queue.waitingCount()).isZero();
    assertThat(queue.mayGrow()).isTrue();
  }

  /** Without signals it never wakes up: the time after which it looks by itself is an hour here. */
  @Test
  void signal_wakesTheFirst() throws InterruptedException {
    queue = new StallQueue(HOUR);
    Waiter waiter = start(HOUR);
    awaitAttempts(1);
    for (int i = 0; i < 31; i++) {
      int before = attemptCount.get();
      queue.signal();
      awaitAttempts(before + 1);
    }
    release();
    waiter.join();
    assertThat(waiter.result).isEqualTo("taken");
  }

  /** The same: it does not look by itself. */
  @Test
  void limitOfTheBudget_wakesTheFirst() throws InterruptedException {
    Budget budget = Budget.limitedTo("b", 10);
    Ledger ledger = Ledger.of(budget);
    queue = new StallQueue(HOUR);
    ledger.addListener(queue);
    assertThat(ledger.tryCommit(10)).isTrue();
    StallQueue.Request<String> attempt =
        () -> {
          boolean isTaken = ledger.tryCommit(10);
          var _ = attemptCount.incrementAndGet();
          return isTaken ? "taken" : null;
        };
    for (int i = 2; i < 32; i++) {
      int before = attemptCount.get();
      Waiter waiter = new Waiter(() -> queue.await(attempt, HOUR));
      awaitAttempts(before + 1);
      budget.setLimitBytes(10L * i);
      waiter.join();
      assertThat(waiter.result).isEqualTo("taken");
    }
    assertThat(budget.committedBytes()).isEqualTo(310);
  }

  /** A thread that leaves tells the next one, whatever the outcome was. */
  @Test
  void whoLeaves_wakesTheNext() throws InterruptedException {
    queue = new StallQueue(HOUR);
    for (int i = 0; i < 31; i++) {
      int before = attemptCount.get();
      Waiter first = start(HOUR);
      awaitAttempts(before + 1);
      Waiter second = start(HOUR);
      Await.until(() -> queue.waitingCount() == 2);
      free.set(2);
      queue.signal();
      first.join();
      second.join();
      assertThat(second.result).isEqualTo("taken");
    }
  }

  // ---- behind the first one: so many that each looks by itself only every ten seconds ----

  @Test
  void whatIsOfNoUseToTheFirst_wakesTheOthers() throws InterruptedException {
    AtomicInteger small = new AtomicInteger();
    Waiter first = start(MINUTE);
    queue.queuedParkNanosEach = MINUTE;
    List<Waiter> others = startBehind(() -> takeOne(small));
    awaitQuiet();
    small.set(MANY);
    queue.signal();
    awaitAllServed();
    joinAll(others, "small");
    release();
    first.join();
  }

  /** They could burn a processor otherwise. */
  @Test
  void whileNothingIsFreed_theySleep() throws InterruptedException {
    Waiter first = start(MINUTE);
    List<Waiter> others = startBehind(() -> null);
    awaitQuiet();
    Await.until(() -> isQuiet(1000, MOST_LOOKS, 50));
    for (Waiter other : others) {
      other.thread.interrupt();
    }
    joinAll(others, null);
    release();
    first.join();
  }

  @Test
  void othersThatMayTakePages_lookSoon() throws InterruptedException {
    Waiter first = start(MINUTE);
    queue.queuedParkNanosEach = MINUTE;
    List<Waiter> others = startBehind(() -> queue.mayGrow() ? "page" : null);
    awaitAllServed();
    joinAll(others, "page");
    release();
    first.join();
  }

  /** Other users of a budget do not tell the queue. */
  @Test
  void roomInTheBudget_isForTheOthersAsWell() throws InterruptedException {
    Ledger ledger = Ledger.of(Budget.limitedTo("b", MANY));
    queue = new StallQueue(ledger);
    queue.queuedParkNanosEach = MINUTE;
    assertThat(ledger.tryCommit(MANY)).isTrue();
    Waiter first = start(MINUTE);
    List<Waiter> others = startBehind(() -> ledger.tryCommit(1) ? "room" : null);
    awaitQuiet();
    ledger.uncommit(MANY);
    awaitAllServed();
    joinAll(others, "room");
    release();
    first.join();
  }

  // ---- helpers ----

  /** Virtual threads behind a first one, which has tried. */
  private List<Waiter> startBehind(Supplier<@Nullable String> attempt) {
    awaitAttempts(1);
    StallQueue.Request<String> request =
        new StallQueue.Request<>() {
          @Override
          public @Nullable String attempt() {
            return attempt.get();
          }

          @Override
          public @Nullable String attemptBehind() {
            var _ = looks.incrementAndGet();
            return attempt.get();
          }
        };
    List<Waiter> waiters = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      waiters.add(new Waiter(Thread.ofVirtual(), () -> queue.await(request, MINUTE)));
    }
    return waiters;
  }

  /** After the second of the first one is over, and all others have been woken for that. */
  private void awaitQuiet() {
    Await.until(() -> queue.mayGrow() && queue.waitingCount() == 1 + MANY);
    Await.until(() -> isQuiet(500, MOST_LOOKS / 2, Integer.MAX_VALUE));
  }

  /** Whether they look no more often while this thread sleeps for that long, or longer. */
  private boolean isQuiet(long millis, int mostLooks, int mostAttempts) {
    int looksBefore = looks.get();
    int attemptsBefore = attemptCount.get();
    LockSupport.parkNanos(millis * MILLISECOND);
    return looks.get() - looksBefore < mostLooks
        && attemptCount.get() - attemptsBefore < mostAttempts;
  }

  /** They have been woken: none looks by itself within the time of the test. */
  private void awaitAllServed() {
    Await.until(() -> queue.waitingCount() == 1);
  }

  private static void joinAll(List<Waiter> waiters, @Nullable String result)
      throws InterruptedException {
    for (Waiter waiter : waiters) {
      waiter.join();
      assertThat(waiter.result).isEqualTo(result);
    }
  }

  private static @Nullable String takeOne(AtomicInteger small) {
    int seen = small.get();
    while (seen > 0 && !small.compareAndSet(seen, seen - 1)) {
      seen = small.get();
    }
    return seen > 0 ? "small" : null;
  }

  private @Nullable String take() {
    var _ = attemptCount.incrementAndGet();
    int seen = free.get();
    return seen > 0 && free.compareAndSet(seen, seen - 1) ? "taken" : null;
  }

  private void release() {
    var _ = free.incrementAndGet();
    queue.signal();
  }

  private void awaitAttempts(int count) {
    Await.until(() -> attemptCount.get() >= count);
  }

  private Waiter start(long nanos) {
    return new Waiter(() -> queue.await(this::take, nanos));
  }

  private Waiter start(List<Waiter> served, long nanos) {
    Waiter[] self = new Waiter[1];
    self[0] =
        new Waiter(() -> {
          String result = queue.await(this::take, nanos);
          served.add(self[0]);
          return result;
        });
    return self[0];
  }

  /** A thread that waits. */
  private static final class Waiter {
    final Thread thread;
    volatile @Nullable String result;
    volatile boolean wasInterrupted;

    Waiter(Supplier<@Nullable String> body) {
      this(Thread.ofPlatform(), body);
    }

    Waiter(Thread.Builder builder, Supplier<@Nullable String> body) {
      thread =
          builder.unstarted(() -> {
            result = body.get();
            wasInterrupted = Thread.currentThread().isInterrupted();
          });
      thread.start();
    }

    void join() throws InterruptedException {
      thread.join(30_000);
      assertThat(thread.isAlive()).as("still waiting").isFalse();
    }
  }
}
