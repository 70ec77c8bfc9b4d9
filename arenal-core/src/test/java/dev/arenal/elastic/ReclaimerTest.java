package dev.arenal.elastic;

import static dev.arenal.callbacks.PretouchCallback.failureOf;
import static dev.arenal.callbacks.PretouchCallback.inAnotherThread;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.conformance.Contents;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import dev.arenal.reserve.Ledger;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reclaimers of a budget that call back into the library, the arena that asks included: no lock is
 * held, no block is handed out twice, and what is refused has changed nothing.
 */
@Timeout(60)
final class ReclaimerTest {
  private static final long LIMIT_BYTES = 1 << 20;
  private static final int BIG_BYTES = 600_000;
  private static final long MIB = 1 << 20;

  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  private final Budget budget = Budget.limitedTo("small", LIMIT_BYTES);
  private final ElasticSpace space =
      spaces.build(spaces.builder("asking").budget(budget).reserveBytes(0));
  private final TreeMap<Long, MemorySegment> stamped = new TreeMap<>();
  private final AtomicInteger callCount = new AtomicInteger();
  private @Nullable LongSupplier reclaimer;

  @AfterEach
  void forget() {
    if (reclaimer != null) {
      Ledger.of(budget).removeReclaimer(reclaimer);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void closesAnother_andAllocatesInTheOneThatAsks(boolean shared) {
    ElasticArena other = space.openConfined("other");
    var _ = other.allocate(BIG_BYTES);
    ElasticArena asking = open(shared);
    stamp(asking.allocate(100));
    once(() -> {
      other.close();
      for (int i = 0; i < 100; i++) {
        stamp(asking.allocate(1 + i * 37));
      }
    });
    stamp(asking.allocate(BIG_BYTES));
    for (int i = 0; i < 1000; i++) {
      stamp(asking.allocate(8 + i % 100));
    }
    assertThat(callCount).hasPositiveValue();
    assertStamps();
    assertThat(asking.usedBytes()).isEqualTo(stampedBytes());
    asking.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void givesBlocksOfTheOneThatAsksBack(boolean shared) {
    ElasticArena asking = open(shared);
    MemorySegment big = asking.allocate(BIG_BYTES);
    stamp(asking.allocate(100));
    once(() -> asking.deallocate(big));
    stamp(asking.allocate(BIG_BYTES - 1000));
    assertThat(callCount).hasValue(1);
    assertStamps();
    assertThat(asking.usedBytes()).isEqualTo(stampedBytes());
    asking.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void closesTheOneThatAsks_whichIsTold(boolean shared) {
    ElasticArena asking = open(shared);
    var _ = asking.allocate(BIG_BYTES);
    once(asking::close);
    assertThatThrownBy(() -> asking.allocate(BIG_BYTES))
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage(
            "arena was closed or reset while it allocated: space=asking, arena=asker"
                + " (a reclaimer of a budget must do neither to the arena that asks)");
    assertThat(space.arenaCount()).isZero();
    space.verify();
    assertThat(space.usedBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void asksForMoreThanThereIs_isRefusedAndNoneIsAskedAgain(boolean shared) {
    ElasticArena asking = open(shared);
    stamp(asking.allocate(BIG_BYTES));
    List<Throwable> refusals = new ArrayList<>();
    once(() -> {
      refusals.add(failureOf(() -> asking.allocate(BIG_BYTES)));
      refusals.add(failureOf(space::close));
    });
    assertThatThrownBy(() -> asking.allocate(BIG_BYTES))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining("budget=small");
    assertThat(refusals.getFirst())
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining("budget=small");
    assertThat(refusals.getLast())
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage(
            "space has open arenas: space=asking, openArenas=1, names=[asker]"
                + " (expected all arenas to be closed before their space)");
    assertThat(callCount).hasValue(2); // by the outer request, which asks caches again
    assertStamps();
    assertThat(asking.usedBytes()).isEqualTo(stampedBytes());
    asking.close();
  }

  /** A monitor of the library held here would make two threads wait for each other. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void waitsForAnotherThread_thatUsesTheOneThatAsks(boolean closes) {
    ElasticArena other = space.openShared("other");
    var _ = other.allocate(BIG_BYTES);
    ElasticArena asking = open(true);
    MemorySegment block = asking.allocate(5000);
    List<@Nullable Throwable> failures = new ArrayList<>();
    once(() ->
        failures.add(
            inAnotherThread(() -> {
              other.close();
              asking.deallocate(block);
              stamp(asking.allocate(70_000));
              space.verify();
              var _ = space.trim();
              if (closes) {
                asking.close();
              }
            })));
    if (closes) {
      assertThatThrownBy(() -> asking.allocate(BIG_BYTES))
          .isExactlyInstanceOf(IllegalStateException.class);
      stamped.clear();
    } else {
      stamp(asking.allocate(BIG_BYTES));
    }
    assertThat(failures).containsExactly((Throwable) null);
    assertStamps();
    if (!closes) {
      asking.close();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void trims_closesAnotherSpace_andThrows(boolean shared) {
    ElasticSpace idle =
        spaces.build(spaces.builder("idle").budget(budget).reclaimPolicy(ReclaimPolicy.NONE));
    ElasticArena gone = idle.openConfined();
    var _ = gone.allocate(BIG_BYTES);
    gone.close();
    ElasticArena asking = open(shared);
    once(() -> {
      var _ = space.trim();
      var _ = idle.trim();
      idle.close();
      throw new IllegalStateException("a reclaimer that throws is logged");
    });
    stamp(asking.allocate(BIG_BYTES));
    assertStamps();
    asking.close();
  }

  /** Below a lowered limit a byte that went back could not be committed again. */
  @ParameterizedTest
  @CsvSource({"DISCARD,BALANCED", "DISCARD,NONE", "PROTECT,BALANCED", "PROTECT,NONE"})
  void freesInTheSpaceThatAsks_underALoweredLimit(CommitMode mode, ReclaimPolicy policy) {
    Budget lowered = Budget.limitedTo("lowered", 64 * MIB);
    ElasticSpace asking =
        spaces.build(
            spaces.builder("freed").budget(lowered).commitMode(mode).reclaimPolicy(policy));
    ElasticArena cache = asking.openConfined("cache");
    var _ = cache.allocate(8 * MIB);
    try (ElasticArena used = asking.openConfined("used");
        ElasticArena asker = asking.openConfined("asker");
        Budget.Registration _ = lowered.addReclaimer(closing(cache))) {
      var _ = used.allocate(8 * MIB);
      lowered.setLimitBytes(12 * MIB);
      assertThat(Contents.mismatchZero(asker.allocate(8 * MIB))).isEqualTo(-1);
      assertThat(asking.committedBytes()).isEqualTo(16 * MIB);
    }
  }

  @ParameterizedTest
  @EnumSource
  void freesInTheSpaceThatAsks_whereTheKernelMakesNoMoreAccessible(ReclaimPolicy policy) {
    Budget counting = Budget.unlimited("counting");
    ElasticSpace asking =
        spaces.build(
            spaces
                .builder("freed")
                .budget(counting)
                .commitMode(CommitMode.PROTECT)
                .reclaimPolicy(policy));
    ElasticArena cache = asking.openConfined("cache");
    var _ = cache.allocate(8 * MIB);
    try (ElasticArena asker = asking.openConfined("asker");
        Budget.Registration _ = counting.addReclaimer(closing(cache))) {
      var _ = asker.allocate(100);
      spaces.os.failAlways(Call.ALLOW, Errno.ENOMEM);
      assertThat(Contents.mismatchZero(asker.allocate(8 * MIB))).isEqualTo(-1);
    }
  }

  /** A discard put off for a request comes after it; of memory that cannot serve it, before. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void partsThatDoNotServe_goBackForTheRequest(boolean isServed) {
    Budget full = Budget.limitedTo("full", 16 * MIB);
    ElasticSpace asking = spaces.build(spaces.builder("parts").budget(full).reserveBytes(64 * MIB));
    List<ElasticArena> arenas = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      ElasticArena arena = asking.openConfined("part-" + i);
      arenas.add(arena);
      var _ = arena.allocate(MIB);
    }
    for (int i = 0; i < arenas.size(); i += 2) {
      arenas.get(i).close();
    }
    if (!isServed) {
      full.setLimitBytes(4 * MIB);
    }
    try (ElasticArena asker = asking.openConfined("asker")) {
      if (isServed) {
        assertThat(Contents.mismatchZero(asker.allocate(8 * MIB))).isEqualTo(-1);
      } else {
        assertThat(failureOf(() -> asker.allocate(8 * MIB))).isInstanceOf(OutOfMemoryError.class);
        assertThat(Contents.mismatchZero(asker.allocate(MIB))).isEqualTo(-1);
      }
      assertThat(asking.committedBytes()).isEqualTo(16 * MIB);
    }
    for (int i = 1; i < arenas.size(); i += 2) {
      arenas.get(i).close();
    }
  }

  // ---- helpers ----

  private static Budget.Reclaimer closing(ElasticArena cache) {
    return _ -> {
      if (!cache.scope().isAlive()) {
        return 0;
      }
      cache.close();
      return 8 * MIB;
    };
  }

  private ElasticArena open(boolean shared) {
    return shared ? space.openShared("asker") : space.openConfined("asker");
  }

  /** Adds a reclaimer that does something when it is called first; bytes are what is free then. */
  private void once(Runnable what) {
    AtomicBoolean called = new AtomicBoolean();
    LongSupplier added =
        () -> {
          callCount.incrementAndGet();
          if (called.compareAndSet(false, true)) {
            what.run();
          }
          return 1;
        };
    reclaimer = added;
    Ledger.of(budget).addReclaimer(added);
  }

  private void stamp(MemorySegment block) {
    assertThat(Contents.mismatchZero(block)).isEqualTo(-1);
    var before = stamped.floorEntry(block.address() + block.byteSize() - 1);
    boolean overlaps =
        before != null && before.getKey() + before.getValue().byteSize() > block.address();
    assertThat(overlaps).as("overlaps another block: %s", block).isFalse();
    stamped.put(block.address(), block);
    Contents.write(block, tag(block));
  }

  private void assertStamps() {
    for (MemorySegment block : stamped.values()) {
      assertThat(Contents.mismatch(block, tag(block))).as("%s", block).isEqualTo(-1);
    }
    space.verify();
  }

  private long stampedBytes() {
    return stamped.values().stream()
        .mapToLong(block -> OracleArena.blockBytes(block.byteSize()))
        .sum();
  }

  private static byte tag(MemorySegment block) {
    return (byte) (1 + (block.address() >>> 3) % 100);
  }
}
