package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.conformance.Contents;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchReport;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pretouch of a space: the memory that it takes, touches and keeps. */
@Timeout(60)
final class SpacePretouchTest {
  private static final long MIB = 1 << 20;

  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  @ParameterizedTest
  @EnumSource
  void all_ofAFixedSpace_isCommittedAndBacked(CommitMode mode) {
    ElasticSpace space =
        spaces.build(
            spaces
                .builder("test")
                .commitMode(mode)
                .granuleBytes(4096)
                .fixedSizeBytes(37 * MIB + 4096));
    assertThat(space.lastPretouch()).isNull();
    PretouchReport report = space.pretouch(Pretouch.all());
    assertThat(report.target()).isEqualTo("space=test");
    assertThat(report.touchedBytes()).isEqualTo(37 * MIB + 4096);
    assertThat(space.lastPretouch()).isEqualTo(report);
    assertThat(space.committedBytes()).isEqualTo(37 * MIB + 4096);
    assertThat(spaces.os.backedBytes()).isEqualTo(37 * MIB + 4096);
    space.verify();
    int populateCount = spaces.os.callCount(Call.POPULATE);
    int allowCount = spaces.os.callCount(Call.ALLOW);
    try (ElasticArena arena = space.openConfined()) {
      MemorySegment block = arena.allocate(30 * MIB);
      assertThat(Contents.mismatchZero(block)).isEqualTo(-1);
    }
    assertThat(spaces.os.callCount(Call.POPULATE)).isEqualTo(populateCount);
    assertThat(spaces.os.callCount(Call.ALLOW)).isEqualTo(allowCount);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 4096, 4097, 3 * MIB, 16 * MIB, 90 * MIB + 1})
  void upTo_commitsWholeGranulesAndNoMore(long sizeBytes) {
    for (CommitMode mode : CommitMode.values()) {
      for (long granuleBytes : new long[] {4096, 65536, 16 * MIB}) {
        ElasticSpace space =
            spaces.build(spaces.builder("test").commitMode(mode).granuleBytes(granuleBytes));
        long before = spaces.os.backedBytes();
        long expected = (sizeBytes + granuleBytes - 1) / granuleBytes * granuleBytes;
        assertThat(space.pretouch(Pretouch.upTo(sizeBytes)).touchedBytes()).isEqualTo(expected);
        assertThat(space.committedBytes()).isEqualTo(expected);
        assertThat(spaces.os.backedBytes() - before).isEqualTo(expected);
        assertThat(space.floorBytes()).isEqualTo(expected);
        space.verify();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void memoryInUse_isLeftAlone_andCounts(CommitMode mode) {
    ElasticSpace space = spaces.build(spaces.builder("test").commitMode(mode));
    try (ElasticArena arena = space.openConfined()) {
      MemorySegment small = arena.allocate(1000).fill((byte) 5);
      MemorySegment large = arena.allocate(20 * MIB);
      var _ = large.asSlice(7 * MIB, 5).fill((byte) 6);
      assertThat(spaces.os.backedBytes()).isLessThan(space.committedBytes());
      long committedBytes = space.committedBytes();
      long backedBytes = spaces.os.backedBytes();
      assertThat(space.pretouch(Pretouch.upTo(committedBytes)).touchedBytes()).isZero();
      assertThat(spaces.os.backedBytes()).isEqualTo(backedBytes);
      PretouchReport report = space.pretouch(Pretouch.upTo(committedBytes + 4 * MIB));
      assertThat(report.touchedBytes()).isEqualTo(4 * MIB);
      assertThat(space.committedBytes()).isEqualTo(committedBytes + 4 * MIB);
      assertThat(spaces.os.backedBytes()).isEqualTo(backedBytes + 4 * MIB);
      assertThat(Contents.mismatch(small, (byte) 5)).isEqualTo(-1);
      assertThat(Contents.mismatch(large.asSlice(7 * MIB, 5), (byte) 6)).isEqualTo(-1);
      assertThat(Contents.mismatchZero(large.asSlice(0, 7 * MIB))).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void partlyCommittedSpace_isFilledUp(CommitMode mode) {
    ElasticSpace space =
        spaces.build(
            spaces
                .builder("test")
                .commitMode(mode)
                .reclaimPolicy(ReclaimPolicy.NONE)
                .fixedSizeBytes(48 * MIB));
    try (ElasticArena arena = space.openConfined("a", ArenaGrowth.LARGE)) {
      try (ElasticArena other = space.openConfined("b", ArenaGrowth.LARGE)) {
        for (int i = 0; i < 20; i++) {
          var _ = arena.allocate(100_000);
          var _ = other.allocate(100_000).fill((byte) 1);
        }
      }
    }
    long committedBytes = space.committedBytes();
    assertThat(committedBytes).isBetween(MIB, 20 * MIB);
    assertThat(space.pretouch(Pretouch.upTo(30 * MIB)).touchedBytes()).isEqualTo(30 * MIB);
    assertThat(space.committedBytes()).isEqualTo(30 * MIB);
    assertThat(space.pretouch(Pretouch.all()).touchedBytes()).isEqualTo(48 * MIB);
    assertThat(space.committedBytes()).isEqualTo(48 * MIB);
    assertThat(spaces.os.backedBytes()).isEqualTo(48 * MIB);
  }

  @Test
  void lessThanThereIs_touchesNoMoreThanThat() {
    ElasticSpace space = spaces.space();
    var _ = space.pretouch(Pretouch.upTo(20 * MIB));
    assertThat(space.pretouch(Pretouch.upTo(2 * MIB)).touchedBytes()).isEqualTo(2 * MIB);
    assertThat(space.committedBytes()).isEqualTo(20 * MIB);
  }

  @ParameterizedTest
  @EnumSource
  void floor_staysWhateverThePolicy_untilTrim(ReclaimPolicy policy) {
    for (CommitMode mode : CommitMode.values()) {
      ElasticSpace space =
          spaces.build(spaces.builder("test").commitMode(mode).reclaimPolicy(policy));
      var _ = space.pretouch(Pretouch.upTo(20 * MIB));
      for (int i = 0; i < 3; i++) {
        try (ElasticArena arena = space.openConfined()) {
          for (int block = 0; block < 6; block++) {
            MemorySegment large = arena.allocate(10 * MIB);
            var _ = large.fill((byte) 1);
            if (block % 2 == 0) {
              arena.deallocate(large);
            }
          }
        }
        assertThat(space.committedBytes()).isGreaterThanOrEqualTo(20 * MIB);
        if (policy != ReclaimPolicy.NONE) {
          assertThat(space.committedBytes()).isLessThanOrEqualTo(22 * MIB);
        }
        space.verify();
      }
      assertThat(space.floorBytes()).isEqualTo(20 * MIB);
      assertThat(space.trim()).isGreaterThanOrEqualTo(20 * MIB);
      assertThat(space.floorBytes()).isZero();
      assertThat(space.committedBytes()).isZero();
    }
  }

  /** Also where free blocks of an arena are what would go. */
  @ParameterizedTest
  @EnumSource
  void floor_staysWhereBlocksComeBackEarly(ReclaimPolicy policy) {
    ElasticSpace space = spaces.build(spaces.builder("test").reclaimPolicy(policy));
    var _ = space.pretouch(Pretouch.upTo(20 * MIB));
    try (ElasticArena arena = space.openConfined()) {
      MemorySegment block = arena.allocate(10 * MIB);
      var _ = arena.allocate(6 * MIB);
      arena.deallocate(block);
      assertThat(space.committedBytes()).isGreaterThanOrEqualTo(20 * MIB);
      space.verify();
    }
  }

  @Test
  void floor_staysAfterADelay() throws InterruptedException {
    ElasticSpace space =
        spaces.build(
            spaces.builder("test").uncommitDelay(Duration.ofMillis(10)).reserveBytes(4096));
    var _ = space.pretouch(Pretouch.upTo(4 * MIB));
    try (ElasticArena arena = space.openConfined()) {
      var _ = arena.allocate(20 * MIB).fill((byte) 1);
    }
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (space.committedBytes() > 4 * MIB && System.nanoTime() < deadline) {
      Thread.sleep(5);
    }
    Thread.sleep(50);
    assertThat(space.committedBytes()).isEqualTo(4 * MIB);
  }

  @Test
  void floor_isNotLowered_byAPretouchOfLess() {
    ElasticSpace space = spaces.space();
    var _ = space.pretouch(Pretouch.upTo(8 * MIB));
    var _ = space.pretouch(Pretouch.upTo(MIB));
    assertThat(space.floorBytes()).isEqualTo(8 * MIB);
  }

  @Test
  void anotherOneOfTheBudget_getsWhatIsFreeOfTheFloor() {
    Budget budget = Budget.limitedTo("both", 16 * MIB);
    ElasticSpace first = spaces.build(spaces.builder("first").budget(budget));
    ElasticSpace second = spaces.build(spaces.builder("second").budget(budget));
    var _ = first.pretouch(Pretouch.upTo(16 * MIB));
    var _ = second.pretouch(Pretouch.upTo(10 * MIB));
    assertThat(second.committedBytes()).isEqualTo(10 * MIB);
    assertThat(first.committedBytes()).isLessThanOrEqualTo(6 * MIB);
    var _ = first.pretouch(Pretouch.upTo(4 * MIB));
    assertThat(first.floorBytes()).isEqualTo(16 * MIB);
  }

  @Test
  void whatIsClaimed_isNotRefusedToAnArena() throws Exception {
    spaces.os.populateReally(); // it is claimed for as long as that takes
    ElasticSpace space = spaces.build(spaces.builder("test").fixedSizeBytes(32 * MIB));
    Crew crew = new Crew("whatIsClaimed", 300);
    crew.add(random -> {
      var _ = space.pretouch(Pretouch.all());
      var _ = space.trim();
    });
    crew.add(random -> {
      try (ElasticArena arena = space.openConfined()) {
        assertThat(arena.allocate(31 * MIB).byteSize()).isEqualTo(31 * MIB);
      }
    });
    crew.join();
  }

  @Test
  void builder_pretouches() {
    ElasticSpace space =
        spaces.build(
            spaces.builder("test").fixedSizeBytes(5 * MIB).pretouch(Pretouch.all().threads(1)));
    assertThat(space.committedBytes()).isEqualTo(5 * MIB);
    assertThat(spaces.os.backedBytes()).isEqualTo(5 * MIB);
    PretouchReport report = space.lastPretouch();
    assertThat(report).isNotNull();
  }

  @Test
  void allOfAGrowableSpace_isRefused() {
    ElasticSpace space = spaces.space();
    assertThatThrownBy(() -> space.pretouch(Pretouch.all()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "pretouch of a growable space has no end: space=test"
                + " (expected Pretouch.upTo, or a space of a fixed size)");
    assertThatThrownBy(() -> spaces.builder("b").pretouch(Pretouch.all()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "pretouch of a growable space has no end: space=b"
                + " (expected Pretouch.upTo, or a space of a fixed size)");
  }

  @Test
  void closedSpace_isNotPretouched() {
    ElasticSpace space = spaces.space();
    space.close();
    assertThatThrownBy(() -> space.pretouch(Pretouch.upTo(MIB)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("space is closed: space=test (expected an open space)");
  }

  @Test
  void hugePages_endWhereTheyWereAsked_beforeTheMemoryIsHandedOut() {
    ElasticSpace space = spaces.space();
    var _ = space.pretouch(Pretouch.upTo(20 * MIB).withHugePages());
    assertThat(space.committedBytes()).isEqualTo(20 * MIB);
    assertThat(spaces.os.callCount(Call.ADVISE_HUGE)).isPositive();
    space.verify();
  }
}
