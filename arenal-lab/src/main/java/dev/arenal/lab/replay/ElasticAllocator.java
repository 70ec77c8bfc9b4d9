package dev.arenal.lab.replay;

import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.elastic.ElasticSpaceBuilder;
import java.lang.foreign.MemorySegment;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A confined elastic arena for each arena of the trace, in two spaces as in the JVM. */
@SuppressWarnings("NullAway") // No trace names an arena before its birth or after its death.
class ElasticAllocator implements ReplayAllocator {
  private static final long ALIGNMENT_BYTES = 8;

  final ArenaTable table;

  /** By the index of the trace's space. */
  private final ElasticSpace[] spaces;

  private final @Nullable ElasticArena[] arenas;
  private final @Nullable MemorySegment[] slots;

  /** Two spaces with these settings. */
  ElasticAllocator(ReplayProgram program, UnaryOperator<ElasticSpaceBuilder> settings) {
    this(
        program,
        program.arenas().arenaCount(),
        settings.apply(ElasticSpace.builder("non-class")).build(),
        settings.apply(ElasticSpace.builder("class")).build());
  }

  ElasticAllocator(ReplayProgram program, int arenaCount, ElasticSpace... spaces) {
    this.table = program.arenas();
    this.spaces = spaces;
    this.arenas = new @Nullable ElasticArena[arenaCount];
    this.slots = new @Nullable MemorySegment[program.keptCount()];
  }

  /** Which arena of ours serves one of the trace. */
  int index(int arena) {
    return arena;
  }

  @Override
  public void birth(int arena) {
    int space = Math.min(table.space(arena).index(), spaces.length - 1);
    arenas[index(arena)] = spaces[space].openConfined();
  }

  @Override
  public long allocate(int arena, long sizeBytes) {
    return arenas[index(arena)].allocate(sizeBytes, ALIGNMENT_BYTES).address();
  }

  @Override
  public long allocateKept(int arena, long sizeBytes, int slot) {
    MemorySegment block = arenas[index(arena)].allocate(sizeBytes, ALIGNMENT_BYTES);
    slots[slot] = block;
    return block.address();
  }

  @Override
  public void deallocate(int arena, int slot) {
    arenas[index(arena)].deallocate(slots[slot]);
    slots[slot] = null;
  }

  @Override
  public void death(int arena) {
    arenas[index(arena)].close();
    arenas[index(arena)] = null;
  }

  @Override
  public long committedBytes() {
    long bytes = 0;
    for (ElasticSpace space : spaces) {
      bytes += space.committedBytes();
    }
    return bytes;
  }

  @Override
  public long granuleBytes() {
    return spaces[0].granuleBytes();
  }

  @Override
  public boolean isZeroing() {
    return true;
  }

  @Override
  public void close() {
    for (ElasticArena arena : arenas) {
      if (arena != null) {
        arena.close();
      }
    }
    for (ElasticSpace space : spaces) {
      space.close();
    }
  }
}
