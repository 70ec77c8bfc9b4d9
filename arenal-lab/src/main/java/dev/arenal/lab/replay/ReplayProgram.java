package dev.arenal.lab.replay;

/**
 * A trace made ready to be replayed: all operations decoded and packed in memory, so that a replay
 * neither reads nor parses anything while the clock runs.
 *
 * @param keptCount the number of blocks that are given back before their arena dies
 */
record ReplayProgram(
    String name, OperationList operations, ArenaTable arenas, long allocationCount, int keptCount) {
  long operationCount() {
    return operations.count();
  }
}
