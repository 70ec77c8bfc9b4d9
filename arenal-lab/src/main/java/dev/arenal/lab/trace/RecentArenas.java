package dev.arenal.lab.trace;

/**
 * The arenas used last, most recent first; writer and reader keep the same list.
 *
 * <p>It makes the bytes of one class load the same for every loader: HotSpot alternates between the
 * two arenas of a loader, and the next loader is a small, constant step away.
 */
final class RecentArenas {
  private int first;
  private int second;
  private int third;

  int get(int place) {
    return switch (place) {
      case 0 -> first;
      case 1 -> second;
      default -> third;
    };
  }

  /** Returns the place of the arena, or -1. */
  int placeOf(int arena) {
    if (arena == first) {
      return 0;
    }
    if (arena == second) {
      return 1;
    }
    return arena == third ? 2 : -1;
  }

  void use(int arena) {
    if (arena == first) {
      return;
    }
    if (arena != second) {
      third = second;
    }
    second = first;
    first = arena;
  }
}
