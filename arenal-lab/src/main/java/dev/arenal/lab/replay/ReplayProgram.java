package dev.arenal.lab.replay;

/**
 * A trace made ready to be replayed: all operations decoded and packed in memory, so that a replay
 * neither reads nor parses anything while the clock runs.
 */
final class ReplayProgram {
  private final String name;
  private final OperationList operations;
  private final ArenaTable arenas;
  private final long countAllocations;
  private final int countKept;
  private final HotspotCurve hotspot;

  ReplayProgram(
      String name,
      OperationList operations,
      ArenaTable arenas,
      long countAllocations,
      int countKept,
      HotspotCurve hotspot) {
    this.name = name;
    this.operations = operations;
    this.arenas = arenas;
    this.countAllocations = countAllocations;
    this.countKept = countKept;
    this.hotspot = hotspot;
  }

  String name() {
    return name;
  }

  OperationList operations() {
    return operations;
  }

  long countOperations() {
    return operations.count();
  }

  long countAllocations() {
    return countAllocations;
  }

  /** Blocks that are given back before their arena dies. */
  int countKept() {
    return countKept;
  }

  ArenaTable arenas() {
    return arenas;
  }

  HotspotCurve hotspot() {
    return hotspot;
  }
}
