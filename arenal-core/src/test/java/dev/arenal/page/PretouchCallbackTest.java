package dev.arenal.page;

import static dev.arenal.callbacks.PretouchCallback.failureOf;
import static dev.arenal.page.Allocators.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.callbacks.PretouchCallback;
import dev.arenal.callbacks.PretouchCallback.By;
import dev.arenal.callbacks.PretouchCallback.Place;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.MemoryFigures;
import dev.arenal.page.granule.SupplyFigures;
import dev.arenal.pretouch.Pretouch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Callbacks of a pretouch of an allocator that call back into the library, wait, or throw. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PretouchCallbackTest {
  private static final long WANTED_BYTES = 40 * MIB;
  private static final long LIMIT_BYTES = 60 * MIB;

  @RegisterExtension private final Allocators allocators = new Allocators();

  private final ReentrantLock ofProgram = new ReentrantLock();

  /** Parts of 2 MiB. */
  @BeforeEach
  void littleMemory() {
    allocators.budget = Budget.limitedTo("tight", LIMIT_BYTES);
    allocators.capacityBytes = 128 * MIB;
    MemoryFigures figures =
        new MemoryFigures(
            90 * MIB,
            4000 * MIB,
            List.of(),
            MemoryFigures.UNKNOWN,
            MIB,
            0,
            MemoryFigures.UNKNOWN,
            MIB);
    allocators.os.setMemoryFigures(() -> figures);
  }

  /** An allocator with buffers of each kind and something cached; and another one of its budget. */
  final class World {
    final PageAllocator pages;
    final PageAllocator other;
    final List<PageBuffer> live = new ArrayList<>();
    final List<PageBuffer> spare = new ArrayList<>();
    final PageBuffer ofOther;
    private boolean isOtherClosed;

    World(CommitMode mode) {
      allocators.mode = mode;
      pages = allocators.open();
      allocators.name = "other";
      other = allocators.open();
      allocators.name = "test";
      for (int sizeBytes : new int[] {100, 5000, 100_000, 700_000, 2_000_000}) {
        keep(pages.allocate(sizeBytes, PageAge.SHORT_LIVED));
        keep(pages.allocate(sizeBytes, PageAge.LONG_LIVED));
        spare.add(dirty(pages.allocate(sizeBytes, PageAge.SHORT_LIVED)));
      }
      dirty(pages.allocate(3 * MIB, PageAge.SHORT_LIVED)).close();
      ofOther = dirty(other.allocate(2 * MIB, PageAge.SHORT_LIVED));
    }

    void keep(PageBuffer fresh) {
      assertThat(Noise.firstNonZero(fresh.segment())).isNegative();
      Noise.write(fresh.segment(), (int) fresh.sizeBytes());
      synchronized (live) {
        live.add(fresh);
      }
    }

    PageBuffer dirty(PageBuffer fresh) {
      assertThat(Noise.firstNonZero(fresh.segment())).isNegative();
      Noise.write(fresh.segment(), 99);
      return fresh;
    }

    synchronized void closeSpare() {
      spare.forEach(PageBuffer::close);
      spare.clear();
    }

    synchronized void closeOther() {
      if (!isOtherClosed) {
        isOtherClosed = true;
        ofOther.close();
      }
    }

    /** All that is left is whole, and there is more. */
    void check() {
      assertThat(pages.state().isDamaged()).isFalse();
      pages.state().verify();
      other.state().verify();
      for (int i = 0; i < 20; i++) {
        keep(pages.allocate(1 + i * 10_000, PageAge.SHORT_LIVED));
      }
      for (PageBuffer each : live) {
        assertThat(Noise.mismatch(each.segment(), (int) each.sizeBytes())).isNegative();
        each.close();
      }
      closeSpare();
      closeOther();
    }
  }

  /** The action of a callback. */
  @SuppressWarnings("ImmutableEnumChecker")
  enum Action {
    ALLOCATE(PretouchCallbackTest::allocate),
    ALLOCATE_ALL_THAT_IS_LEFT(PretouchCallbackTest::allocateWhatIsLeft),
    ALLOCATE_TOO_MUCH(world -> {
      assertThat(world.pages.tryAllocate(100 * MIB, PageAge.SHORT_LIVED)).isNull();
      assertThatThrownBy(() -> world.pages.allocate(100 * MIB, PageAge.SHORT_LIVED))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessageContaining("allocator=test")
          .hasMessageContaining("(expected at most the limit of the budget)");
    }),
    CLOSE_BUFFERS(World::closeSpare),
    CLOSE_BUFFERS_AND_TRIM(world -> {
      world.closeSpare();
      assertThat(world.pages.trim()).isNotNegative();
    }),
    TRIM(world -> assertThat(world.pages.trim()).isNotNegative()),
    TRIM_OTHER(world -> assertThat(world.other.trim()).isNotNegative()),
    REPORT(PretouchCallbackTest::report),
    CLOSE(world ->
        assertThatThrownBy(world.pages::close)
            .isExactlyInstanceOf(IllegalStateException.class)
            .hasMessage("pretouch is running: allocator=test (cancel it, or wait for its end)")),
    CLOSE_OTHER(world -> {
      assertThatThrownBy(world.other::close).isExactlyInstanceOf(IllegalStateException.class);
      world.closeOther();
      assertThat(world.other.trim()).isPositive();
      world.other.close();
    }),
    PRETOUCH_AGAIN(world ->
        assertThatThrownBy(() -> world.pages.pretouch(Pretouch.upTo(MIB)))
            .isExactlyInstanceOf(IllegalStateException.class)
            .hasMessage("pretouch is running: allocator=test (expected one at a time)")),
    PRETOUCH_OTHER(PretouchCallbackTest::pretouchOther),
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
    checkThrown(action, thrown);
    world.check();
  }

  private static void checkThrown(Action action, @Nullable Throwable thrown) {
    if (thrown != null) {
      // Memory that it took of the budget is missing: that is the only reason.
      assertThat(action).isEqualTo(Action.ALLOCATE_ALL_THAT_IS_LEFT);
      assertThat(thrown)
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessageStartingWith("pretouch refused by the budget: allocator=test, ");
    }
  }

  /** A lock of the program's that another caller of the library holds, in each operation. */
  @ParameterizedTest
  @MethodSource("someActions")
  void waitsForALock_thatAnotherCallerHolds(Action action, Place place, By by) {
    World world =
        new World(action.name().length() % 2 == 0 ? CommitMode.PROTECT : CommitMode.DISCARD);
    AtomicReference<@Nullable Throwable> ofHolder = new AtomicReference<>();
    CountDownLatch isHeld = new CountDownLatch(1);
    Runnable holding =
        () -> {
          ofProgram.lock();
          try {
            isHeld.countDown();
            ofHolder.set(failureOf(() -> action.does.accept(world)));
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
    Throwable thrown = pretouch(world, callback.on(wanted()));
    callback.assertDone();
    assertThat(ofHolder.get()).isNull();
    checkThrown(action, thrown);
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
    World world = new World(CommitMode.DISCARD);
    long committedBytes = world.pages.committedBytes();
    Throwable thrown = pretouch(world, PretouchCallback.throwing(wanted(), place, trouble));
    assertThat(thrown instanceof IllegalStateException e ? e.getCause() : thrown).isSameAs(trouble);
    assertThat(world.pages.committedBytes()).isEqualTo(committedBytes);
    assertThat(world.pages.state().supply.figures().committedBytes()).isEqualTo(committedBytes);
    assertThat(pretouch(world, wanted())).isNull(); // it serves, and another pretouch may be
    world.check();
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

  /** A builder's pretouch: no other code has this allocator, but there are other allocators. */
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
              world.closeSpare();
              assertThat(world.pages.trim()).isNotNegative();
              pretouchOther(world);
            });
    allocators.name = "built";
    allocators.capacityBytes = 20 * MIB;
    allocators.pretouch = callback.on(Pretouch.all().threads(2));
    allocators.os.beforePopulate(PretouchCallback.slowly());
    PageAllocator built = allocators.open();
    callback.assertDone();
    assertThat(built.committedBytes()).isEqualTo(20 * MIB);
    var _ = built.trim();
    long committedBytes = allocators.budget.committedBytes();
    StackOverflowError trouble = new StackOverflowError("of the program");
    allocators.os.beforePopulate(PretouchCallback.slowly());
    allocators.pretouch = PretouchCallback.throwing(Pretouch.all().threads(2), place, trouble);
    assertThatThrownBy(allocators::open).isSameAs(trouble);
    assertThat(allocators.budget.committedBytes()).isEqualTo(committedBytes);
    allocators.os.beforePopulate(null);
    world.check();
  }

  // ---- actions ----

  private static Pretouch wanted() {
    return Pretouch.upTo(WANTED_BYTES).threads(2);
  }

  private @Nullable Throwable pretouch(World world, Pretouch wanted) {
    allocators.os.beforePopulate(PretouchCallback.slowly());
    try {
      return failureOf(() -> {
        var _ = world.pages.pretouch(wanted);
      });
    } finally {
      allocators.os.beforePopulate(null);
    }
  }

  private static void allocate(World world) {
    for (int sizeBytes : new int[] {50, 9000, 150_000, 600_000, 3_000_000}) {
      world.keep(world.pages.allocate(sizeBytes, PageAge.SHORT_LIVED));
      world.dirty(world.pages.allocate(sizeBytes, PageAge.LONG_LIVED)).close();
    }
  }

  /** Memory in the hands of the pretouch at that moment is waited for, and so it is there. */
  private static void allocateWhatIsLeft(World world) {
    long takenBytes = 0;
    for (PageAllocator each : List.of(world.pages, world.other)) {
      SupplyFigures figures = each.state().supply.figures();
      takenBytes += figures.usedBytes();
    }
    long sizeBytes = LIMIT_BYTES - takenBytes - 4 * MIB;
    world.dirty(world.pages.allocate(sizeBytes, PageAge.SHORT_LIVED)).close();
  }

  private static void report(World world) {
    assertThat(world.pages.report().toString()).contains("test");
    assertThat(world.pages.statistics().toString()).contains("Memory: ");
    assertThat(world.pages.toString()).contains("test");
    world.pages.state().verify();
  }

  private static void pretouchOther(World world) {
    PretouchCallback inner =
        new PretouchCallback(
            Place.CANCELLATION,
            By.ITSELF,
            () -> {
              world.keep(world.pages.allocate(1000, PageAge.SHORT_LIVED));
              assertThatThrownBy(() -> world.other.pretouch(Pretouch.upTo(MIB)))
                  .hasMessageStartingWith("pretouch is running: allocator=other");
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
        var _ = world.pages.trim();
      }
      throw e;
    }
  }
}
