package dev.arenal.lab.replay;

import dev.arenal.lab.trace.TraceSpace;

/** The facts of every arena of a trace: the space it belongs to and the loader it serves. */
final class ArenaTable {
  private final int countLoaders;
  private final TraceSpace[] spaces;
  private final int[] loaders;

  ArenaTable(int countLoaders, TraceSpace[] spaces, int[] loaders) {
    this.countLoaders = countLoaders;
    this.spaces = spaces;
    this.loaders = loaders;
  }

  int countArenas() {
    return loaders.length;
  }

  int countLoaders() {
    return countLoaders;
  }

  TraceSpace space(int arena) {
    return spaces[arena];
  }

  int loader(int arena) {
    return loaders[arena];
  }
}
