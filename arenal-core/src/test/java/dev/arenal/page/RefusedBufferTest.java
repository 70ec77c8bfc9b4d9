package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import dev.arenal.page.granule.SupplyFigures;
import dev.arenal.page.granule.SupplyStatistics;
import dev.arenal.reserve.Ledger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each call that an allocator makes into the kernel, refused in turn: what is asked for is there or
 * is not, nothing else changes, and in the end all can be freed.
 */
final class RefusedBufferTest {
  private static final int ENOUGH_CALLS = 2000;

  @RegisterExtension private final Allocators allocators = new Allocators();

  /** Small, medium and large pages, survivors, discards and recommits, harvests, the cycle. */
  private static final String STEPS =
      """
      ALLOCATE 0 6 1
      ALLOCATE 1 6 1
      ALLOCATE 0 11 1
      ALLOCATE 0 12 1
      ALLOCATE 0 12 0
      ALLOCATE 1 12 1
      ALLOCATE 1 12 1
      ALLOCATE 1 12 1
      ALLOCATE 1 12 1
      ALLOCATE 1 12 1
      ALLOCATE 1 12 1
      ALLOCATE 2 12 1
      ALLOCATE 2 12 1
      CLOSE 0 0 4
      CLOSE 1 0 5
      CLOSE 0 0 6
      CLOSE 0 0 7
      TRIM 0 0 0
      # A small page among large ones, which is moved when it comes back.
      ALLOCATE 0 17 1
      ALLOCATE 0 17 1
      ALLOCATE 0 17 1
      CLOSE 0 0 10
      ALLOCATE 0 12 0
      CLOSE 0 0 11
      TRIM 0 0 0
      CLOSE 0 0 10
      CLOSE 0 0 9
      # What was discarded is taken again, and medium pages come.
      ALLOCATE 0 12 1
      ALLOCATE 0 12 1
      ALLOCATE 3 14 1
      ALLOCATE 3 13 1
      ALLOCATE 3 14 1
      ALLOCATE 0 14 1
      CLOSE 2 0 11
      CLOSE 0 0 12
      TICK 0 0 21
      TICK 0 0 39
      ALLOCATE 0 14 1
      # Large pages, of which two that lie apart are all that is left for one of their sum.
      ALLOCATE_OR_WAIT 1 21 1
      ALLOCATE 1 17 1
      ALLOCATE 0 17 1
      ALLOCATE 0 17 1
      ALLOCATE 0 17 1
      CLOSE 0 0 17
      CLOSE 0 0 15
      EXTERNAL 0 0 60
      ALLOCATE 0 19 1
      EXTERNAL 0 0 0
      CLOSE_TOO_EARLY 0 0 0
      CLOSE_MANY 1 0 1
      ALLOCATE_OR_WAIT 0 21 1
      ALLOCATE 0 21 0
      CLOSE 1 0 2
      ALLOCATE 0 12 1
      TICK 0 0 25
      TICK 0 0 10
      TICK 0 0 30
      ALLOCATE 0 21 1
      EXTERNAL 0 0 100
      ALLOCATE 0 21 1
      ALLOCATE 0 19 1
      TRIM 0 0 0
      EXTERNAL 0 0 0
      ALLOCATE 0 19 1
      CLOSE_TWICE 1 0 3
      CLOSE_MANY 0 0 0
      TICK 0 0 30
      TICK 0 0 30
      ALLOCATE 1 20 0
      """;

  private static BufferProgram program(
      CommitMode mode, long delaySeconds, int slackPercent, int refuseFrom, int refusedCount) {
    String header =
        mode
            + " 128 24 "
            + delaySeconds
            + " 2 2 "
            + BufferConfig.UNLIMITED
            + " "
            + slackPercent
            + " true false true "
            + refuseFrom
            + " "
            + refusedCount
            + " false false\n";
    return BufferProgram.parse(header + STEPS);
  }

  @ParameterizedTest
  @CsvSource({
    "DISCARD, 2, 1000, 1",
    "DISCARD, 0, 0, 2",
    "DISCARD, 2, 1000, 40",
    "PROTECT, 2, 1000, 1",
    "PROTECT, 0, 0, 2",
    "PROTECT, 2, 1000, 40"
  })
  void everyCallRefusedInTurn(
      CommitMode mode, long delaySeconds, int slackPercent, int refusedCount) {
    for (int call = 1; call < ENOUGH_CALLS; call++) {
      Allocators own = new Allocators();
      BufferProgram program = program(mode, delaySeconds, slackPercent, call, refusedCount);
      try {
        BufferRunner.run(program, own, new BufferRunner.Target() {}, 1);
      } catch (AssertionError e) {
        throw new AssertionError("call " + call + " refused: " + e.getMessage(), e);
      }
      if (own.os.failureCount() == 0) {
        assertThat(call).isGreaterThan(20);
        return;
      }
    }
    throw new AssertionError("the program makes more calls than expected: " + ENOUGH_CALLS);
  }

  /** Or the test above would refuse nothing of interest. */
  @Test
  void program_makesEveryCall() {
    Set<Call> missing = EnumSet.allOf(Call.class);
    missing.removeAll(EnumSet.of(Call.TOUCH, Call.ADVISE_HUGE, Call.BIND)); // of a pretouch
    missing.remove(Call.NAME); // NamedMappingsTest
    missing.remove(Call.RESIDENCE); // ResidentCountTest
    for (CommitMode mode : CommitMode.values()) {
      Allocators own = new Allocators();
      BufferRunner runner =
          new BufferRunner(own, program(mode, 2, 1000, 0, 0), new BufferRunner.Target() {}, 1);
      runner.run();
      SupplyStatistics statistics = runner.pages().state().supply.statistics();
      assertThat(statistics.harvests.get()).as("harvests, %s", mode).isPositive();
      assertThat(statistics.uncommittedBytes.get()).as("uncommitted, %s", mode).isPositive();
      // Memory that is moved is a page of its own then, in the mode that allows for that.
      assertThat(statistics.defragments.get() > 0).isEqualTo(mode == CommitMode.DISCARD);
      runner.finish();
      own.finish();
      missing.removeIf(call -> own.os.callCount(call) > 0);
    }
    assertThat(missing).isEmpty();
  }

  /**
   * After jdk#26954: what was harvested for a page that then cannot be committed is not lost. All
   * that the budget allows is in use or cached and scattered, so that nothing else could make up
   * for a loss.
   */
  @ParameterizedTest
  @CsvSource({
    "DISCARD, 16, 1", "DISCARD, 16, 2", "DISCARD, 16, 50", "DISCARD, 18, 1", "DISCARD, 18, 50",
    "PROTECT, 16, 1", "PROTECT, 16, 2", "PROTECT, 16, 50", "PROTECT, 18, 1", "PROTECT, 18, 50"
  })
  void failedCommitAfterHarvest_losesNothing(CommitMode mode, long budgetMib, int refusedCount) {
    allocators.mode = mode;
    allocators.capacityBytes = 64 * MIB;
    int nullCount = 0;
    for (int call = 1; ; call++) {
      allocators.budget = Budget.limitedTo("b", budgetMib * MIB);
      PageAllocator pages = allocators.open();
      List<PageBuffer> open = scatter(pages);
      long wantedBytes = (budgetMib - 10) * MIB;
      allocators.os.failCalls(call, refusedCount, Errno.ENOMEM);
      PageBuffer buffer = pages.tryAllocate(wantedBytes, PageAge.SHORT_LIVED);
      boolean wasRefused = allocators.os.failureCount() > 0;
      allocators.os.succeed();
      pages.state().verify();
      SupplyFigures figures = pages.state().supply.figures();
      assertThat(figures.committedBytes())
          .isEqualTo(figures.usedBytes() + figures.cachedBytes())
          .isEqualTo(allocators.budget.committedBytes());
      if (buffer == null) {
        nullCount++;
        assertThat(wasRefused).isTrue();
        assertThat(figures.usedBytes()).isEqualTo(10 * MIB);
        assertThat(figures.committedBytes()).isLessThanOrEqualTo(budgetMib * MIB);
        buffer = requireNonNull(pages.tryAllocate(wantedBytes, PageAge.SHORT_LIVED), "lost");
      }
      assertThat(Noise.firstNonZero(buffer.segment())).isEqualTo(-1);
      Noise.write(buffer.segment(), 99);
      for (int i = 0; i < open.size(); i++) {
        assertThat(Noise.mismatch(open.get(i).segment(), i)).isEqualTo(-1);
        open.get(i).close();
      }
      assertThat(Noise.mismatch(buffer.segment(), 99)).isEqualTo(-1);
      buffer.close();
      if (!wasRefused) {
        assertThat(pages.state().supply.statistics().harvests.get()).isEqualTo(1);
        break;
      }
      allocators.finish();
    }
    // Where the kernel refuses only now and then, a second attempt has it.
    assertThat(nullCount > 0).isEqualTo(refusedCount == 50);
  }

  /** Eight large buffers, of which three that lie apart are closed. */
  private static List<PageBuffer> scatter(PageAllocator pages) {
    List<PageBuffer> all = new ArrayList<>();
    List<PageBuffer> open = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      all.add(pages.allocate(2 * MIB, PageAge.SHORT_LIVED));
    }
    for (int i = 0; i < 8; i++) {
      PageBuffer buffer = all.get(i);
      if (i == 1 || i == 3 || i == 5) {
        Noise.write(buffer.segment(), 50);
        buffer.close();
      } else {
        Noise.write(buffer.segment(), open.size());
        open.add(buffer);
      }
    }
    return open;
  }

  /** Without memory from the kernel, requests fail and say why; with it, all is as before. */
  @ParameterizedTest
  @EnumSource(CommitMode.class)
  void refusedRequest_hasFigures_andWaitsNoLongerThanAsked(CommitMode mode) {
    allocators.mode = mode;
    allocators.budget = Budget.limitedTo("b", 8 * MIB);
    PageAllocator pages = allocators.open();
    PageBuffer first = pages.allocate(MIB, PageAge.SHORT_LIVED);
    Noise.write(first.segment(), 1);
    Budget budget = allocators.budget;
    assertThat(Ledger.of(budget).tryCommit(6 * MIB)).isTrue();
    assertThatThrownBy(() -> pages.allocate(3 * MIB, PageAge.LONG_LIVED, Duration.ofMillis(20)))
        .isExactlyInstanceOf(OutOfNativeMemoryError.class)
        .hasMessage(
            "no room: allocator=test, requestedBytes=3145728, age=LONG_LIVED, usedBytes=1048576,"
                + " pageBytes=2097152, capacityBytes=268435456, committedBytes=2097152,"
                + " budget=Budget[name=b, limitBytes=8388608, committedBytes=8388608],"
                + " maxWaitMillis=20 (close buffers, raise the limit of the budget, or build with a"
                + " larger capacity)");
    assertThat(Noise.mismatch(first.segment(), 1)).isEqualTo(-1);
    Ledger.of(budget).uncommit(6 * MIB);
    pages.allocate(3 * MIB, PageAge.LONG_LIVED).close();
    first.close();
  }
}
