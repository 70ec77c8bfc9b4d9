package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.conformance.Contents;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks of a large alignment among small ones: they cost what they need, not a stretch each. */
final class AsideBlocksTest {
  private static final long MIB = 1 << 20;

  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  @ParameterizedTest
  @CsvSource({
    "true, 8192, 8192",
    "false, 8192, 8192",
    "true, 65536, 65536",
    "true, 5000, 16384",
    "false, 5000, 16384",
    "true, 24, 65536"
  })
  void addressesAndMemory_areInProportionToWhatIsUsed(
      boolean shared, long sizeBytes, long alignmentBytes) {
    ElasticSpace space = spaces.build(spaces.builder("test").fixedSizeBytes(256 * MIB));
    int count = (int) (128 * MIB / Math.max(sizeBytes, alignmentBytes)) / 2;
    try (ElasticArena arena = shared ? space.openShared() : space.openConfined()) {
      List<MemorySegment> blocks = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        stamp(arena.allocate(16), blocks);
        MemorySegment block = arena.allocate(sizeBytes, alignmentBytes);
        assertThat(block.address() & (alignmentBytes - 1)).isZero();
        stamp(block, blocks);
      }
      long usedBytes = count * (16 + ((sizeBytes + 7) & -8L));
      assertThat(arena.usedBytes()).isEqualTo(usedBytes);
      long granulesBytes = count * ((sizeBytes + 4095) & -4096L);
      assertThat(space.committedBytes()).isLessThan(granulesBytes + granulesBytes / 8 + MIB);
      try (ElasticArena other = space.openConfined()) { // the rest is not lost
        assertThat(other.allocate(64 * MIB).byteSize()).isEqualTo(64 * MIB);
      }
      for (int i = 0; i < blocks.size(); i++) {
        assertThat(Contents.mismatch(blocks.get(i), (byte) (i + 1))).isEqualTo(-1);
      }
      space.verify();
    }
    assertThat(space.arenaCount()).isZero();
    space.verify();
  }

  private static void stamp(MemorySegment block, List<MemorySegment> blocks) {
    assertThat(Contents.mismatchZero(block)).isEqualTo(-1);
    blocks.add(block);
    Contents.write(block, (byte) blocks.size());
  }

  /** Given back early, reset, and used again: zero, and counted once. */
  @Test
  void memoryOfABlockBeside_isUsedAgain() {
    ElasticSpace space = spaces.space();
    for (ElasticArena arena : List.of(space.openConfined(), space.openShared())) {
      for (int round = 0; round < 4; round++) {
        Contents.write(arena.allocate(16), (byte) 3);
        MemorySegment block = arena.allocate(8192, 1 << 16);
        Contents.write(block, (byte) 5);
        assertThat(arena.usedBytes()).isEqualTo(8208);
        arena.deallocate(block);
        assertThat(arena.usedBytes()).isEqualTo(16);
        MemorySegment again = arena.allocate(8192, 1 << 13);
        assertThat(Contents.mismatchZero(again)).isEqualTo(-1);
        assertThat(arena.usedBytes()).isEqualTo(8208);
        assertThat(Contents.mismatchZero(arena.allocate(100))).isEqualTo(-1);
        space.verify();
        arena.reset();
        assertThat(arena.usedBytes()).isZero();
        space.verify();
      }
      arena.close();
    }
  }

  /** Where no chunks of its own are left for it, a gap is better than a refusal. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noRoomBeside_extendsTheStretch(boolean shared) {
    ElasticSpace space = spaces.build(spaces.builder("test").fixedSizeBytes(6 * MIB));
    try (ElasticArena arena = shared ? space.openShared() : space.openConfined()) {
      stamp(arena.allocate(2 * MIB + 8), new ArrayList<>());
      MemorySegment block = arena.allocate(5 * MIB / 2, MIB / 2);
      assertThat(block.address() & (MIB / 2 - 1)).isZero();
      stamp(block, new ArrayList<>());
      assertThat(arena.usedBytes()).isEqualTo(9 * MIB / 2 + 8);
      TestSpaces.verifyStretch(arena);
      space.verify();
    }
  }
}
