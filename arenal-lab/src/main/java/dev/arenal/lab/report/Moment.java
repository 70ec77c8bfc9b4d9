package dev.arenal.lab.report;

import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.Sample;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The moments of a trace at which allocators are compared. */
enum Moment {
  PEAK,
  VALLEY,
  SECOND_PEAK,
  END;

  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** The same where there is little room. */
  String shortLabel() {
    return this == SECOND_PEAK ? "2nd peak" : label();
  }

  /** The figures of an allocator at that moment; null if the trace has no such moment. */
  @Nullable Sample of(AllocatorReplay replay) {
    return switch (this) {
      case PEAK -> replay.peak();
      case VALLEY -> replay.valley();
      case SECOND_PEAK -> replay.secondPeak();
      case END -> replay.end();
    };
  }

  /** The resident size at that moment, if there is one. */
  @Nullable Long residentBytes(AllocatorReplay replay) {
    Sample sample = of(replay);
    return sample == null ? null : sample.residentBytes();
  }

  /** The time until that moment, if there is one. */
  @Nullable Long wallNanos(AllocatorReplay replay) {
    Sample sample = of(replay);
    return sample == null ? null : sample.wallNanos();
  }
}
