package dev.arenal.lab.replay;

import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A confined elastic arena for each loader of the trace, all in one space: what an application
 * would do, which has no reason to keep two arenas per owner.
 *
 * <p>It opens when the first of the loader's arenas is born and closes when none is alive any more.
 */
@SuppressWarnings("NullAway") // No trace names an arena before its birth or after its death.
final class OwnerAllocator implements ReplayAllocator {
  private static final long ALIGNMENT_BYTES = 8;

  private final ArenaTable table;
  private final ElasticSpace space = ElasticSpace.builder("owners").build();
  private final @Nullable ElasticArena[] owners;
  private final byte[] aliveCount;
  private final @Nullable MemorySegment[] slots;

  OwnerAllocator(ReplayProgram program) {
    this.table = program.arenas();
    this.owners = new @Nullable ElasticArena[table.loaderCount()];
    this.aliveCount = new byte[table.loaderCount()];
    this.slots = new @Nullable MemorySegment[program.keptCount()];
  }

  @Override
  public void birth(int arena) {
    int loader = table.loader(arena);
    if (aliveCount[loader]++ == 0) {
      owners[loader] = space.openConfined();
    }
  }

  @Override
  public long allocate(int arena, long sizeBytes) {
    return owners[table.loader(arena)].allocate(sizeBytes, ALIGNMENT_BYTES).address();
  }

  @Override
  public long allocateKept(int arena, long sizeBytes, int slot) {
    MemorySegment block = owners[table.loader(arena)].allocate(sizeBytes, ALIGNMENT_BYTES);
    slots[slot] = block;
    return block.address();
  }

  @Override
  public void deallocate(int arena, int slot) {
    owners[table.loader(arena)].deallocate(slots[slot]);
    slots[slot] = null;
  }

  @Override
  public void death(int arena) {
    int loader = table.loader(arena);
    if (--aliveCount[loader] == 0) {
      owners[loader].close();
      owners[loader] = null;
    }
  }

  @Override
  public long committedBytes() {
    return space.committedBytes();
  }

  @Override
  public long granuleBytes() {
    return space.granuleBytes();
  }

  @Override
  public boolean isZeroing() {
    return true;
  }

  @Override
  public void close() {
    for (ElasticArena owner : owners) {
      if (owner != null) {
        owner.close();
      }
    }
    space.close();
  }
}
