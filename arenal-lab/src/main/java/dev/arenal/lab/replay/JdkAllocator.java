package dev.arenal.lab.replay;

import java.lang.foreign.Arena;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The JDK's own arenas, one for each arena of the trace. */
final class JdkAllocator implements ReplayAllocator {
  private static final long ALIGNMENT_BYTES = 8;

  private final Supplier<Arena> factory;
  private final @Nullable Arena[] arenas;

  /** Arenas from this factory: all of one kind. */
  JdkAllocator(ReplayProgram program, Supplier<Arena> factory) {
    this.factory = factory;
    this.arenas = new @Nullable Arena[program.arenas().arenaCount()];
  }

  @Override
  public void birth(int arena) {
    arenas[arena] = factory.get();
  }

  @Override
  @SuppressWarnings("NullAway") // No trace names an arena before its birth or after its death.
  public long allocate(int arena, long sizeBytes) {
    return arenas[arena].allocate(sizeBytes, ALIGNMENT_BYTES).address();
  }

  @Override
  public long allocateKept(int arena, long sizeBytes, int slot) {
    return allocate(arena, sizeBytes);
  }

  /** Nothing: such an arena gives no block back before it closes. */
  @Override
  public void deallocate(int arena, int slot) {}

  @Override
  public void death(int arena) {
    Arena dying = arenas[arena];
    if (dying != null) {
      dying.close();
      arenas[arena] = null;
    }
  }

  /** It has no such figure. */
  @Override
  public long committedBytes() {
    return UNKNOWN;
  }

  @Override
  public boolean isZeroing() {
    return true;
  }

  @Override
  public void close() {
    for (int arena = 0; arena < arenas.length; arena++) {
      death(arena);
    }
  }
}
