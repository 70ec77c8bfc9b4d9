package dev.arenal.elastic.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where the Java heap is full, blocks that had a name keep it. */
@Timeout(60)
final class BlockEndsFaultTest {
  @Test
  void heapFull_takesNoMarkAway() {
    assertThat(FaultSweep.fromEveryPlace(Marks.class, Fault.HEAP, 1)).isPositive();
  }

  /** A block of a whole section is marked again, and one beside it. */
  public static final class Marks implements FaultProgram {
    private static final int SECTION_WORDS = 8192;

    private final BlockEnds ends = new BlockEnds(6 * SECTION_WORDS);

    /** For the sweep. */
    public Marks() {}

    @Override
    public void prepare() {
      ends.mark(SECTION_WORDS, 8L * SECTION_WORDS);
    }

    @Override
    public void operate() {
      ends.mark(SECTION_WORDS, 8L * SECTION_WORDS);
      ends.mark(3 * SECTION_WORDS, 8L * SECTION_WORDS);
      ends.mark(4 * SECTION_WORDS, 13);
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      assertThat(ends.sizeBytes(SECTION_WORDS)).isEqualTo(8L * SECTION_WORDS);
      if (thrown == null) {
        assertThat(ends.sizeBytes(3 * SECTION_WORDS)).isEqualTo(8L * SECTION_WORDS);
        assertThat(ends.sizeBytes(4 * SECTION_WORDS)).isEqualTo(13);
      }
    }
  }
}
