package dev.arenal.elastic;

import static dev.arenal.callbacks.PretouchCallback.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.callbacks.PretouchCallback;
import dev.arenal.callbacks.PretouchCallback.By;
import dev.arenal.callbacks.PretouchCallback.Place;
import dev.arenal.conformance.Contents;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.MemoryFigures;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.reserve.Ledger;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Callbacks of a pretouch of a space that call back into the library, wait for others, or throw.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PretouchCallbackTest {
  private static final long MIB = 1 << 20;
  private static final long WANTED_BYTES = 20 * MIB;
  private static final long LIMIT_BYTES = 36 * MIB;
  private static final byte STAMP = 7;

  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  private final Budget budget = Budget.limitedTo("tight", LIMIT_BYTES);
  private final List<MemorySegment> stamped = new ArrayList<>();
  private final ReentrantLock ofProgram = new ReentrantLock();

  /** Parts of 2 MiB. */
  @BeforeEach
  void littleMemory() {
    MemoryFigures figures =
        new MemoryFigures(
            60 * MIB,
            4000 * MIB,
            List.of(),
            MemoryFigures.UNKNOWN,
            MIB,
            0,
            MemoryFigures.UNKNOWN,
            MIB);
    spaces.os.setMemoryFigures(() -> figures);
  }

  /** A space with a live arena, one that may be closed, and another space with the same. */
  final class World {
    final ElasticSpace space;
    final ElasticSpace other;
    final ElasticArena arena;
    final ElasticArena spare;
    final ElasticArena ofOther;
    final MemorySegment block;

    World(CommitMode mode) {
      space = spaces.build(spaces.builder("test").budget(budget).commitMode(mode));
      other = spaces.build(spaces.builder("other").budget(budget).commitMode(mode));
      arena = space.openShared("live");
      spare = space.openShared("spare");
      ofOther = other.openShared("other");
      for (int i = 0; i < 20; i++) {
        stamp(arena.allocate(1 + i * 5000));
      }
      Contents.write(spare.allocate(3 * MIB), (byte) 99);
      Contents.write(ofOther.allocate(2 * MIB), (byte) 99);
      block = arena.allocate(100_000);
      Contents.write(block, (byte) 99);
    }

    void stamp(MemorySegment fresh) {
      assertThat(Contents.mismatchZero(fresh)).isEqualTo(-1);
      Contents.write(fresh, STAMP);
      synchronized (stamped) {
        stamped.add(fresh);
      }
    }

    /** All that is left is whole, and there is more. */
    void check() {
      space.verify();
      other.verify();
      for (MemorySegment each : stamped) {
        assertThat(Contents.mismatch(each, STAMP)).as("%s", each).isEqualTo(-1);
      }
      for (int i = 0; i < 50; i++) {
        stamp(arena.allocate(1 + i * 1000));
      }
      arena.close();
      for (ElasticArena each : List.of(spare, ofOther)) {
        if (each.scope().isAlive()) {
          each.close();
        }
      }
    }
  }

  /** The action of a callback. */
  @SuppressWarnings("ImmutableEnumChecker")
  enum Action {
    ALLOCATE(PretouchCallbackTest::allocate),
    ALLOCATE_ALL_THAT_IS_LEFT(PretouchCallbackTest::allocateWhatIsLeft),
    ALLOCATE_TOO_MUCH(world ->
        assertThatThrownBy(() -> world.arena.allocate(1 << 30))
            .isInstanceOf(OutOfMemoryError.class)
            .hasMessageStartingWith(
                "native memory refused: space=test, arena=live, requestedBytes=")
            .hasMessageContaining("(expected at most the limit of the budget")),
    DEALLOCATE(world -> world.arena.deallocate(world.block)),
    TRIM(world -> assertThat(world.space.trim()).isNotNegative()),
    TRIM_OTHER(world -> assertThat(world.other.trim()).isNotNegative()),
    REPORT(PretouchCallbackTest::report),
    CLOSE_ARENA(world -> world.spare.close()),
    CLOSE_ARENA_AND_TRIM(world -> {
      world.spare.close();
      assertThat(world.space.trim()).isNotNegative();
    }),
    CLOSE_SPACE(world ->
        assertThatThrownBy(world.space::close)
            .isExactlyInstanceOf(IllegalStateException.class)
            .hasMessage(
                "space is being pretouched: space=test"
                    + " (expected the pretouch to have ended or to be cancelled before the"
                    + " close)")),
    CLOSE_OTHER_SPACE(world -> {
      assertThatThrownBy(world.other::close)
          .hasMessage(
              "space has open arenas: space=other, openArenas=1, names=[other]"
                  + " (expected all arenas to be closed before their space)");
      world.ofOther.close();
      world.other.close();
    }),
    PRETOUCH_AGAIN(world ->
        assertThatThrownBy(() -> world.space.pretouch(Pretouch.upTo(MIB)))
            .isExactlyInstanceOf(IllegalStateException.class)
            .hasMessage("space is being pretouched: space=test (expected one pretouch at a time)")),
    PRETOUCH_OTHER(PretouchCallbackTest::pretouchOther),
    RECLAIM(world -> assertThat(world.space.budget().reclaim()).isNotNegative()),
    ALL_AT_THE_END_OF_THE_STACK(PretouchCallbackTest::atTheEndOfTheStack);

    final Consumer<World> does;

    Action(Consumer<World> does) {
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

  static Stream<Arguments> someActions() {
    return actions()
        .filter(arguments ->
            arguments.get()[1] != Place.CANCELLATION && arguments.get()[2] == By.ITSELF);
  }

  @ParameterizedTest
  @MethodSource("actions")
  void callsBack(Action action, Place place, By by) {
    World world =
        new World(action.name().length() % 2 == 0 ? CommitMode.DISCARD : CommitMode.PROTECT);
    PretouchCallback callback = new PretouchCallback(place, by, () -> action.does.accept(world));
    Throwable thrown = pretouch(world, callback.on(wanted()));
    callback.assertDone();
    if (thrown != null) {
      // Memory that it took of the budget is missing: that is the only reason.
      assertThat(action).isEqualTo(Action.ALLOCATE_ALL_THAT_IS_LEFT);
      assertThat(thrown)
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessageContaining("(the budget is used up");
    }
    world.check();
  }

  /** A lock of the program's that another caller of the library holds, in each operation. */
  @ParameterizedTest
  @MethodSource("someActions")
  void waitsForALock_thatAnotherCallerHolds(Action action, Place place, By by) {
    World world =
        new World(action.name().length() % 2 == 0 ? CommitMode.PROTECT : CommitMode.DISCARD);
    AtomicReference<@Nullable Throwable> ofHolder = new AtomicReference<>();
    AtomicReference<@Nullable Thread> holder = new AtomicReference<>();
    CountDownLatch isHeld = new CountDownLatch(1);
    PretouchCallback callback =
        new PretouchCallback(
            place,
            by,
            () -> {
              holder.set(
                  Thread.ofPlatform()
                      .daemon()
                      .start(() -> {
                        ofProgram.lock();
                        try {
                          isHeld.countDown();
                          ofHolder.set(failureOf(() -> action.does.accept(world)));
                        } finally {
                          ofProgram.unlock();
                        }
                      }));
              takeLock(isHeld);
            });
    Throwable thrown = pretouch(world, callback.on(wanted()));
    callback.assertDone();
    assertThat(ofHolder.get()).isNull();
    assertThat(thrown == null || action == Action.ALLOCATE_ALL_THAT_IS_LEFT).isTrue();
    world.check();
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
                    new AssertionError("of the program"),
                    new IndexOutOfBoundsException("of the program"),
                    new Exception("checked"))
                .map(trouble -> Arguments.of(place, trouble)));
  }

  @ParameterizedTest
  @MethodSource("troubles")
  void throwing_endsIt_andAllGoesBack(Place place, Throwable trouble) {
    for (CommitMode mode : CommitMode.values()) {
      World world = new World(mode);
      long committedBytes = world.space.committedBytes();
      Throwable thrown = pretouch(world, PretouchCallback.throwing(wanted(), place, trouble));
      assertThat(thrown instanceof IllegalStateException e ? e.getCause() : thrown)
          .isSameAs(trouble);
      assertThat(world.space.committedBytes()).isEqualTo(committedBytes);
      assertThat(world.space.floorBytes()).isZero();
      assertThat(pretouch(world, wanted())).isNull(); // it serves, and another pretouch may be
      world.check();
      stamped.clear();
    }
  }

  @ParameterizedTest
  @EnumSource
  void interrupting_cancelsIt_atMost(Place place) {
    World world = new World(CommitMode.DISCARD);
    Pretouch interrupting =
        PretouchCallback.each(wanted(), place, () -> Thread.currentThread().interrupt());
    Throwable thrown = pretouch(world, interrupting);
    var _ = Thread.interrupted();
    if (thrown != null) {
      assertThat(thrown).isInstanceOf(java.util.concurrent.CancellationException.class);
    }
    world.check();
  }

  /** The program's reclaimer runs without a lock of the library: other threads go on meanwhile. */
  @Test
  void reclaimer_thatWaitsForACallbackOfThePretouch_isNotWaitedForByIt() {
    ElasticSpace space = spaces.build(spaces.builder("test").budget(budget));
    ElasticSpace other =
        spaces.build(spaces.builder("other").budget(budget).reclaimPolicy(ReclaimPolicy.NONE));
    CountDownLatch isCalledAgain = new CountDownLatch(1);
    AtomicInteger reclaimCount = new AtomicInteger();
    AtomicReference<@Nullable Boolean> wentOn = new AtomicReference<>();
    LongSupplier reclaimer =
        () -> {
          reclaimCount.incrementAndGet();
          try {
            wentOn.set(isCalledAgain.await(30, TimeUnit.SECONDS));
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          return 0;
        };
    AtomicInteger populateCount = new AtomicInteger();
    spaces.os.beforePopulate(() -> {
      int number = populateCount.incrementAndGet();
      if (number == 1) { // from here on the budget is too small
        try (ElasticArena arena = other.openConfined()) {
          Contents.write(arena.allocate(12 * MIB), (byte) 99);
        }
      }
      while (number == 2 && reclaimCount.get() == 0) {
        Thread.onSpinWait(); // in this thread's hands until the other one is refused
      }
    });
    Ledger.of(budget).addReclaimer(reclaimer);
    try {
      Pretouch pretouch =
          Pretouch.upTo(30 * MIB)
              .threads(2)
              .cancelWhen(() -> {
                if (reclaimCount.get() > 0) {
                  isCalledAgain.countDown();
                }
                return false;
              });
      var _ = space.pretouch(pretouch);
    } finally {
      Ledger.of(budget).removeReclaimer(reclaimer);
      spaces.os.beforePopulate(null);
    }
    assertThat(wentOn.get()).isTrue();
    assertThat(space.committedBytes()).isEqualTo(30 * MIB);
  }

  /** A builder's pretouch: no other code has this space, but there are other spaces. */
  @ParameterizedTest
  @EnumSource
  void ofABuilder_callsBack_orThrows(Place place) {
    World world = new World(CommitMode.DISCARD);
    PretouchCallback callback =
        new PretouchCallback(
            place,
            By.ANOTHER,
            () -> {
              allocate(world);
              report(world);
              world.spare.close();
              assertThat(world.space.trim()).isNotNegative();
              pretouchOther(world);
            });
    spaces.os.beforePopulate(PretouchCallback.slowly());
    ElasticSpace built =
        spaces.build(
            spaces
                .builder("built")
                .budget(budget)
                .fixedSizeBytes(14 * MIB)
                .pretouch(callback.on(Pretouch.all().threads(2))));
    callback.assertDone();
    assertThat(built.committedBytes()).isEqualTo(14 * MIB);
    long committedBytes = budget.committedBytes();
    StackOverflowError trouble = new StackOverflowError("of the program");
    spaces.os.beforePopulate(PretouchCallback.slowly());
    ElasticSpaceBuilder refused =
        spaces
            .builder("refused")
            .budget(budget)
            .fixedSizeBytes(13 * MIB)
            .pretouch(PretouchCallback.throwing(Pretouch.all().threads(2), place, trouble));
    assertThatThrownBy(refused::build).isSameAs(trouble);
    assertThat(budget.committedBytes()).isEqualTo(committedBytes);
    world.check();
  }

  // ---- actions ----

  private static Pretouch wanted() {
    return Pretouch.upTo(WANTED_BYTES).threads(2);
  }

  private @Nullable Throwable pretouch(World world, Pretouch wanted) {
    spaces.os.beforePopulate(PretouchCallback.slowly());
    try {
      return failureOf(() -> {
        var _ = world.space.pretouch(wanted);
      });
    } finally {
      spaces.os.beforePopulate(null);
    }
  }

  private static void allocate(World world) {
    for (int i = 0; i < 20; i++) {
      world.stamp(world.arena.allocate(1 + i * 3000));
    }
    try (ElasticArena brief = world.space.openConfined("brief")) {
      for (int i = 0; i < 20; i++) {
        Contents.write(brief.allocate(1 + i * 9000), (byte) 99);
      }
      MemorySegment large = brief.allocate(3 * MIB);
      assertThat(Contents.mismatchZero(large)).isEqualTo(-1);
      Contents.write(large, (byte) 99);
    }
  }

  /** Memory that is claimed at that moment is waited for, and so it is there. */
  private static void allocateWhatIsLeft(World world) {
    long usedBytes = world.arena.usedBytes() + world.spare.usedBytes() + world.ofOther.usedBytes();
    long sizeBytes = LIMIT_BYTES - usedBytes - 3 * MIB;
    try (ElasticArena brief = world.space.openConfined("brief")) {
      MemorySegment large = brief.allocate(sizeBytes);
      assertThat(Contents.mismatchZero(large)).isEqualTo(-1);
      Contents.write(large, (byte) 99);
    }
  }

  private static void report(World world) {
    assertThat(world.space.report(ReportDetail.values()).toString()).contains("test");
    assertThat(world.space.statistics().toString()).contains("Memory: Commit");
    assertThat(world.space.toString()).contains("test");
    world.space.verify();
  }

  private static void pretouchOther(World world) {
    PretouchCallback inner =
        new PretouchCallback(
            Place.CANCELLATION,
            By.ITSELF,
            () -> {
              world.stamp(world.arena.allocate(1000));
              assertThatThrownBy(() -> world.other.pretouch(Pretouch.upTo(MIB)))
                  .hasMessageStartingWith("space is being pretouched: space=other");
            });
    var _ = world.other.pretouch(inner.on(Pretouch.upTo(4 * MIB).threads(2)));
    inner.assertDone();
  }

  /** Wherever the stack ends: behind the reserve nothing has changed. */
  private static void atTheEndOfTheStack(World world) {
    AtomicInteger restDepths = new AtomicInteger(200);
    assertThat(failureOf(() -> descend(world, restDepths))).isInstanceOf(StackOverflowError.class);
    assertThat(restDepths.get()).isNegative();
  }

  @SuppressWarnings("InfiniteRecursion") // which is the point
  private static void descend(World world, AtomicInteger restDepths) {
    try {
      descend(world, restDepths);
    } catch (StackOverflowError e) {
      if (restDepths.getAndDecrement() >= 0) {
        var _ = world.space.trim();
      }
      throw e;
    }
  }
}
