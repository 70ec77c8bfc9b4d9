package dev.arenal.bench.confined;

import org.lwjgl.system.MemoryStack;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** {@link ArenaOpening} with the stack of LWJGL: a frame without a block, and five at once. */
@State(Scope.Benchmark)
public class MemoryStackOpening extends ConfinedBenchmark {
  private static final int WORD_ALIGNMENT_BYTES = 8;
  private static final int WORD_COUNT = 4;

  /** The contender of these figures. */
  @Param({"lwjgl"})
  public String factory = "";

  /** A frame without a block. */
  @Benchmark
  public void none() {
    try (MemoryStack _ = MemoryStack.stackPush()) {
      return;
    }
  }

  /** Five frames, each within the one before, with a block of four words each. */
  @Benchmark
  @SuppressWarnings("try") // that they are nested is all there is to it
  public int nested() {
    try (MemoryStack first = MemoryStack.stackPush()) {
      int sum = words(first);
      try (MemoryStack second = MemoryStack.stackPush()) {
        sum += words(second);
        try (MemoryStack third = MemoryStack.stackPush()) {
          sum += words(third);
          try (MemoryStack fourth = MemoryStack.stackPush()) {
            sum += words(fourth);
            try (MemoryStack fifth = MemoryStack.stackPush()) {
              return sum + words(fifth);
            }
          }
        }
      }
    }
  }

  private static int words(MemoryStack stack) {
    int bytes = WORD_COUNT * Long.BYTES;
    return MemoryStackAllocation.touch(
        stack.ncalloc(WORD_ALIGNMENT_BYTES, WORD_COUNT, Long.BYTES), bytes);
  }
}
