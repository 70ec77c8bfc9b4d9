package dev.arenal.edges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.memory.ReservedMemory;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** On this machine: what each owner says is resident is what the kernel lists of its mappings. */
final class ResidentBytesTest {
  private static final Path SMAPS = Path.of("/proc/self/smaps");
  private static final long PAGE = 4096;
  private static final long MIB = 1 << 20;

  @BeforeEach
  void kernelLists() {
    assumeTrue(Files.isReadable(SMAPS), "the kernel lists what is resident");
  }

  /** Of all mappings that begin or end in a range, or lie in it. */
  private static long listedBytes(MemorySegment range) throws IOException {
    long sizeBytes = 0;
    boolean isInside = false;
    for (String line : Files.readAllLines(SMAPS)) {
      int dash = line.indexOf('-');
      int space = line.indexOf(' ');
      if (dash > 0 && dash < space) {
        isInside =
            Long.parseUnsignedLong(line, 0, dash, 16) < range.address() + range.byteSize()
                && Long.parseUnsignedLong(line, dash + 1, space, 16) > range.address();
      } else if (isInside && line.startsWith("Rss:")) {
        sizeBytes += Long.parseLong(line.replaceAll("\\D", "")) << 10;
      }
    }
    return sizeBytes;
  }

  private static void touch(MemorySegment memory, long fromBytes, long toBytes) {
    var _ = memory.asSlice(fromBytes, toBytes - fromBytes).fill((byte) 1);
  }

  @Test
  void reservedMemory_isWhatTheKernelSays() throws IOException {
    ReservedMemory memory = ReservedMemory.reserve("table", 64 * MIB, Budget.unlimited("budget"));
    assertThat(memory.residentBytes()).isZero();
    long countedBefore = listedBytes(memory.segment());
    var _ = memory.commit(MIB, 32 * MIB);
    assertThat(memory.residentBytes()).isZero();
    touch(memory.segment(), 2 * MIB, 20 * MIB);
    touch(memory.segment(), 30 * MIB + 1, 30 * MIB + 2);
    assertThat(memory.residentBytes())
        .isEqualTo(18 * MIB + PAGE)
        .isEqualTo(listedBytes(memory.segment()) - countedBefore);
    assertThat(memory.uncommit(10 * MIB, 5 * MIB)).isEqualTo(5 * MIB);
    assertThat(memory.residentBytes())
        .isEqualTo(13 * MIB + PAGE)
        .isEqualTo(listedBytes(memory.segment()) - countedBefore);
    memory.close();
    assertThat(memory.residentBytes()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void space_isWhatTheKernelSays(CommitMode mode) throws IOException {
    ElasticSpace space = ElasticSpace.builder("tenants").commitMode(mode).build();
    assertThat(space.residentBytes()).isZero();
    try (ElasticArena stays = space.openShared()) {
      MemorySegment survivor = stays.allocate(100 * MIB);
      long countedBefore = listedBytes(survivor);
      touch(survivor, 0, 40 * MIB);
      long ownBytes = space.residentBytes();
      assertThat(ownBytes)
          .isBetween(40 * MIB, 41 * MIB)
          .isEqualTo(listedBytes(survivor) - countedBefore);
      try (ElasticArena goes = space.openConfined()) {
        MemorySegment other = goes.allocate(20 * MIB);
        countedBefore = listedBytes(other);
        touch(other, 0, 20 * MIB);
        assertThat(space.residentBytes() - ownBytes)
            .isEqualTo(20 * MIB)
            .isEqualTo(listedBytes(other) - countedBefore);
      }
      var _ = space.trim();
      assertThat(space.residentBytes()).isEqualTo(ownBytes);
    }
    space.close();
    assertThat(space.residentBytes()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void pages_areWhatTheKernelSays(CommitMode mode) throws IOException {
    PageAllocator pages =
        PageAllocator.builder("network").capacityBytes(256 * MIB).commitMode(mode).build();
    assertThat(pages.residentBytes()).isZero();
    PageBuffer goes = pages.allocate(64 * MIB);
    PageBuffer stays = pages.allocate(64 * MIB);
    assertThat(pages.residentBytes()).isZero();
    long countedBefore = listedBytes(goes.segment());
    touch(goes.segment(), 0, 30 * MIB);
    assertThat(pages.residentBytes())
        .isEqualTo(30 * MIB)
        .isEqualTo(listedBytes(goes.segment()) - countedBefore);
    touch(stays.segment(), 5 * MIB, 6 * MIB);
    assertThat(pages.residentBytes()).isEqualTo(31 * MIB);
    goes.close();
    assertThat(pages.residentBytes()).as("cached").isEqualTo(31 * MIB);
    var _ = pages.trim();
    assertThat(pages.residentBytes()).isEqualTo(MIB);
    stays.close();
    pages.close();
    assertThat(pages.residentBytes()).isZero();
  }
}
