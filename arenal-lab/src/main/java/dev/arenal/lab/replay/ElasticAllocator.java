package dev.arenal.lab.replay;

import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.elastic.ElasticSpaceBuilder;
import dev.arenal.lab.trace.TraceSpace;
import java.lang.foreign.MemorySegment;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A confined elastic arena for each arena of the trace, in two spaces as in the JVM. */
@SuppressWarnings("NullAway") // No trace names an arena before its birth or after its death.
final class ElasticAllocator implements ReplayAllocator {
  private static final long ALIGNMENT_BYTES = 8;

  private final ArenaTable table;
  private final ElasticSpace nonClassSpace;
  private final ElasticSpace classSpace;
  private final @Nullable ElasticArena[] arenas;
  private final @Nullable MemorySegment[] slots;

  /** Two spaces with these settings. */
  ElasticAllocator(ReplayProgram program, UnaryOperator<ElasticSpaceBuilder> settings) {
    this.table = program.arenas();
    this.nonClassSpace = settings.apply(ElasticSpace.builder("non-class")).build();
    this.classSpace = settings.apply(ElasticSpace.builder("class")).build();
    this.arenas = new @Nullable ElasticArena[table.arenaCount()];
    this.slots = new @Nullable MemorySegment[program.keptCount()];
  }

  @Override
  public void birth(int arena) {
    ElasticSpace space = table.space(arena) == TraceSpace.CLASS ? classSpace : nonClassSpace;
    arenas[arena] = space.openConfined();
  }

  @Override
  public long allocate(int arena, long sizeBytes) {
    return arenas[arena].allocate(sizeBytes, ALIGNMENT_BYTES).address();
  }

  @Override
  public long allocateKept(int arena, long sizeBytes, int slot) {
    MemorySegment block = arenas[arena].allocate(sizeBytes, ALIGNMENT_BYTES);
    slots[slot] = block;
    return block.address();
  }

  @Override
  public void deallocate(int arena, int slot) {
    arenas[arena].deallocate(slots[slot]);
    slots[slot] = null;
  }

  @Override
  public void death(int arena) {
    arenas[arena].close();
    arenas[arena] = null;
  }

  @Override
  public long committedBytes() {
    return nonClassSpace.committedBytes() + classSpace.committedBytes();
  }

  @Override
  public long granuleBytes() {
    return nonClassSpace.granuleBytes();
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
    nonClassSpace.close();
    classSpace.close();
  }
}
