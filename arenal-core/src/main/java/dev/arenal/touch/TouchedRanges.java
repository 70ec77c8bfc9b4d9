package dev.arenal.touch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Where huge pages were asked for, joined where it touches; guarded by the lock of the crew. */
final class TouchedRanges {
  /** Joined from time to time, so that the list stays short. */
  private static final int MOST_LOOSE = 1024;

  private List<TouchRange> ranges = new ArrayList<>();
  private int joinedCount;

  void add(TouchRange range) {
    int last = ranges.size() - 1;
    if (last >= joinedCount && ranges.get(last).end() == range.address()) {
      TouchRange before = ranges.get(last);
      ranges.set(last, new TouchRange(before.address(), before.sizeBytes() + range.sizeBytes()));
      return;
    }
    ranges.add(range);
    if (ranges.size() - joinedCount > MOST_LOOSE) {
      join();
    }
  }

  /** All of them, in the order of addresses, none of which touches another. */
  List<TouchRange> joined() {
    join();
    return ranges;
  }

  private void join() {
    ranges.sort(Comparator.comparingLong(TouchRange::address));
    List<TouchRange> joined = new ArrayList<>();
    for (TouchRange range : ranges) {
      int last = joined.size() - 1;
      if (last >= 0 && joined.get(last).end() >= range.address()) {
        TouchRange before = joined.get(last);
        long end = Math.max(before.end(), range.end());
        joined.set(last, new TouchRange(before.address(), end - before.address()));
      } else {
        joined.add(range);
      }
    }
    ranges = joined;
    joinedCount = joined.size();
  }
}
