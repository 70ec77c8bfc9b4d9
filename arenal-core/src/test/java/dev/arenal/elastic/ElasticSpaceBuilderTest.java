package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.memory.CommitMode;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings absent, smallest, largest and wrong. */
final class ElasticSpaceBuilderTest {
  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  @Test
  void defaults_areThoseOfTheMachine() {
    ElasticSpace space = spaces.space();
    assertThat(space.name()).isEqualTo("test");
    assertThat(space.granuleBytes()).isEqualTo(spaces.os.pageSizeBytes());
    assertThat(space.commitMode()).isEqualTo(CommitMode.DISCARD);
    assertThat(space.budget().isLimited()).isFalse();
    assertThat(space.reservedBytes()).isZero();
    assertThat(space).hasToString("ElasticSpace[name=test, committedBytes=0]");
  }

  @Test
  void kernelThatDoesNotOvercommit_isAskedForEachGranule() {
    spaces.os.setOvercommits(false);
    ElasticSpace strict = spaces.space();
    assertThat(strict.commitMode()).isEqualTo(CommitMode.PROTECT);
    assertThat(strict.granuleBytes()).as("each may be a mapping").isEqualTo(64 << 10);
    assertThat(spaces.build(spaces.builder("b").commitMode(CommitMode.DISCARD)).commitMode())
        .isEqualTo(CommitMode.DISCARD);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1, 2048, 4097, 12288, 32 << 20, Long.MIN_VALUE, Long.MAX_VALUE})
  void granuleThatIsNoPowerOfTwoInRange_isRefused(long granuleBytes) {
    assertThatThrownBy(() -> spaces.builder("bad").granuleBytes(granuleBytes).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "granule is wrong: granuleBytes="
                + granuleBytes
                + ", space=bad (expected a power of two from 4096 to 16777216)");
  }

  @Test
  void badFigures_areRefused() {
    assertThatThrownBy(() -> spaces.builder("bad").fixedSizeBytes(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("fixed size is not positive: sizeBytes=0, space=bad");
    assertThatThrownBy(() -> spaces.builder("bad").fixedSizeBytes(-5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("fixed size is not positive: sizeBytes=-5, space=bad");
    assertThatThrownBy(() -> spaces.builder("bad").reserveBytes(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("reserve is negative: sizeBytes=-1, space=bad");
    assertThatThrownBy(() -> spaces.builder("bad").uncommitDelay(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("uncommit delay is negative: delay=PT-0.000000001S, space=bad");
  }

  @ParameterizedTest
  @ValueSource(longs = {1L << 60, Long.MAX_VALUE, Long.MAX_VALUE - 4096})
  void fixedSizeBeyondTheMachine_isRefusedWithTheSizeAsked(long sizeBytes) {
    assertThatThrownBy(() -> spaces.builder("vast").fixedSizeBytes(sizeBytes).build())
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessage(
            "address space refused: space=vast, requestedBytes="
                + sizeBytes
                + ", errno=ENOMEM (12) (see ulimit -v and vm.overcommit_memory, or ask for"
                + " less)");
  }

  @Test
  void fixedSize_isRoundedUpToGranules() {
    ElasticSpace tiny = spaces.build(spaces.builder("tiny").fixedSizeBytes(1));
    assertThat(tiny.reservedBytes()).isEqualTo(4096);
    ElasticSpace large =
        spaces.build(spaces.builder("large").granuleBytes(2 << 20).fixedSizeBytes(3 << 20));
    assertThat(large.reservedBytes()).isEqualTo(4 << 20);
    try (ElasticArena arena = tiny.openConfined()) {
      assertThat(arena.allocate(4096).byteSize()).isEqualTo(4096);
    }
  }
}
