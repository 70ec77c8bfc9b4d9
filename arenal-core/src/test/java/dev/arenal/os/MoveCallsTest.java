package dev.arenal.os;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose the second range of a move is after each refusal. */
final class MoveCallsTest {
  enum Holder {
    OURS,
    NOBODY,
    OTHERS
  }

  /** A kernel that knows whose the range is, which the caller cannot see. */
  private static final class Kernel implements MoveCalls {
    private final int errno;
    private Holder holder;

    Kernel(int errno, Holder holder) {
      this.errno = errno;
      this.holder = holder;
    }

    @Override
    public int remap(long address, long sizeBytes, long toAddress) {
      return -errno;
    }

    @Override
    public boolean fillHole(long address, long sizeBytes) {
      if (holder == Holder.NOBODY) {
        holder = Holder.OURS;
        return true;
      }
      return false;
    }
  }

  /** In the third case the caller cannot know that it might have used the range: so be it. */
  @ParameterizedTest
  @CsvSource({
    "0, OURS, 0",
    "12, NOBODY, 12",
    "12, OTHERS, 131",
    "12, OURS, 131",
    "14, OTHERS, 131",
    "11, OTHERS, 131",
    "38, OURS, 38",
    "22, OURS, 22",
    "1, OURS, 1"
  })
  void rangeInDoubt_isGivenUp(int errno, Holder holder, int expected) {
    Kernel kernel = new Kernel(errno, holder);
    assertThat(kernel.move(1 << 20, 4096, 2 << 20)).isEqualTo(-expected);
    if (expected != Errno.ENOTRECOVERABLE) {
      assertThat(kernel.holder).as("what may be used").isEqualTo(Holder.OURS);
    }
  }
}
