package dev.arenal.elastic;

import static dev.arenal.callbacks.PretouchCallback.failureOf;
import static dev.arenal.callbacks.PretouchCallback.inAnotherThread;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.conformance.Contents;
import dev.arenal.memory.Budget;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import dev.arenal.reserve.Ledger;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An arena that is reset: what ends, what stays, and what a reset costs. */
@Timeout(60)
@SuppressWarnings("restricted") // cleanup actions are attached so, and a segment held by a call
final class ResetTest {
  private static final byte STAMP = 7;

  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  // ---- what it does ----

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void segmentsOfBefore_fail_andTheArenaGoesOn(boolean shared) {
    ElasticSpace space = spaces.space();
    ElasticArena arena = open(space, shared);
    MemorySegment.Scope scope = arena.scope();
    MemorySegment before = arena.allocate(100).fill(STAMP);
    MemorySegment slice = before.asSlice(8, 8);

    arena.reset();

    for (MemorySegment each : List.of(before, slice)) {
      assertThatThrownBy(() -> each.get(ValueLayout.JAVA_BYTE, 0))
          .isExactlyInstanceOf(IllegalStateException.class)
          .hasMessage("Already closed");
    }
    assertThat(scope.isAlive()).isFalse();
    assertThat(arena.scope()).isNotEqualTo(scope);
    assertThat(arena.scope().isAlive()).isTrue();
    assertThat(arena.usedBytes()).isZero();
    assertThat(arena.name()).isEqualTo("arena");
    MemorySegment after = arena.allocate(100);
    assertThat(after.address()).isEqualTo(before.address());
    assertThat(Contents.mismatchZero(after)).isEqualTo(-1);
    assertThat(after.scope()).isEqualTo(arena.scope());
    assertThatThrownBy(() -> arena.deallocate(before))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "segment is not a block of this arena: arena=arena, address=0x"
                + Long.toHexString(before.address())
                + ", byteSize=100 (expected a segment that allocate returned, whole)");
    assertThat(space.arenaCount()).isOne();
    arena.close();
  }

  /** Rounds of any size: memory is zero, whatever was written before, given back or not. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void memoryOfTheNextRound_isZero(boolean shared) {
    ElasticSpace space = spaces.space();
    ElasticArena arena = open(space, shared);
    SplittableRandom random = new SplittableRandom(Seeds.derive("zero", shared ? 1 : 0));
    for (int round = 0; round < 300; round++) {
      List<MemorySegment> blocks = new ArrayList<>();
      int count = random.nextInt(1 + random.nextInt(200));
      int mostBytes = 1 << (1 + random.nextInt(14));
      for (int i = 0; i < count; i++) {
        MemorySegment block =
            arena.allocate(1 + random.nextInt(mostBytes), 1L << random.nextInt(7));
        assertThat(Contents.mismatchZero(block)).as(Seeds.hint()).isEqualTo(-1);
        Contents.write(block, STAMP);
        blocks.add(block);
        if (random.nextInt(8) == 0) {
          arena.deallocate(blocks.remove(random.nextInt(blocks.size())));
        }
      }
      TestSpaces.verifyStretch(arena);
      arena.reset();
      TestSpaces.verifyStretch(arena);
      assertThat(arena.usedBytes()).isZero();
      space.verify();
    }
    arena.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void empty_isResetAsOften(boolean shared) {
    ElasticArena arena = open(spaces.space(), shared);
    for (int i = 0; i < 10; i++) {
      MemorySegment.Scope scope = arena.scope();
      arena.reset();
      assertThat(scope.isAlive()).isFalse();
    }
    assertThat(arena.usedBytes()).isZero();
    arena.close();
  }

  /** References name blocks of open arenas, and of this round. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void referencesToBlocksOfBefore_nameNothing(boolean shared) {
    ElasticSpace space = spaces.build(spaces.builder("fixed").fixedSizeBytes(4 << 20));
    ElasticArena arena = open(space, shared);
    int reference = space.reference(arena.allocate(24));
    arena.reset();
    assertThatThrownBy(() -> space.segment(reference))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("reference names no live block: space=fixed, reference=0x");
    MemorySegment block = arena.allocate(24);
    assertThatThrownBy(() -> space.segment(reference))
        .isExactlyInstanceOf(IllegalArgumentException.class);
    assertThat(space.segment(space.reference(block)).scope()).isEqualTo(arena.scope());
    arena.close();
  }

  // ---- what it costs ----

  /** With the lock of the space held by another thread, rounds go on. */
  @Test
  void round_ofUsualSize_takesNoLock_andCallsNoKernel() throws Exception {
    ElasticSpace space = spaces.space();
    for (long sizeBytes : new long[] {100, 5000, 60_000, 300_000}) {
      ElasticArena arena = space.openConfined();
      round(arena, sizeBytes);
      round(arena, sizeBytes);
      round(arena, sizeBytes);
      int callCount = callCount();
      CountDownLatch held = new CountDownLatch(1);
      CountDownLatch done = new CountDownLatch(1);
      SpaceState state = ((ChunkedArena) arena).space;
      Thread holder =
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                state.lock.lock();
                try {
                  held.countDown();
                  done.await(30, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                } finally {
                  state.lock.unlock();
                }
              });
      held.await();
      long startNanos = System.nanoTime();
      for (int i = 0; i < 20; i++) {
        round(arena, sizeBytes);
      }
      assertThat(System.nanoTime() - startNanos)
          .as("rounds of %s bytes wait for no other thread", sizeBytes)
          .isLessThan(TimeUnit.SECONDS.toNanos(30));
      assertThat(holder.isAlive()).isTrue();
      done.countDown();
      holder.join();
      assertThat(callCount()).isEqualTo(callCount);
      arena.close();
    }
  }

  /**
   * Memory that a round used beyond the reserve is free afterwards, and the reserve is the space's.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void largeRound_keepsNothingBeyondTheReserve(boolean shared) {
    ElasticSpace space = spaces.build(spaces.builder("test").reserveBytes(256 << 10));
    ElasticArena arena = open(space, shared);
    round(arena, 20 << 20);
    assertThat(space.committedBytes()).isLessThanOrEqualTo(256 << 10);
    assertThat(((ChunkedArena) arena).chunks.count()).isZero();
    round(arena, 1000);
    round(arena, 1000);
    assertThat(space.committedBytes()).isLessThanOrEqualTo(512 << 10);
    arena.close();
  }

  @Test
  void aggressiveSpace_keepsNothing() {
    ElasticSpace space =
        spaces.build(spaces.builder("test").reclaimPolicy(ReclaimPolicy.AGGRESSIVE));
    ElasticArena arena = space.openConfined();
    for (int i = 0; i < 4; i++) {
      round(arena, 50_000);
      assertThat(space.committedBytes()).isZero();
    }
    arena.close();
  }

  @Test
  void whatIsKept_isCommittedAndFreeInTheReport() {
    ElasticSpace space = spaces.space();
    ElasticArena arena = space.openConfined("kept");
    round(arena, 40_000);
    SpaceReport report = space.report(ReportDetail.ARENAS);
    ReportAssertions.assertLaw(report);
    SpaceReport.Usage usage = report.arenas().getFirst().usage();
    assertThat(usage.usedBytes()).isZero();
    assertThat(usage.committedBytes()).isGreaterThanOrEqualTo(40_000);
    assertThat(usage.freeBytes()).isEqualTo(usage.committedBytes());
    arena.close();
  }

  // ---- what refuses it ----

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void closedArena(boolean shared) {
    ElasticArena arena = open(spaces.space(), shared);
    arena.close();
    assertThatThrownBy(arena::reset)
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("Already closed");
  }

  @Test
  void wrongThread() throws Exception {
    ElasticArena arena = spaces.space().openConfined();
    MemorySegment block = arena.allocate(8);
    List<@Nullable Throwable> failures = new ArrayList<>();
    Thread other = Thread.ofPlatform().start(() -> failures.add(failureOf(arena::reset)));
    other.join();
    assertThat(failures.getFirst()).isExactlyInstanceOf(WrongThreadException.class);
    assertThat(block.get(ValueLayout.JAVA_LONG, 0)).isZero();
    arena.close();
  }

  /** A downcall has the segment, and calls back. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void segmentInUseByANativeCall_keepsAll(boolean shared) throws Throwable {
    ElasticSpace space = spaces.space();
    ElasticArena arena = open(space, shared);
    MemorySegment block = arena.allocate(16, 8);
    block.set(ValueLayout.JAVA_LONG, 0, 2);
    block.set(ValueLayout.JAVA_LONG, 8, 1);
    MemorySegment.Scope scope = arena.scope();
    long committedBytes = space.committedBytes();
    List<@Nullable Throwable> failures = new ArrayList<>();
    sort(block, () -> failures.add(failureOf(arena::reset)));
    assertThat(failures).isNotEmpty();
    assertThat(failures.getFirst())
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("Session is acquired by 1 clients");
    assertThat(arena.scope()).isEqualTo(scope);
    assertThat(block.get(ValueLayout.JAVA_LONG, 0)).isOne();
    assertThat(arena.usedBytes()).isEqualTo(16);
    assertThat(space.committedBytes()).isEqualTo(committedBytes);
    arena.reset();
    assertThat(scope.isAlive()).isFalse();
    arena.close();
  }

  private static void sort(MemorySegment longs, Runnable inComparison) throws Throwable {
    Linker linker = Linker.nativeLinker();
    FunctionDescriptor compare =
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
    FunctionDescriptor sort =
        FunctionDescriptor.ofVoid(
            ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS);
    var handle =
        MethodHandles.lookup()
            .findStatic(
                ResetTest.class,
                "compare",
                MethodType.methodType(
                    int.class, Runnable.class, MemorySegment.class, MemorySegment.class))
            .bindTo(inComparison);
    try (Arena stubs = Arena.ofConfined()) {
      MemorySegment stub = linker.upcallStub(handle, compare, stubs);
      linker
          .downcallHandle(linker.defaultLookup().findOrThrow("qsort"), sort)
          .invokeExact(longs, longs.byteSize() / 8, 8L, stub);
    }
  }

  @SuppressWarnings("unused") // by its name
  private static int compare(Runnable call, MemorySegment left, MemorySegment right) {
    call.run();
    long first = left.reinterpret(8).get(ValueLayout.JAVA_LONG, 0);
    return Long.compare(first, right.reinterpret(8).get(ValueLayout.JAVA_LONG, 0));
  }

  // ---- callbacks ----

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cleanupActions_runOnce_andCannotEndTheRoundAgain(boolean shared) {
    ElasticSpace space = spaces.space();
    ElasticArena arena = open(space, shared);
    MemorySegment block = arena.allocate(16_000);
    Contents.write(block, STAMP);
    List<@Nullable Throwable> refusals = new ArrayList<>();
    List<Long> damages = new ArrayList<>();
    int[] runCount = new int[1];
    whenEnded(arena, block, bytes -> damages.add(Contents.mismatch(bytes, STAMP)));
    whenEnded(
        arena,
        block,
        _ -> {
          runCount[0]++;
          refusals.add(failureOf(arena::reset));
          refusals.add(failureOf(arena::close));
          refusals.add(failureOf(() -> arena.allocate(8)));
          refusals.add(failureOf(() -> arena.deallocate(block)));
          space.verify();
          try (ElasticArena taker = space.openConfined()) {
            Contents.write(taker.allocate(16_000), (byte) 99);
          }
        });

    arena.reset();

    String refusal =
        shared
            ? "arena is being reset: space=test, arena=arena, thread="
                + Thread.currentThread().getName()
                + " (its cleanup actions go on: close or reset the arena when they have ended)"
            : "Already closed";
    assertThat(runCount[0]).isOne();
    assertThat(refusals)
        .extracting(refusal2 -> refusal2 == null ? "none" : refusal2.getMessage())
        .containsExactly(refusal, refusal, "Already closed", "Already closed");
    assertThat(damages).as("the action reads its own bytes").containsExactly(-1L);
    assertThat(Contents.mismatchZero(arena.allocate(16_000))).isEqualTo(-1);
    arena.reset();
    assertThat(runCount[0]).isOne();
    arena.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cleanupActionThatThrows_isTold_andTheNextRoundHasBegun(boolean shared) {
    ElasticSpace space = spaces.space();
    ElasticArena arena = open(space, shared);
    MemorySegment block = arena.allocate(100);
    IllegalStateException trouble = new IllegalStateException("trouble");
    whenEnded(
        arena,
        block,
        _ -> {
          throw trouble;
        });
    assertThatThrownBy(arena::reset).isSameAs(trouble);
    assertThat(arena.scope().isAlive()).isTrue();
    assertThat(arena.usedBytes()).isZero();
    assertThat(Contents.mismatchZero(arena.allocate(100))).isEqualTo(-1);
    space.verify();
    arena.close();
  }

  /** Others wait for the reset, but not for ever: its actions are the program's code. */
  @Test
  void anotherThreadCloses_whileAnActionWaitsForIt_isToldAfterASecond() {
    ElasticSpace space = spaces.space();
    ElasticArena arena = space.openShared("arena");
    MemorySegment block = arena.allocate(8);
    List<@Nullable Throwable> refusals = new ArrayList<>();
    whenEnded(arena, block, _ -> refusals.add(inAnotherThread(arena::close)));
    arena.reset();
    assertThat(refusals.getFirst())
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage(
            "arena is being reset: space=test, arena=arena, thread="
                + Thread.currentThread().getName()
                + " (its cleanup actions go on: close or reset the arena when they have ended)");
    assertThat(arena.scope().isAlive()).isTrue();
    arena.close();
  }

  /**
   * Resets of many threads at once happen one after the other; at last one thread closes the arena.
   */
  @Test
  void manyThreadsReset_andOneCloses() throws Exception {
    ElasticSpace space = spaces.space();
    for (int round = 0; round < 100; round++) {
      ElasticArena arena = space.openShared("arena");
      var _ = arena.allocate(1000);
      List<Thread> threads = new ArrayList<>();
      List<@Nullable Throwable> failures = new CopyOnWriteArrayList<>();
      for (int i = 0; i < 3; i++) {
        boolean closes = i == 0;
        threads.add(
            Thread.ofPlatform()
                .start(() -> {
                  Throwable failure = failureOf(closes ? arena::close : arena::reset);
                  if (failure != null
                      && (closes || !"Already closed".equals(failure.getMessage()))) {
                    failures.add(failure);
                  }
                }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failures).isEmpty();
      assertThat(arena.scope().isAlive()).isFalse();
      assertThat(space.arenaCount()).isZero();
    }
    space.verify();
  }

  /** Of the budget: it may reset other arenas; the allocation of the one that asks is refused. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void reclaimerThatResets(boolean shared) {
    Budget budget = Budget.limitedTo("small", 1 << 20);
    ElasticSpace space = spaces.build(spaces.builder("asking").budget(budget).reserveBytes(0));
    ElasticArena other = space.openConfined("other");
    ElasticArena arena = open(space, shared);
    AtomicBoolean resetsAsking = new AtomicBoolean();
    LongSupplier reclaimer =
        () -> {
          (resetsAsking.get() ? arena : other).reset();
          return 1;
        };
    Ledger.of(budget).addReclaimer(reclaimer);
    try {
      var _ = other.allocate(600_000);
      MemorySegment block = arena.allocate(600_000).fill(STAMP);
      assertThat(other.usedBytes()).isZero();
      resetsAsking.set(true);
      assertThatThrownBy(() -> arena.allocate(600_000))
          .isExactlyInstanceOf(IllegalStateException.class)
          .hasMessage(
              "arena was closed or reset while it allocated: space=asking, arena=arena"
                  + " (a reclaimer of a budget must do neither to the arena that asks)");
      assertThat(block.scope().isAlive()).isFalse();
      assertThat(arena.usedBytes()).isZero();
      assertThat(Contents.mismatchZero(arena.allocate(600_000))).isEqualTo(-1);
    } finally {
      Ledger.of(budget).removeReclaimer(reclaimer);
    }
    other.close();
    arena.close();
  }

  // ---- threads ----

  /** A block that can be read holds what its thread wrote: two rounds never share memory. */
  @Test
  void sharedArena_resetWhileOthersAllocate() throws Exception {
    ElasticSpace space = spaces.build(spaces.builder("busy").reserveBytes(64 << 10));
    ElasticArena arena = space.openShared("busy");
    Crew crew = new Crew("resetting", Seeds.draws(1500));
    AtomicLongArray counts = new AtomicLongArray(4);
    crew.goOnUntil(() -> counts.get(0) > 5 && counts.get(1) > 0);
    for (int i = 1; i <= 3; i++) {
      byte tag = (byte) i;
      int member = i;
      crew.add(random -> counts.addAndGet(member, useUntilReset(arena, tag, random)));
    }
    crew.add(random -> {
      spin(random.nextInt(20_000));
      arena.reset();
      counts.incrementAndGet(0);
    });
    crew.add(random -> {
      space.verify();
      assertThat(space.usedBytes()).isBetween(0L, space.reservedBytes());
    });
    crew.join();
    assertThat(counts.get(0)).as("resets").isGreaterThan(5);
    assertThat(counts.get(1)).as("blocks of threads").isPositive();
    arena.close();
  }

  /** Of two rounds, or two stretches, no sum is made that neither had. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void usedBytes_forOthersMeanwhile_areNoMoreThanARoundHad(boolean shared) throws Exception {
    ElasticSpace space = spaces.build(spaces.builder("busy").reserveBytes(0));
    ElasticArena arena = open(space, shared);
    Crew crew = new Crew("looking", Seeds.draws(700));
    AtomicInteger roundCount = new AtomicInteger();
    crew.goOnUntil(() -> roundCount.get() > 100);
    for (int i = 0; i < 4; i++) {
      crew.add(_ -> assertThat(arena.usedBytes()).isBetween(0L, 1L << 20));
    }
    while (crew.hasTime()) {
      for (int i = 0; i < 20; i++) {
        var _ = arena.allocate(2000 << (i & 3));
      }
      arena.reset();
      roundCount.incrementAndGet();
    }
    crew.join();
    assertThat(roundCount).hasValueGreaterThan(100);
    arena.close();
  }

  private static long useUntilReset(ElasticArena arena, byte tag, SplittableRandom random) {
    List<MemorySegment> blocks = new ArrayList<>();
    long count = 0;
    try {
      for (int i = 0; i < 100; i++) {
        if (blocks.size() > 20 && random.nextInt(4) == 0) {
          arena.deallocate(blocks.removeLast());
        } else {
          MemorySegment block = arena.allocate(random.nextInt(1, 1 << random.nextInt(2, 15)));
          long notZero = Contents.mismatchZero(block);
          if (notZero >= 0) {
            throw new AssertionError("not zero at " + notZero + ": " + block);
          }
          Contents.write(block, tag);
          blocks.add(block);
          count++;
        }
        for (MemorySegment block : blocks) {
          long at = Contents.mismatch(block, tag);
          if (at >= 0) {
            throw new AssertionError("a foreign byte at " + at + ": " + block);
          }
        }
      }
    } catch (IllegalStateException | IllegalArgumentException reset) {
      // Segments of an earlier round fail, and are unknown to the arena.
      String message = String.valueOf(reset.getMessage());
      if (!message.equals("Already closed")
          && !message.startsWith("segment is not a block of this arena: ")) {
        throw reset;
      }
      // A thread that the JVM catches in the middle of an access is interrupted, too.
      var _ = Thread.interrupted();
    }
    return count;
  }

  // ---- helpers ----

  private static ElasticArena open(ElasticSpace space, boolean shared) {
    return shared ? space.openShared("arena") : space.openConfined("arena");
  }

  private static void round(ElasticArena arena, long sizeBytes) {
    long restBytes = sizeBytes;
    while (restBytes > 0) {
      MemorySegment block = arena.allocate(Math.min(restBytes, 1000));
      assertThat(Contents.mismatchZero(block)).isEqualTo(-1);
      Contents.write(block, STAMP);
      restBytes -= 1000;
    }
    arena.reset();
  }

  private int callCount() {
    int count = 0;
    for (Call call : Call.values()) {
      count += spaces.os.callCount(call);
    }
    return count;
  }

  private static void whenEnded(Arena arena, MemorySegment block, Consumer<MemorySegment> action) {
    var _ = MemorySegment.ofAddress(block.address()).reinterpret(block.byteSize(), arena, action);
  }

  private static void spin(int turns) {
    for (int i = 0; i < turns; i++) {
      Thread.onSpinWait();
    }
  }
}
