package dev.arenal.lab.replay;

/**
 * A trace made ready to be replayed: all operations decoded and packed in memory, so that a replay
 * neither reads nor parses anything while the clock runs.
 */
final class ReplayProgram {
  private final String name;
  private final OperationList operations;
  private final ArenaTable arenas;
  private final long allocationCount;
  private final int keptCount;
  private final HotspotCurve hotspot;

  ReplayProgram(
      String name,
      OperationList operations,
      ArenaTable arenas,
      long allocationCount,
      int keptCount,
      HotspotCurve hotspot) {
    this.name = name;
    this.operations = operations;
    this.arenas = arenas;
    this.allocationCount = allocationCount;
    this.keptCount = keptCount;
    this.hotspot = hotspot;
  }

  String name() {
    return name;
  }

  OperationList operations() {
    return operations;
  }

  long operationCount() {
    return operations.count();
  }

  long allocationCount() {
    return allocationCount;
  }

  /** Blocks that are given back before their arena dies. */
  int keptCount() {
    return keptCount;
  }

  ArenaTable arenas() {
    return arenas;
  }

  HotspotCurve hotspot() {
    return hotspot;
  }
}
