package dev.arenal.bench.confined;

import java.util.concurrent.TimeUnit;
import org.lwjgl.system.MemoryStack;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** {@link ArenaOpening} with the stack of LWJGL: a frame without a block, and five at once. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 5,
    jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"})
@State(Scope.Benchmark)
public class MemoryStackOpening {
  private static final int WORD_ALIGNMENT_BYTES = 8;
  private static final int COUNT_WORDS = 4;

  /** What these figures belong to. */
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
    int bytes = COUNT_WORDS * Long.BYTES;
    return MemoryStackAllocation.touch(
        stack.ncalloc(WORD_ALIGNMENT_BYTES, COUNT_WORDS, Long.BYTES), bytes);
  }
}
