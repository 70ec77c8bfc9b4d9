package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each operation of a page allocator, once for each place at which the Java heap may be full, or
 * the stack at its end: it is as if it had not been called, or complete, or the allocator is
 * damaged and says so; in any case other buffers are whole, and all can be closed.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class PageFaultTest {
  private static final Set<Class<? extends FaultProgram>> WITHOUT_OBJECTS =
      Set.of(PageFaultPrograms.Free.class, MagazineFaultPrograms.Spill.class);

  static List<Class<? extends FaultProgram>> programs() {
    return List.of(
        PageFaultPrograms.AllocateSlot.class,
        PageFaultPrograms.AllocateRange.class,
        PageFaultPrograms.AllocateMedium.class,
        PageFaultPrograms.AllocateMediumStrict.class,
        PageFaultPrograms.AllocateMediumUnsynchronized.class,
        LostRefillFaultProgram.class,
        PageFaultPrograms.AllocateLarge.class,
        PageFaultPrograms.AllocateRecommitted.class,
        PageFaultPrograms.AllocateRecommittedStrict.class,
        PageFaultPrograms.AllocateHarvested.class,
        PageFaultPrograms.AllocateHarvestedStrict.class,
        PageFaultPrograms.AllocateAtTheLimit.class,
        PageFaultPrograms.AllocateAtTheLimitStrict.class,
        PageFaultPrograms.AllocateAnywhere.class,
        PageFaultPrograms.AllocateChecked.class,
        PageFaultPrograms.AllocateWaiting.class,
        PageFaultPrograms.AllocateStalled.class,
        PageFaultPrograms.Free.class,
        PageFaultPrograms.Trim.class,
        PageFaultPrograms.TrimStrict.class,
        ScatteredTrimProgram.class,
        PageFaultPrograms.Tick.class,
        PageFaultPrograms.TickStrict.class,
        PageFaultPrograms.Pretouch.class,
        PageFaultPrograms.PretouchStrict.class,
        PageFaultPrograms.Report.class,
        PageFaultPrograms.Close.class,
        PageFaultPrograms.Build.class,
        SharedFaultProgram.class,
        ArenaFaultPrograms.Confined.class,
        ArenaFaultPrograms.Shared.class,
        ArenaFaultPrograms.Checked.class,
        MagazineFaultPrograms.TakeFreed.class,
        MagazineFaultPrograms.Refill.class,
        MagazineFaultPrograms.AllocateBehindPending.class,
        MagazineFaultPrograms.FreeToHeaps.class,
        MagazineFaultPrograms.Spill.class);
  }

  @ParameterizedTest
  @MethodSource("programs")
  void fullHeap_changesNothing(Class<? extends FaultProgram> program) {
    boolean createsAny = !WITHOUT_OBJECTS.contains(program);
    assertThat(FaultSweep.drawnPlaces(program, Fault.HEAP, 12) > 0).isEqualTo(createsAny);
    assertThat(FaultSweep.fromDrawnPlaces(program, Fault.HEAP, 4) > 0).isEqualTo(createsAny);
  }

  /** Of an arena from its opening to its close, at each place. */
  @ParameterizedTest
  @ValueSource(classes = {ArenaFaultPrograms.Confined.class, ArenaFaultPrograms.Shared.class})
  void fullHeap_inAnArena_changesNothing(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.everyPlace(program, Fault.HEAP, 1)).isGreaterThan(10);
    assertThat(FaultSweep.fromEveryPlace(program, Fault.HEAP, 1)).isGreaterThan(10);
  }

  @ParameterizedTest
  @MethodSource("programs")
  void fullHeap_asSomethingGrows_changesNothing(Class<? extends FaultProgram> program) {
    // Most have no collection that grows: what they need is there from the beginning.
    assertThat(FaultSweep.everyPlace(program, Fault.GROWTH, 1)).isLessThan(16);
  }

  /** Holes that were taken are given back, also those that the claim has no room for. */
  @Test
  void fullHeap_asAClaimOfHolesGrows_losesNone() {
    assertThat(FaultSweep.everyPlace(ScatteredTrimProgram.class, Fault.HEAP, 1)).isGreaterThan(20);
  }

  @Test
  void free_createsNothing() {
    assertThat(FaultSweep.everyPlace(PageFaultPrograms.Free.class, Fault.HEAP, 1)).isZero();
  }

  @ParameterizedTest
  @MethodSource("programs")
  @Tag("soak")
  @Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void fullHeap_anywhere_changesNothing(Class<? extends FaultProgram> program) {
    boolean createsAny = !WITHOUT_OBJECTS.contains(program);
    assertThat(FaultSweep.everyPlace(program, Fault.HEAP, 1) > 0).isEqualTo(createsAny);
    assertThat(FaultSweep.fromEveryPlace(program, Fault.HEAP, 1) > 0).isEqualTo(createsAny);
  }

  /** Both at once: a step that can do without its reserve must not take that for an undo. */
  @ParameterizedTest
  @MethodSource("programs")
  void endOfTheStackAndOfTheHeap_changesNothing(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.drawnPlaces(program, Fault.RESERVE, 12)).isPositive();
    assertThat(FaultSweep.fromDrawnPlaces(program, Fault.RESERVE, 8)).isPositive();
  }

  @ParameterizedTest
  @MethodSource("programs")
  @Tag("soak")
  void endOfTheStackAndOfTheHeap_anywhere_changesNothing(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.everyPlace(program, Fault.RESERVE, 1)).isPositive();
    assertThat(FaultSweep.fromEveryPlace(program, Fault.RESERVE, 1)).isPositive();
  }

  /** It may be damaged then; nothing crosses, no thread hangs, and all can be closed. */
  @ParameterizedTest
  @MethodSource("programs")
  void endOfTheStack_losesNothing(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.drawnPlaces(program, Fault.STACK, 8)).isPositive();
  }

  @ParameterizedTest
  @MethodSource("programs")
  @Tag("soak")
  @Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void endOfTheStack_anywhere_losesNothing(Class<? extends FaultProgram> program) {
    assertThat(FaultSweep.everyPlace(program, Fault.STACK, 1)).isPositive();
  }
}
