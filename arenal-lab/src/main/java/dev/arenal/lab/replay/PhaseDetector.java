package dev.arenal.lab.replay;

import static java.util.Objects.requireNonNull;

import dev.arenal.lab.replay.Phases.Phase;
import org.jspecify.annotations.Nullable;

/**
 * Finds the {@link Phases} of a trace in one pass over its live bytes.
 *
 * <p>Of several operations with the same used bytes the peak is the first, the valley the last: the
 * deaths of one garbage collection are over then, and an allocator that gives memory back a little
 * later than the last death has had its chance.
 */
final class PhaseDetector {
  private enum State {
    RISING,
    FALLING,
    RISING_AGAIN,
    DONE
  }

  private State state = State.RISING;
  private Phase last = new Phase(0, 0, 0);
  private Phase peak = last;
  private @Nullable Phase valley;
  private @Nullable Phase secondPeak;

  /** Takes the state after {@code operation} operations. */
  void accept(long operation, long usedBytes, long blockCount) {
    last = new Phase(operation, usedBytes, blockCount);
    switch (state) {
      case RISING -> {
        if (usedBytes > peak.usedBytes()) {
          peak = last;
        } else if (hasFallen(peak, usedBytes)) {
          valley = last;
          state = State.FALLING;
        }
      }
      case FALLING -> {
        Phase lowest = requireNonNull(valley);
        if (usedBytes <= lowest.usedBytes()) {
          valley = last;
        } else if (exceedsTenth(usedBytes - lowest.usedBytes(), peak.usedBytes())) {
          secondPeak = last;
          state = State.RISING_AGAIN;
        }
      }
      case RISING_AGAIN -> {
        Phase highest = requireNonNull(secondPeak);
        if (usedBytes > highest.usedBytes()) {
          secondPeak = last;
        } else if (hasFallen(highest, usedBytes)) {
          state = State.DONE;
        }
      }
      case DONE -> {}
    }
  }

  Phases phases() {
    return new Phases(peak, valley, secondPeak, last);
  }

  private static boolean hasFallen(Phase from, long usedBytes) {
    return exceedsTenth(from.usedBytes() - usedBytes, from.usedBytes());
  }

  /** Compares without rounding: a trace gives the same phases everywhere. */
  private static boolean exceedsTenth(long differenceBytes, long wholeBytes) {
    return differenceBytes * 10 > wholeBytes;
  }
}
