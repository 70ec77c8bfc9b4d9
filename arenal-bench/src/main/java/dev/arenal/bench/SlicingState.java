package dev.arenal.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One segment with room for all blocks, allocated once and used again and again. */
@State(Scope.Thread)
public class SlicingState {
  private Arena arena = Arena.global();
  MemorySegment segment = MemorySegment.NULL;

  /** Allocates in the thread that will use it. */
  @Setup(Level.Trial)
  public void allocate() {
    arena = Arena.ofConfined();
    segment = arena.allocate(OwnerAllocation.BLOCKS * OwnerAllocation.BLOCK_BYTES, 8);
  }

  /** Frees it. */
  @TearDown(Level.Trial)
  public void close() {
    arena.close();
  }
}
