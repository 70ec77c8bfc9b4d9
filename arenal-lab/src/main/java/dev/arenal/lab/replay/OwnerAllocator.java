package dev.arenal.lab.replay;

import dev.arenal.elastic.ElasticSpace;

/**
 * A confined elastic arena for each loader of the trace, all in one space: what an application
 * would do, which has no reason to keep two arenas per owner.
 *
 * <p>It opens when the first of the loader's arenas is born and closes when none is alive any more.
 */
final class OwnerAllocator extends ElasticAllocator {
  private final byte[] aliveCount;

  OwnerAllocator(ReplayProgram program) {
    super(program, program.arenas().loaderCount(), ElasticSpace.builder("owners").build());
    this.aliveCount = new byte[table.loaderCount()];
  }

  @Override
  int index(int arena) {
    return table.loader(arena);
  }

  @Override
  public void birth(int arena) {
    if (aliveCount[index(arena)]++ == 0) {
      super.birth(arena);
    }
  }

  @Override
  public void death(int arena) {
    if (--aliveCount[index(arena)] == 0) {
      super.death(arena);
    }
  }
}
