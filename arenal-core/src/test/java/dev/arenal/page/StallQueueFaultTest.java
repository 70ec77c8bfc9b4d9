package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import dev.arenal.stats.Await;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A request that finds the Java heap full as it begins to wait costs those that wait nothing. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class StallQueueFaultTest {
  @ParameterizedTest
  @EnumSource(names = {"HEAP", "GROWTH"})
  void fullHeap_asOneMoreComes_keepsAllThatWait(Fault fault) {
    assertThat(FaultSweep.everyPlace(OneMore.class, fault, 1)).isNotNegative();
    assertThat(FaultSweep.fromEveryPlace(OneMore.class, fault, 1)).isNotNegative();
  }

  /** A thread that leaves wakes up the next one, wherever its stack ends on the way out. */
  @Test
  void endOfTheStack_asOneLeaves_wakesUpTheNext() {
    assertThat(FaultSweep.everyPlace(Leaving.class, Fault.STACK, 1)).isGreaterThan(5);
  }

  /** A collection of the JDK may throw when it has grown by half: the queue is linked by hand. */
  @Test
  void queue_isNoCollectionOfTheJdk() {
    assertThat(StallQueue.class.getDeclaredFields())
        .extracting(Field::getType)
        .noneMatch(Collection.class::isAssignableFrom)
        .noneMatch(Map.class::isAssignableFrom)
        .noneMatch(Class::isArray);
  }

  /** More than a deque of the JDK has room for at the beginning. */
  public static final class OneMore implements FaultProgram {
    private static final int COUNT_WAITING = 17;
    private static final long MINUTE = 60_000_000_000L;

    private final StallQueue queue = new StallQueue(StallQueue.LONGEST_PARK_NANOS);
    private final AtomicInteger servedCount = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isThere;

    /** For the sweep. */
    public OneMore() {}

    @Override
    public void prepare() {
      queue.exclusiveNanos = MINUTE; // however long it takes
      StallQueue.Request<String> attempt = () -> isThere ? "taken" : null;
      for (int i = 1; i <= COUNT_WAITING; i++) {
        Runnable wait =
            () -> {
              if (queue.await(attempt, MINUTE) != null) {
                servedCount.incrementAndGet();
              }
            };
        threads.add(Thread.ofPlatform().daemon().start(wait));
        int count = i;
        Await.until(() -> queue.waitingCount() == count);
      }
    }

    @Override
    public void operate() {
      assertThat(queue.<String>await(() -> null, 0)).isNull();
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      assertThat(thrown == null || thrown instanceof OutOfMemoryError).isTrue();
      assertThat(queue.waitingCount()).isEqualTo(COUNT_WAITING);
      assertThat(queue.mayGrow()).as("it is the turn of the first").isFalse();
      isThere = true;
      queue.signal();
      Await.until(() -> servedCount.get() == COUNT_WAITING);
      Await.until(() -> threads.stream().noneMatch(Thread::isAlive));
      assertThat(queue.waitingCount()).isZero();
      assertThat(queue.mayGrow()).isTrue();
    }
  }

  /** The first one leaves, and another one waits behind it. */
  public static final class Leaving implements FaultProgram {
    private static final long HOUR = 3_600_000_000_000L;

    /** No thread looks without a signal. */
    private final StallQueue queue = new StallQueue(HOUR);

    private final Thread next =
        Thread.ofPlatform().daemon().unstarted(() -> served = queue.await(() -> "taken", HOUR));
    private volatile @Nullable String served;

    /** For the sweep. */
    public Leaving() {}

    @Override
    public void prepare() {}

    @Override
    public void operate() {
      var _ = queue.await(this::takeWhenAnotherWaits, HOUR);
    }

    private String takeWhenAnotherWaits() {
      next.start();
      while (next.getState() != Thread.State.TIMED_WAITING) { // no call into the library
        Thread.onSpinWait();
      }
      return "taken";
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      assertThat(thrown == null || thrown instanceof StackOverflowError).isTrue();
      Await.until(() -> !next.isAlive());
      assertThat(queue.waitingCount()).isZero();
      assertThat(queue.mayGrow()).isTrue();
    }
  }
}
