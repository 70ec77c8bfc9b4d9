package dev.arenal.lab.report;

import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.Sample;
import dev.arenal.lab.replay.TraceReplay;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The valley in one look: a bar per allocator for what it keeps, against what is live. Committed
 * where there is such a figure, resident otherwise.
 */
final class ValleyBars {
  private static final int WIDTH = 340;
  private static final int ROW = 24;
  private static final int LEFT = 104;
  private static final int RIGHT = 52;
  private static final int TOP = 20;

  private ValleyBars() {}

  /** The longest bar of all these drawings: they are compared, so they share one scale. */
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

  /** The drawing, or nothing if the trace has no valley or nothing is live in it. */
  static String svg(TraceReplay replay, double longest) {
    StringBuilder svg = new StringBuilder();
    int row = 0;
    for (AllocatorReplay result : replay.results()) {
      Double kept = keptPerUsed(result);
      if (kept != null) {
        svg.append(bar(result, kept, TOP + ROW * row++, (WIDTH - LEFT - RIGHT) / longest));
      }
    }
    if (row == 0) {
      return "";
    }
    double usedX = LEFT + (WIDTH - LEFT - RIGHT) / longest;
    int height = TOP + ROW * row;
    return """
    <figure class="bars"><figcaption>%s</figcaption>
    <svg viewBox="0 0 %d %d" role="img" aria-label="kept at the valley, per used byte">
    %s<line class="usedline" x1="%s" x2="%s" y1="14" y2="%d"/>
    <text class="tick mid" x="%s" y="9">used</text>
    </svg></figure>
    """
        .formatted(
            Markup.escape(replay.trace()),
            WIDTH,
            height,
            svg,
            Markup.coordinate(usedX),
            Markup.coordinate(usedX),
            height,
            Markup.coordinate(usedX));
  }

  private static String bar(AllocatorReplay result, double kept, int y, double widthOfOne) {
    return """
    <text class="name" x="%d" y="%d" dy=".32em">%s</text>\
    <rect class="bar %s" x="%d" y="%d" width="%s" height="%d" rx="2"/>\
    <text class="value" x="%s" y="%d" dy=".32em">%s&#215;</text>
    """
        .formatted(
            LEFT - 8,
            y + ROW / 2,
            result.kind().label(),
            isCommitted(result) ? "committed" : "resident",
            LEFT,
            y + 4,
            Markup.coordinate(kept * widthOfOne),
            ROW - 8,
            Markup.coordinate(LEFT + kept * widthOfOne + 5),
            y + ROW / 2,
            Figures.ratio(kept));
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
