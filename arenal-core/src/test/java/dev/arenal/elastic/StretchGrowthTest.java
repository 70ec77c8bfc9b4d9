package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.conformance.Contents;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

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
}
