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
import java.util.function.Supplier;
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

    private final StallQueue queue = new StallQueue();
    private final AtomicInteger countServed = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isThere;

    /** For the sweep. */
    public OneMore() {}

    @Override
    public void prepare() {
      Supplier<@Nullable String> attempt = () -> isThere ? "taken" : null;
      for (int i = 1; i <= COUNT_WAITING; i++) {
        Runnable wait =
            () -> {
              if (queue.await(attempt, MINUTE) != null) {
                countServed.incrementAndGet();
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
      Await.until(() -> countServed.get() == COUNT_WAITING);
      Await.until(() -> threads.stream().noneMatch(Thread::isAlive));
      assertThat(queue.waitingCount()).isZero();
      assertThat(queue.mayGrow()).isTrue();
    }
  }
}
