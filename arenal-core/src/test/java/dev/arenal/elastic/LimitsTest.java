package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.conformance.Contents;
import dev.arenal.elastic.chunk.Chunk;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import dev.arenal.reserve.Ledger;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits hit and recovered, and what is said when they are hit. */
final class LimitsTest {
  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  // ---- budgets ----

  @Test
  void budgetUsedUp_isToldWithAllFigures_andRecovers() {
    Budget budget = Budget.limitedTo("all tenants", 100_000);
    ElasticSpace space = spaces.build(spaces.builder("tenants").budget(budget));
    ElasticArena other = space.openConfined("other");
    var _ = other.allocate(50_000);
    ElasticArena arena = space.openConfined("arena");
    var _ = arena.allocate(1000);
    long committedBytes = space.committedBytes();
    long usedBytes = arena.usedBytes();
    assertThatThrownBy(() -> arena.allocate(60_000))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage(
            "native memory refused: space=tenants, arena=arena, requestedBytes=60000,"
                + " committedBytes="
                + space.committedBytes()
                + ", reservedBytes=67108864, limitBytes=100000, budget=all tenants,"
                + " budgetCommittedBytes="
                + budget.committedBytes()
                + ", errno=none (the budget is used up: close arenas, free memory of its other"
                + " users, or raise its limit)");
    assertThat(space.committedBytes()).isLessThanOrEqualTo(committedBytes);
    assertThat(arena.usedBytes()).isEqualTo(usedBytes);
    space.verify();
    other.close();
    assertThat(arena.allocate(60_000).byteSize()).isEqualTo(60_000);
    arena.close();
  }

  @Test
  void blockBeyondTheBudget_reservesNoAddresses() {
    Budget budget = Budget.limitedTo("b", 8 << 20);
    ElasticSpace space = spaces.build(spaces.builder("test").budget(budget));
    try (ElasticArena arena = space.openConfined()) {
      var _ = arena.allocate(8);
      long reservedBytes = space.reservedBytes();
      assertThatThrownBy(() -> arena.allocate(1 << 30)).isInstanceOf(OutOfMemoryError.class);
      assertThat(space.reservedBytes()).isEqualTo(reservedBytes);
    }
  }

  @Test
  void budget_canBeUsedToTheLastGranule() {
    Budget budget = Budget.limitedTo("b", 64 * 4096);
    ElasticSpace space = spaces.build(spaces.builder("test").budget(budget));
    try (ElasticArena arena = space.openConfined()) {
      long bytes = 0;
      try {
        while (true) {
          var _ = arena.allocate(64).fill((byte) 1);
          bytes += 64;
        }
      } catch (OutOfMemoryError full) {
        assertThat(bytes).isEqualTo(64 * 4096);
        assertThat(budget.committedBytes()).isEqualTo(budget.limitBytes());
      }
    }
  }

  @Test
  void budgetOfNothing_refusesTheFirstByte() {
    ElasticSpace space =
        spaces.build(
            spaces.builder("test").budget(Budget.limitedTo("nothing", 0)).granuleBytes(65536));
    try (ElasticArena arena = space.openShared()) {
      assertThatThrownBy(() -> arena.allocate(1))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessage(
              "native memory refused: space=test, requestedBytes=8, committedBytes=0,"
                  + " reservedBytes=67108864, limitBytes=0, budget=nothing,"
                  + " budgetCommittedBytes=0, granuleBytes=65536, errno=none"
                  + " (expected at most the limit of the budget, in whole granules)");
    }
  }

  @Test
  void reserveOfOneSpace_isReclaimedForAnother() {
    Budget budget = Budget.limitedTo("shared", 1 << 20);
    ElasticSpace idle =
        spaces.build(spaces.builder("idle").budget(budget).reclaimPolicy(ReclaimPolicy.NONE));
    ElasticSpace busy = spaces.build(spaces.builder("busy").budget(budget));
    ElasticArena gone = idle.openConfined();
    var _ = gone.allocate(700_000);
    gone.close();
    assertThat(idle.committedBytes()).isGreaterThan(600_000);
    try (ElasticArena arena = busy.openConfined()) {
      assertThat(arena.allocate(900_000).byteSize()).isEqualTo(900_000);
      assertThat(idle.committedBytes()).isLessThan(200_000);
    }
  }

  /** Free memory of the space counts in the budget already: no one needs to give back. */
  @Test
  void largeBlock_getsFreeMemoryOfItsSpace_whereTheBudgetIsUsedUp() {
    Budget budget = Budget.limitedTo("full", 48 << 20);
    ElasticSpace space =
        spaces.build(spaces.builder("test").budget(budget).reclaimPolicy(ReclaimPolicy.NONE));
    ElasticArena gone = space.openConfined();
    var _ = gone.allocate(48 << 20);
    gone.close();
    assertThat(budget.availableBytes()).isZero();
    AtomicInteger askedCount = new AtomicInteger();
    try (Budget.Registration _ = budget.addReclaimer(_ -> askedCount.getAndIncrement());
        ElasticArena arena = space.openConfined()) {
      assertThat(arena.allocate(32 << 20).byteSize()).isEqualTo(32 << 20);
      assertThat(askedCount).hasValue(0);
      assertThat(space.committedBytes()).isEqualTo(48 << 20);
    }
  }

  /** In the order of the JDK. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void closedArena_saysSo_beforeASizeThatIsTooLarge(boolean isShared) {
    ElasticSpace space = spaces.space();
    ElasticArena arena = isShared ? space.openShared() : space.openConfined();
    arena.close();
    assertThatThrownBy(() -> arena.allocate(1L << 61))
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("Already closed");
  }

  @Test
  void budgetsCustomer_isAskedToGiveBack() {
    Budget budget = Budget.limitedTo("b", 1 << 20);
    assertThat(Ledger.of(budget).tryCommit(1 << 20)).isTrue();
    java.util.function.LongSupplier cache =
        () -> {
          long bytes = budget.committedBytes();
          Ledger.of(budget).uncommit(bytes);
          return bytes;
        };
    Ledger.of(budget).addReclaimer(cache);
    ElasticSpace space = spaces.build(spaces.builder("test").budget(budget));
    try (ElasticArena arena = space.openConfined()) {
      assertThat(arena.allocate(500_000).byteSize()).isEqualTo(500_000);
    }
    Ledger.of(budget).removeReclaimer(cache);
  }

  // ---- fixed spaces ----

  @ParameterizedTest
  @CsvSource({"4096,DISCARD", "4096,PROTECT", "65536,DISCARD", "2097152,DISCARD"})
  void fixedSpace_isFilledToTheLastByte_byOneArena(long granuleBytes, CommitMode mode) {
    long sizeBytes = (18 << 20) + (2L << 20);
    ElasticSpace space =
        spaces.build(
            spaces
                .builder("full")
                .fixedSizeBytes(sizeBytes)
                .granuleBytes(granuleBytes)
                .commitMode(mode));
    for (ArenaGrowth growth : ArenaGrowth.values()) {
      try (ElasticArena arena = space.openConfined("filler", growth)) {
        long bytes = 0;
        try {
          while (true) {
            var _ = arena.allocate(1024);
            bytes += 1024;
          }
        } catch (OutOfMemoryError full) {
          assertThat(bytes).as("%s", growth).isEqualTo(sizeBytes);
        }
        assertThatThrownBy(() -> arena.allocate(8))
            .isInstanceOf(OutOfMemoryError.class)
            .hasMessage(
                "native memory refused: space=full, arena=filler, requestedBytes=8, committedBytes="
                    + sizeBytes
                    + ", reservedBytes="
                    + sizeBytes
                    + ", limitBytes=none, errno=none (no room of this size is left in the fixed"
                    + " space: close arenas or build a larger one)");
        space.verify();
      }
    }
  }

  @Test
  void oneBlock_canBeTheWholeSpace() {
    long sizeBytes = (100 << 20) + 4096;
    ElasticSpace space = spaces.build(spaces.builder("test").fixedSizeBytes(sizeBytes));
    for (int round = 0; round < 3; round++) {
      try (ElasticArena arena = space.openShared()) {
        MemorySegment whole = arena.allocate(sizeBytes);
        whole.set(ValueLayout.JAVA_BYTE, sizeBytes - 1, (byte) 1);
        assertThat(space.committedBytes()).isEqualTo(sizeBytes);
        assertThat(arena.usedBytes()).isEqualTo(sizeBytes);
        assertThatThrownBy(() -> arena.allocate(0)).isInstanceOf(OutOfMemoryError.class);
        arena.deallocate(whole);
        assertThat(arena.allocate(sizeBytes).get(ValueLayout.JAVA_BYTE, sizeBytes - 1)).isZero();
      }
    }
  }

  @Test
  void fixedSpace_sharedByManySmallArenas_wastesLittle() {
    ElasticSpace space = spaces.build(spaces.builder("test").fixedSizeBytes(8 << 20));
    List<ElasticArena> arenas = new ArrayList<>();
    try {
      while (true) {
        ElasticArena arena = space.openConfined(null, ArenaGrowth.MICRO);
        arenas.add(arena);
        var _ = arena.allocate(1000);
      }
    } catch (OutOfMemoryError full) {
      assertThat(arenas).hasSizeGreaterThanOrEqualTo(8 * 1024);
    }
    arenas.forEach(ElasticArena::close);
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, 1L << 62, (1L << 48) + 1})
  void blockThatNoProcessHasAddressesFor_isRefusedForItsSize(long sizeBytes) {
    ElasticSpace space = spaces.space();
    try (ElasticArena arena = space.openConfined("a")) {
      assertThatThrownBy(() -> arena.allocate(sizeBytes))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessage(
              "native memory refused: space=test, arena=a, requestedBytes="
                  + sizeBytes
                  + ", committedBytes=0, reservedBytes=0, limitBytes=none, errno=none (more than"
                  + " the addresses of a process: ask for less)");
      assertThat(arena.allocate(100).byteSize()).isEqualTo(100);
    }
  }

  // ---- the kernel ----

  @Test
  void kernelWithoutAddresses_isToldWithErrno_andTheArenaGoesOn() {
    ElasticSpace space = spaces.space();
    try (ElasticArena arena = space.openConfined()) {
      var _ = arena.allocate(100);
      spaces.os.failAlways(Call.RESERVE, Errno.ENOMEM);
      assertThatThrownBy(() -> arena.allocate(100 << 20))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessage(
              "native memory refused: space=test, requestedBytes=104857600, committedBytes="
                  + space.committedBytes()
                  + ", reservedBytes=67108864, limitBytes=none, errno=ENOMEM (12) (the operating"
                  + " system gives no more address space: see ulimit -v)");
      assertThat(arena.allocate(100).byteSize()).isEqualTo(100);
      spaces.os.succeed();
      assertThat(arena.allocate(100 << 20).byteSize()).isEqualTo(100 << 20);
    }
  }

  @Test
  void kernelWithoutMemory_isToldWithErrno_andTheArenaGoesOn() {
    ElasticSpace space = spaces.build(spaces.builder("strict").commitMode(CommitMode.PROTECT));
    try (ElasticArena arena = space.openShared()) {
      var _ = arena.allocate(100);
      long committedBytes = space.committedBytes();
      spaces.os.failAlways(Call.ALLOW, Errno.EAGAIN);
      assertThatThrownBy(() -> arena.allocate(1 << 20))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessage(
              "native memory refused: space=strict, requestedBytes=1048576, committedBytes="
                  + committedBytes
                  + ", reservedBytes=67108864, limitBytes=none, errno=EAGAIN (11) (the operating"
                  + " system gives no more memory: close arenas, or see vm.overcommit_memory and"
                  + " vm.max_map_count)");
      spaces.os.succeed();
      assertThat(arena.allocate(1 << 20).byteSize()).isEqualTo(1 << 20);
    }
  }

  @Test
  void mappingsUsedUp_areToldWithAllFigures_andTheArenaGoesOn() {
    ElasticSpace space =
        spaces.build(spaces.builder("strict").commitMode(CommitMode.PROTECT).granuleBytes(4096));
    try (ElasticArena arena = space.openShared()) {
      var _ = arena.allocate(100);
      long committedBytes = space.committedBytes();
      spaces.os.failAlways(Call.ALLOW, Errno.TOO_MANY_MAPPINGS);
      assertThatThrownBy(() -> arena.allocate(1 << 20))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessage(
              "native memory refused: space=strict, requestedBytes=1048576, committedBytes="
                  + committedBytes
                  + ", reservedBytes=67108864, limitBytes=none, errno=TOO_MANY_MAPPINGS (4000),"
                  + " mappings="
                  + spaces.os.mappingCount()
                  + ", mappingLimit=32765, maxMapCount=65530, granuleBytes=4096 (the rest of the"
                  + " kernel's mappings is left to the program: close arenas, take larger"
                  + " granules, or raise vm.max_map_count)");
      assertThat(space.committedBytes()).isEqualTo(committedBytes);
      spaces.os.succeed();
      assertThat(arena.allocate(1 << 20).byteSize()).isEqualTo(1 << 20);
    }
  }

  @Test
  void kernelThatCannotBackPages_isToldBeforeTheyAreTouched() {
    ElasticSpace space =
        spaces.build(
            spaces
                .builder("lazy")
                .commitMode(CommitMode.DISCARD)
                .granuleBytes(65536)
                .reclaimPolicy(ReclaimPolicy.AGGRESSIVE));
    try (ElasticArena arena = space.openConfined("arena", ArenaGrowth.LARGE)) {
      var _ = arena.allocate(60_000);
      long committedBytes = space.committedBytes();
      spaces.os.failAlways(Call.POPULATE, Errno.EFAULT);
      int countBefore = spaces.os.callCount(Call.POPULATE);
      assertThatThrownBy(() -> arena.allocate(60_000))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessageContaining("errno=EFAULT (14)");
      assertThat(spaces.os.callCount(Call.POPULATE) - countBefore)
          .as("what the thread itself has taken back is no reason to try again")
          .isLessThan(5);
      assertThat(space.committedBytes()).isEqualTo(committedBytes);
      spaces.os.succeed();
      assertThat(Contents.mismatchZero(arena.allocate(60_000))).isEqualTo(-1);
    }
  }

  // ---- sizes without measure ----

  @ParameterizedTest
  @EnumSource
  void hundredGibibytes_areReservedInOneArena(CommitMode mode) {
    // The real kernel: the simulated one has a byte for each page.
    ElasticSpace space = ElasticSpace.builder("huge").commitMode(mode).build();
    long sizeBytes = 100L << 30;
    ElasticArena arena = space.openConfined("hundred", ArenaGrowth.LARGE);
    if (mode == CommitMode.PROTECT) {
      // The kernel may refuse to promise that much; then nothing has changed.
      try {
        var _ = arena.allocate(sizeBytes);
      } catch (OutOfMemoryError refused) {
        assertThat(space.committedBytes()).isZero();
      }
    } else {
      MemorySegment block = arena.allocate(sizeBytes);
      assertThat(space.committedBytes()).isEqualTo(sizeBytes);
      assertThat(arena.usedBytes()).isEqualTo(sizeBytes);
      block.set(ValueLayout.JAVA_BYTE, sizeBytes - 1, (byte) 1);
      block.set(ValueLayout.JAVA_BYTE, sizeBytes / 3, (byte) 1);
      assertThat(arena.allocate(8).byteSize()).isEqualTo(8);
    }
    arena.close();
    assertThat(space.committedBytes()).isLessThanOrEqualTo(1 << 20);
    space.close();
  }

  @Test
  void hugeAlignment_commitsNoMoreThanTheBlock() {
    ElasticSpace space = spaces.space();
    try (ElasticArena arena = space.openConfined()) {
      for (int i = 0; i < 8; i++) {
        MemorySegment block = arena.allocate(8, 64 << 20);
        assertThat(block.address() % (64 << 20)).isZero();
      }
      assertThat(space.committedBytes()).isLessThanOrEqualTo(8 * 2 * 4096);
    }
  }

  @Test
  void manyGranules_ofEverySize() {
    for (long granule = 4096; granule <= Chunk.ROOT_BYTES; granule <<= 1) {
      ElasticSpace space = spaces.build(spaces.builder("g" + granule).granuleBytes(granule));
      try (ElasticArena arena = space.openConfined()) {
        var _ = arena.allocate(10_000).fill((byte) 1);
        assertThat(space.committedBytes() % granule).isZero();
        assertThat(space.committedBytes()).isBetween(10_000L, Math.max(3 * granule, 16384));
      }
    }
  }
}
