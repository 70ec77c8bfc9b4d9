package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.memory.CommitMode;
import dev.arenal.os.SimulatedOperatingSystem;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A page allocator has its name with the kernel, whatever happens in it. */
final class NamedMappingsTest {
  @ParameterizedTest
  @EnumSource
  void allOfAnAllocator_hasItsName(CommitMode mode) {
    SimulatedOperatingSystem os = new SimulatedOperatingSystem();
    os.setCanName(true);
    try (PageAllocator pages =
        PageAllocator.builder("network")
            .operatingSystem(os)
            .commitMode(mode)
            .capacityBytes(64 * MIB)
            .build()) {
      for (int round = 0; round < 3; round++) {
        PageBuffer small = pages.allocate(100, PageAge.SHORT_LIVED);
        PageBuffer first = pages.allocate(8 * MIB, PageAge.SHORT_LIVED);
        PageBuffer second = pages.allocate(20 * MIB, PageAge.SHORT_LIVED);
        first.close();
        assertThat(pages.trim()).isPositive();
        PageBuffer third = pages.allocate(30 * MIB, PageAge.SHORT_LIVED);
        second.close();
        third.close();
        PageBuffer harvested = pages.allocate(50 * MIB, PageAge.SHORT_LIVED);
        harvested.close();
        small.close();
        assertThat(pages.trim()).isPositive();
        assertThat(os.names()).containsExactly("arenal: network");
      }
    }
    os.assertNoComplaints();
    os.assertNothingMapped();
  }
}
