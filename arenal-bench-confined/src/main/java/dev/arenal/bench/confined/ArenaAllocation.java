package dev.arenal.bench.confined;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * An arena is opened, gives out a few blocks of one size that are written and read, and is closed.
 * The time is that of the whole arena.
 */
@State(Scope.Thread)
public class ArenaAllocation extends ConfinedBenchmark {
  /** Bytes of a block. */
  @Param({"5", "20", "100", "500", "2000", "8000"})
  public long sizeBytes;

  /** Where an arena that escapes is seen by others. */
  public Arena keptArena = Arena.global();

  /** And a segment of it. */
  public MemorySegment keptSegment = MemorySegment.NULL;

  private final Arena second = new FixedArena();
  private final Arena third = new OtherArena();

  /** One block. */
  @Benchmark
  public int one(FactoryState state) {
    try (Arena arena = Contender.open()) {
      return Touch.both(arena.allocate(sizeBytes), sizeBytes);
    }
  }

  /** Three blocks. */
  @Benchmark
  public int three(FactoryState state) {
    try (Arena arena = Contender.open()) {
      return Touch.both(arena.allocate(sizeBytes), sizeBytes)
          + Touch.both(arena.allocate(sizeBytes), sizeBytes)
          + Touch.both(arena.allocate(sizeBytes), sizeBytes);
    }
  }

  /** Four blocks. */
  @Benchmark
  public int four(FactoryState state) {
    try (Arena arena = Contender.open()) {
      return Touch.both(arena.allocate(sizeBytes), sizeBytes)
          + Touch.both(arena.allocate(sizeBytes), sizeBytes)
          + Touch.both(arena.allocate(sizeBytes), sizeBytes)
          + Touch.both(arena.allocate(sizeBytes), sizeBytes);
    }
  }

  /** One block of an arena that others could see before it is closed: both are objects. */
  @Benchmark
  public int escaping(FactoryState state) {
    try (Arena arena = Contender.open()) {
      keptArena = arena;
      MemorySegment segment = arena.allocate(sizeBytes);
      keptSegment = segment;
      return Touch.both(segment, sizeBytes);
    }
  }

  /**
   * One block, where the code that uses the arena sees three kinds of them, one as often as the
   * other. The time is that of the three together; two of them cost nothing, see the control.
   */
  @Benchmark
  public int mixed(FactoryState state) {
    return use(Contender.open()) + use(second) + use(third);
  }

  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  private int use(Arena any) {
    try (Arena arena = any) {
      return Touch.both(arena.allocate(sizeBytes), sizeBytes);
    }
  }

  /** A third kind of arena, as cheap as the control. */
  private static final class OtherArena implements Arena {
    private final Arena same = new FixedArena();

    @Override
    public MemorySegment allocate(long sizeBytes, long alignmentBytes) {
      return same.allocate(sizeBytes, alignmentBytes);
    }

    @Override
    public MemorySegment.Scope scope() {
      return same.scope();
    }

    @Override
    public void close() {}
  }
}
