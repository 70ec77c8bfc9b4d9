package dev.arenal.touch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Where huge pages were asked for, joined where it touches; guarded by the lock of the crew. */
final class TouchedRanges {
  /** Joined from time to time, so that the list stays short. */
  private static final int MOST_LOOSE = 1024;

  private List<TouchPiece> ranges = new ArrayList<>();
  private int joinedCount;

  void add(TouchPiece piece) {
    int last = ranges.size() - 1;
    if (last >= joinedCount && end(ranges.get(last)) == piece.address()) {
      TouchPiece before = ranges.get(last);
      ranges.set(last, new TouchPiece(before.address(), before.sizeBytes() + piece.sizeBytes()));
      return;
    }
    ranges.add(piece);
    if (ranges.size() - joinedCount > MOST_LOOSE) {
      join();
    }
  }

  /** All of them, in the order of addresses, none of which touches another. */
  List<TouchPiece> joined() {
    join();
    return ranges;
  }

  private void join() {
    ranges.sort(Comparator.comparingLong(TouchPiece::address));
    List<TouchPiece> joined = new ArrayList<>();
    for (TouchPiece range : ranges) {
      int last = joined.size() - 1;
      if (last >= 0 && end(joined.get(last)) >= range.address()) {
        TouchPiece before = joined.get(last);
        long end = Math.max(end(before), end(range));
        joined.set(last, new TouchPiece(before.address(), end - before.address()));
      } else {
        joined.add(range);
      }
    }
    ranges = joined;
    joinedCount = joined.size();
  }

  private static long end(TouchPiece piece) {
    return piece.address() + piece.sizeBytes();
  }
}
