package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.callbacks.PretouchCallback;
import dev.arenal.conformance.Contents;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the memory of the next block comes from, and where the bump pointer is then. */
final class StretchGrowthTest {
  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;

  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  /** The bump pointer of an empty stretch is the end of the one that ends there. */
  @Test
  void stretchThatEndsWhereTheOneBeforeBegan_isEmptyAtFirst() {
    ElasticSpace space = spaces.space();
    ElasticArena below = space.openConfined("below");
    var _ = below.allocate(4 * MIB);
    ConfinedArena arena = (ConfinedArena) space.openConfined("arena");
    var _ = arena.allocate(16 * KIB);
    try (ElasticArena above = space.openConfined("above")) {
      var _ = above.allocate(16 * KIB);
      below.close();
      arena.reset(); // keeps its stretch
      long before = arena.stretchStart;
      assertThat(arena.top()).isEqualTo(before);

      // As where the Java heap has no room for the segment: the block stays in the arena.
      long start = arena.attempt(arena.inner(), 3 * MIB, 8, false);

      assertThat(arena.stretchEnd).as("what this test is for").isEqualTo(before);
      assertThat(start).isEqualTo(arena.stretchStart);
      assertThat(arena.top()).isEqualTo(start);
      assertThat(arena.usedBytes()).isZero();
      TestSpaces.verifyStretch(arena);
      assertThat(Contents.mismatchZero(arena.allocate(3 * MIB))).isEqualTo(-1);
      assertThat(arena.usedBytes()).isEqualTo(3 * MIB);
      arena.close();
    }
  }

  /** The same where the Java heap is full as the stretch has just begun. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void fullHeapAsSuchAStretchBegins_leavesItEmpty(boolean shared) {
    ElasticSpace space =
        spaces.build(spaces.builder("test").reclaimPolicy(ReclaimPolicy.NONE)); // commits it all
    ElasticArena below = space.openConfined("below", ArenaGrowth.STANDARD);
    var _ = below.allocate(128 * KIB);
    try (ElasticArena opened =
            shared
                ? space.openShared("arena", ArenaGrowth.STANDARD)
                : space.openConfined("arena", ArenaGrowth.STANDARD);
        ElasticArena above = space.openConfined("above", ArenaGrowth.STANDARD)) {
      ChunkedArena arena = (ChunkedArena) opened;
      var _ = arena.allocate(16 * KIB);
      var _ = above.allocate(16 * KIB);
      below.close();
      assertThat(space.trim()).isEqualTo(128 * KIB);
      arena.reset(); // keeps its stretch
      long before = arena.stretchStart;
      spaces.os.beforePopulate(() -> {
        throw new OutOfMemoryError("simulated: Java heap space");
      });
      assertThat(PretouchCallback.failureOf(() -> arena.allocate(128 * KIB)))
          .hasMessage("simulated: Java heap space");
      spaces.os.beforePopulate(null);

      assertThat(arena.stretchEnd).as("what this test is for").isEqualTo(before);
      TestSpaces.verifyStretch(arena);
      assertThat(arena.usedBytes()).isZero();
      MemorySegment block = arena.allocate(128 * KIB);
      assertThat(block.address()).isEqualTo(arena.stretchStart);
      assertThat(Contents.mismatchZero(block)).isEqualTo(-1);
      assertThat(arena.usedBytes()).isEqualTo(128 * KIB);
    }
  }

  /** Chunks that a refused request puts back have not been taken. */
  @Test
  void refusedRequest_countsNoChunks() {
    Budget budget = Budget.limitedTo("b", 64 * KIB);
    ElasticSpace space = spaces.build(spaces.builder("test").budget(budget));
    try (ElasticArena arena = open(space, false);
        ElasticArena piece = space.openConfined("piece", ArenaGrowth.MICRO)) {
      var _ = arena.allocate(64 * KIB);
      assertThat(PretouchCallback.failureOf(() -> arena.allocate(5 * MIB)))
          .isInstanceOf(OutOfMemoryError.class);
      assertThat(PretouchCallback.failureOf(() -> piece.allocate(8)))
          .isInstanceOf(OutOfMemoryError.class);
      assertThat(space.report().statistics())
          .containsEntry("num_chunks_taken_from_freelist", space.report().total().chunkCount())
          .containsEntry("num_chunks_returned_to_freelist", 0L);
    }
  }

  /** A new arena would get the rest of the page; one that has a stretch gets it, too. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void fullBudget_leavesThePiecesOfOthers(boolean shared) {
    Budget budget = Budget.limitedTo("b", 12 * KIB);
    ElasticSpace space = spaces.build(spaces.builder("test").budget(budget));
    try (ElasticArena piece = space.openConfined("piece", ArenaGrowth.MICRO);
        ElasticArena arena = open(space, shared)) {
      var _ = piece.allocate(100);
      var _ = arena.allocate(8 * KIB);
      assertThat(budget.availableBytes()).isZero();
      assertThat(Contents.mismatchZero(arena.allocate(64))).isEqualTo(-1);
      assertThat(arena.usedBytes()).isEqualTo(8 * KIB + 64);
      assertThat(space.committedBytes()).isEqualTo(12 * KIB);
      TestSpaces.verifyStretch(arena);
      space.verify();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void limitThatWasLowered_leavesTheFreeMemoryOfTheSpace(boolean shared) {
    Budget budget = Budget.limitedTo("b", 64 * MIB);
    ElasticSpace space = spaces.build(spaces.builder("test").budget(budget));
    try (ElasticArena arena = open(space, shared)) {
      var _ = arena.allocate(MIB);
      leaveFree(space, 512 * KIB);
      long committedBytes = space.committedBytes();
      budget.setLimitBytes(256 * KIB);
      assertThat(Contents.mismatchZero(arena.allocate(128 * KIB))).isEqualTo(-1);
      assertThat(space.committedBytes()).isEqualTo(committedBytes);
      assertThat(arena.usedBytes()).isEqualTo(MIB + 128 * KIB);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void kernelThatCommitsNoMore_leavesTheFreeMemoryOfTheSpace(boolean shared) {
    ElasticSpace space =
        spaces.build(spaces.builder("test").commitMode(CommitMode.PROTECT).reserveBytes(64 * MIB));
    try (ElasticArena arena = open(space, shared)) {
      var _ = arena.allocate(64 * KIB);
      leaveFree(space, 4 * MIB);
      long committedBytes = space.committedBytes();
      spaces.os.failAlways(Call.ALLOW, Errno.ENOMEM);
      assertThat(Contents.mismatchZero(arena.allocate(64 * KIB))).isEqualTo(-1);
      assertThat(space.committedBytes()).isEqualTo(committedBytes);
      assertThat(arena.usedBytes()).isEqualTo(128 * KIB);
    }
  }

  /**
   * What the kernel cannot back is not handed out from elsewhere, where it would not be noticed.
   */
  @Test
  void kernelThatCannotBackPages_isBelieved_alsoWhereMemoryIsFree() {
    ElasticSpace space = spaces.build(spaces.builder("test").reserveBytes(64 * MIB));
    try (ElasticArena arena = open(space, false)) {
      var _ = arena.allocate(64 * KIB);
      leaveFree(space, 4 * MIB);
      spaces.os.failAlways(Call.POPULATE, Errno.EFAULT);
      assertThat(PretouchCallback.failureOf(() -> arena.allocate(64 * KIB)))
          .isInstanceOf(OutOfMemoryError.class)
          .hasMessageContaining("errno=EFAULT (14)");
      assertThat(arena.usedBytes()).isEqualTo(64 * KIB);
      spaces.os.succeed();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void stretchOfAllOfTheReserve_isKeptByAReset(boolean shared) {
    ElasticSpace space = spaces.build(spaces.builder("test").reserveBytes(64 * KIB));
    try (ElasticArena arena = open(space, shared)) {
      var _ = arena.allocate(64 * KIB);
      assertThat(space.committedBytes()).as("what this test is for").isEqualTo(64 * KIB);
      arena.reset();
      assertThat(((ChunkedArena) arena).committedBytes).isEqualTo(64 * KIB);
    }
  }

  /** They are committed again for the next round. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void stretchWhoseGranulesHaveGoneBack_isNotKeptByAReset(boolean shared) {
    ElasticSpace space = spaces.build(spaces.builder("test").reserveBytes(64 * KIB));
    try (ElasticArena arena = open(space, shared)) {
      arena.deallocate(arena.allocate(MIB));
      assertThat(space.committedBytes()).as("what this test is for").isLessThan(64 * KIB);
      arena.reset();
      var _ = arena.allocate(MIB / 2);
      assertThat(space.committedBytes()).isGreaterThanOrEqualTo(MIB / 2);
    }
  }

  private static ElasticArena open(ElasticSpace space, boolean shared) {
    return shared
        ? space.openShared("arena", ArenaGrowth.LARGE)
        : space.openConfined("arena", ArenaGrowth.LARGE);
  }

  private static void leaveFree(ElasticSpace space, long sizeBytes) {
    try (ElasticArena gone = space.openConfined("gone")) {
      var _ = gone.allocate(sizeBytes);
    }
  }
}
