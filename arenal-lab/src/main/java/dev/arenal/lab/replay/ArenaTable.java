package dev.arenal.lab.replay;

import dev.arenal.lab.trace.TraceSpace;

/** The facts of every arena of a trace: the space it belongs to and the loader it serves. */
final class ArenaTable {
  private final int loaderCount;
  private final TraceSpace[] spaces;
  private final int[] loaders;

  ArenaTable(int loaderCount, TraceSpace[] spaces, int[] loaders) {
    this.loaderCount = loaderCount;
    this.spaces = spaces;
    this.loaders = loaders;
  }

  int arenaCount() {
    return loaders.length;
  }

  int loaderCount() {
    return loaderCount;
  }

  TraceSpace space(int arena) {
    return spaces[arena];
  }

  int loader(int arena) {
    return loaders[arena];
  }
}
