package dev.arenal.page.granule;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One step of a program: what to do, and two numbers that say with which page or how much. What
 * they mean depends on the pages there are then, so that any part of a program is a program.
 */
record SupplyOp(Kind kind, int a, int b) {
  enum Kind {
    TAKE_SMALL,
    TAKE_MEDIUM,
    TAKE_LARGE,
    TAKE_CACHED,
    GIVE_BACK,
    UNDO,
    DISCARD,
    RECOMMIT,
    TICK,
    TRIM,
    EXTERNAL
  }

  private static final Kind[] OFTEN = {
    Kind.TAKE_SMALL, Kind.TAKE_SMALL, Kind.TAKE_SMALL, Kind.TAKE_SMALL, Kind.TAKE_MEDIUM,
    Kind.TAKE_LARGE, Kind.TAKE_CACHED, Kind.GIVE_BACK, Kind.GIVE_BACK, Kind.GIVE_BACK,
    Kind.GIVE_BACK, Kind.GIVE_BACK, Kind.DISCARD, Kind.RECOMMIT
  };

  static List<SupplyOp> draw(SplittableRandom random, int count) {
    List<SupplyOp> ops = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Kind[] kinds = random.nextInt(5) == 0 ? Kind.values() : OFTEN;
      ops.add(
          new SupplyOp(
              kinds[random.nextInt(kinds.length)], random.nextInt(1000), random.nextInt(1000)));
    }
    return ops;
  }

  /** Lines of "KIND a b". */
  static List<SupplyOp> parse(String text) {
    return text.lines()
        .map(line -> line.strip().split(" ", -1))
        .map(words ->
            new SupplyOp(
                Kind.valueOf(words[0]), Integer.parseInt(words[1]), Integer.parseInt(words[2])))
        .toList();
  }

  static String text(List<SupplyOp> ops) {
    StringBuilder text = new StringBuilder();
    for (SupplyOp op : ops) {
      text.append(op.kind).append(' ').append(op.a).append(' ').append(op.b).append('\n');
    }
    return text.toString();
  }
}
