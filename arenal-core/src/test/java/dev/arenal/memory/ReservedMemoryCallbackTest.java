package dev.arenal.memory;

import static dev.arenal.callbacks.PretouchCallback.failureOf;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.callbacks.PretouchCallback;
import dev.arenal.callbacks.PretouchCallback.By;
import dev.arenal.callbacks.PretouchCallback.Place;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.reserve.Ledger;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Callbacks of a pretouch of reserved memory that call back, wait for others, or throw. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ReservedMemoryCallbackTest {
  private static final long MIB = 1 << 20;
  private static final long SIZE = 48 * MIB;
  private static final long VALUE = 0x1234_5678_9abc_def0L;

  private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
  private final Budget budget = Budget.limitedTo("b", SIZE + 8 * MIB);
  private final ReservedMemory memory = ReservedMemory.reserve(os, "table", SIZE, budget);
  private final ReservedMemory other = ReservedMemory.reserve(os, "other", 64 * MIB, budget);
  private final ReentrantLock ofProgram = new ReentrantLock();

  @AfterEach
  void nothingIsLeft() {
    os.beforePopulate(null);
    memory.close();
    other.close();
    os.assertNoComplaints();
    os.assertNothingMapped();
    assertThat(budget.committedBytes()).isZero();
  }

  /** The action of a callback; the first MiB is in use, and the last ones go and come. */
  @SuppressWarnings("ImmutableEnumChecker")
  enum Action {
    COMMIT(test -> assertThat(test.memory.commit(SIZE - MIB, MIB)).isNotNegative()),
    UNCOMMIT(test -> assertThat(test.memory.uncommit(SIZE - 2 * MIB, 2 * MIB)).isNotNegative()),
    UNCOMMIT_AND_COMMIT(test -> {
      assertThat(test.memory.uncommit(2 * MIB, 8 * MIB)).isNotNegative();
      assertThat(test.memory.segment().get(JAVA_LONG, 2 * MIB)).isZero();
      assertThat(test.memory.commit(2 * MIB, 8 * MIB)).isNotNegative();
    }),
    COMMIT_TOO_MUCH(test ->
        assertThatThrownBy(() -> test.other.commit(0, 60 * MIB))
            .isInstanceOf(OutOfMemoryError.class)
            .hasMessageStartingWith("native memory refused: memory=other, requestedBytes=")),
    PRETOUCH_AGAIN(test ->
        assertThat(test.memory.pretouch(Pretouch.upTo(20 * MIB).forced()).touchedBytes())
            .isEqualTo(20 * MIB)),
    PRETOUCH_OTHER(test -> {
      assertThat(test.other.pretouch(Pretouch.upTo(4 * MIB).forced()).touchedBytes())
          .isEqualTo(4 * MIB);
      assertThat(test.other.uncommit(0, 4 * MIB)).isEqualTo(4 * MIB);
    }),
    CLOSE(test ->
        assertThatThrownBy(test.memory::close)
            .isExactlyInstanceOf(IllegalStateException.class)
            .hasMessage(
                "memory is being pretouched: memory=table (expected a close after its end)")),
    CLOSE_OTHER(test -> test.other.close()),
    REPORT(test -> assertThat(test.memory.toString()).contains("name=table"));

    final Consumer<ReservedMemoryCallbackTest> does;

    Action(Consumer<ReservedMemoryCallbackTest> does) {
      this.does = does;
    }
  }

  static Stream<Arguments> actions() {
    return Stream.of(Action.values())
        .flatMap(action ->
            Stream.of(Place.values())
                .flatMap(
                    place -> Stream.of(By.values()).map(by -> Arguments.of(action, place, by))));
  }

  @ParameterizedTest
  @MethodSource("actions")
  void callsBack(Action action, Place place, By by) {
    begin();
    PretouchCallback callback = new PretouchCallback(place, by, () -> action.does.accept(this));
    assertThat(pretouch(callback)).isNull();
    callback.assertDone();
    check();
    if (action == Action.UNCOMMIT) { // what was touched before stays away, the rest comes again
      assertThat(memory.committedBytes()).isIn(SIZE - 2 * MIB, SIZE);
    } else {
      assertThat(memory.committedBytes()).isEqualTo(SIZE);
    }
  }

  static Stream<Arguments> someActions() {
    return actions()
        .filter(arguments ->
            arguments.get()[1] != Place.CANCELLATION && arguments.get()[2] == By.ITSELF);
  }

  @ParameterizedTest
  @MethodSource("someActions")
  void waitsForALock_thatAnotherCallerHolds(Action action, Place place, By by) {
    begin();
    AtomicReference<@Nullable Throwable> ofHolder = new AtomicReference<>();
    CountDownLatch isHeld = new CountDownLatch(1);
    Runnable holding =
        () -> {
          ofProgram.lock();
          try {
            isHeld.countDown();
            ofHolder.set(failureOf(() -> action.does.accept(this)));
          } finally {
            ofProgram.unlock();
          }
        };
    PretouchCallback callback =
        new PretouchCallback(
            place,
            by,
            () -> {
              var _ = Thread.ofPlatform().daemon().start(holding);
              takeLock(isHeld);
            });
    assertThat(pretouch(callback)).isNull();
    callback.assertDone();
    assertThat(ofHolder.get()).isNull();
    check();
  }

  private void takeLock(CountDownLatch isHeld) {
    try {
      assertThat(isHeld.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(ofProgram.tryLock(20, TimeUnit.SECONDS)).as("the holder hangs").isTrue();
      ofProgram.unlock();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  static Stream<Arguments> troubles() {
    return Stream.of(Place.values())
        .flatMap(place ->
            Stream.of(
                    new IllegalArgumentException("enough"),
                    new StackOverflowError("of the program"),
                    new OutOfMemoryError("of the program"),
                    new AssertionError("of the program"))
                .map(trouble -> Arguments.of(place, trouble)));
  }

  @ParameterizedTest
  @MethodSource("troubles")
  void throwing_endsIt_andAllGoesBack(Place place, Throwable trouble) {
    begin();
    os.beforePopulate(PretouchCallback.slowly());
    Pretouch wanted = PretouchCallback.throwing(wanted(), place, trouble);
    assertThatThrownBy(() -> memory.pretouch(wanted)).isSameAs(trouble);
    assertThat(memory.committedBytes()).isEqualTo(MIB);
    assertThat(budget.committedBytes()).isEqualTo(MIB);
    check();
    assertThat(memory.pretouch(wanted()).touchedBytes()).isEqualTo(SIZE);
    check();
  }

  /** A reclaimer of the program's may pretouch, commit and wait for the pretouch's callbacks. */
  @Test
  void reclaimer_runsWithoutALock() {
    begin();
    assertThat(other.commit(0, 9 * MIB)).isEqualTo(9 * MIB);
    AtomicBoolean isCalled = new AtomicBoolean();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    LongSupplier reclaimer =
        () -> {
          if (isCalled.getAndSet(true)) {
            return 0;
          }
          failure.set(
              PretouchCallback.inAnotherThread(() -> {
                assertThat(memory.committedBytes()).isPositive();
                assertThat(other.uncommit(0, 9 * MIB)).isEqualTo(9 * MIB);
              }));
          return 9 * MIB;
        };
    Ledger.of(budget).addReclaimer(reclaimer);
    assertThat(memory.pretouch(wanted().forced()).touchedBytes()).isEqualTo(SIZE);
    Ledger.of(budget).removeReclaimer(reclaimer);
    assertThat(isCalled).isTrue();
    assertThat(failure.get()).isNull();
    check();
  }

  private static Pretouch wanted() {
    return Pretouch.all().threads(2);
  }

  private void begin() {
    assertThat(memory.commit(0, MIB)).isEqualTo(MIB);
    for (long at = 0; at < MIB; at += 4096) {
      memory.segment().set(JAVA_LONG, at, VALUE + at);
    }
  }

  private @Nullable Throwable pretouch(PretouchCallback callback) {
    os.beforePopulate(PretouchCallback.slowly());
    return failureOf(() -> {
      var _ = memory.pretouch(callback.on(wanted()));
    });
  }

  private void check() {
    os.beforePopulate(null);
    for (long at = 0; at < MIB; at += 4096) {
      assertThat(memory.segment().get(JAVA_LONG, at)).isEqualTo(VALUE + at);
    }
    for (long at = MIB; at < SIZE; at += MIB) {
      assertThat(memory.segment().get(JAVA_LONG, at)).isZero();
    }
  }
}
