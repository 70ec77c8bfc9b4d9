package dev.arenal.lab.report;

import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.Sample;
import dev.arenal.lab.replay.TraceReplay;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The valley in one look: a bar per allocator for what it keeps, against what is live. Committed
 * where there is such a figure, resident otherwise.
 */
final class ValleyBars {
  private static final double PERCENT = 100;

  private ValleyBars() {}

  /** The longest bar of all these pictures: they are compared, so they share one scale. */
  static double longest(List<TraceReplay> replays) {
    double longest = 1;
    for (TraceReplay replay : replays) {
      for (AllocatorReplay result : replay.results()) {
        Double kept = keptPerUsed(result);
        longest = kept == null ? longest : Math.max(longest, kept);
      }
    }
    return longest;
  }

  /** The picture, or a sentence if the trace has no valley or nothing is live in it. */
  static String figure(TraceReplay replay, double longest) {
    StringBuilder rows = new StringBuilder();
    for (AllocatorReplay result : replay.results()) {
      Double kept = keptPerUsed(result);
      if (kept != null) {
        rows.append(bar(result, kept, longest));
      }
    }
    if (rows.isEmpty()) {
      return """
      <figure class="bars empty"><figcaption><b>Kept at the valley</b></figcaption>
      <p>This trace has no valley in which something is live, so there is nothing to compare.</p>
      </figure>
      """;
    }
    return """
    <figure class="bars"><figcaption><b>Kept at the valley</b> <span>for each byte\
     that is live</span></figcaption>
    <ul style="--live-at:%s%%">
    %s</ul>
    <p class="note">Dashed: what is live. Hatched: resident, where committed is not known.</p>
    </figure>
    """
        .formatted(percent(1, longest), rows);
  }

  private static String bar(AllocatorReplay result, double kept, double longest) {
    SeriesStyle style = AllocatorStyle.of(result.kind());
    return """
    <li><span class="name">%s</span><span class="track"><span class="bar %s%s"\
     style="width:%s%%"></span></span><span class="value">%s&#215;</span></li>
    """
        .formatted(
            Markup.escape(result.kind().label()),
            style.cssClasses(),
            isCommitted(result) ? "" : " hatched",
            percent(kept, longest),
            Figures.ratio(kept));
  }

  private static String percent(double kept, double longest) {
    return String.format(Locale.ROOT, "%.1f", kept / longest * PERCENT);
  }

  private static boolean isCommitted(AllocatorReplay result) {
    Sample valley = result.valley();
    return valley != null && valley.committedPerUsed() != null;
  }

  private static @Nullable Double keptPerUsed(AllocatorReplay result) {
    Sample valley = result.valley();
    if (valley == null) {
      return null;
    }
    Double committed = valley.committedPerUsed();
    return committed != null ? committed : valley.residentPerUsed();
  }
}
