package dev.arenal.stats.recorder;

import dev.arenal.stats.Window;

/**
 * The windows of one row, with the computation of ZGC's statistics.
 *
 * <p>Three rings of decreasing detail: ten slots of a second, sixty of ten seconds, sixty of ten
 * minutes. When a ring ends a round, its sum becomes one slot of the next. A window is the ring of
 * that length and what the finer rings have gathered in their current round; so "the last ten
 * minutes" are the last 600 to 609 seconds, and the last ten hours at most ten minutes more.
 *
 * <p>Not thread-safe: guarded by the lock of the recorder.
 */
final class History {
  private static final int SLOTS_10S = 10;
  private static final int SLOTS_10M = 60;
  private static final int SLOTS_10H = 60;

  private final Ring ring10s = new Ring(SLOTS_10S);
  private final Ring ring10m = new Ring(SLOTS_10M);
  private final Ring ring10h = new Ring(SLOTS_10H);
  private final Tally total = new Tally();

  /** A ring that has ended a round, as one slot. */
  private final Tally round = new Tally();

  /** Makes what {@link #addSecond} needs of the Java heap: on its way a round would be lost. */
  void prepare() {
    ring10s.prepare();
    if (ring10s.isEnding()) {
      ring10m.prepare();
      if (ring10m.isEnding()) {
        ring10h.prepare();
      }
    }
  }

  /** Takes the events of one second. */
  void addSecond(Tally second) {
    total.add(second);
    if (ring10s.add(second) && ring10m.add(roundOf(ring10s))) {
      var _ = ring10h.add(roundOf(ring10m));
    }
  }

  private Tally roundOf(Ring ring) {
    round.clear();
    ring.addAllTo(round);
    return round;
  }

  Window last10s() {
    return all(ring10s).toWindow();
  }

  Window last10m() {
    Tally tally = all(ring10m);
    ring10s.addRoundTo(tally);
    return tally.toWindow();
  }

  Window last10h() {
    Tally tally = all(ring10h);
    ring10m.addRoundTo(tally);
    ring10s.addRoundTo(tally);
    return tally.toWindow();
  }

  Window total() {
    return total.toWindow();
  }

  private static Tally all(Ring ring) {
    Tally tally = new Tally();
    ring.addAllTo(tally);
    return tally;
  }
}
