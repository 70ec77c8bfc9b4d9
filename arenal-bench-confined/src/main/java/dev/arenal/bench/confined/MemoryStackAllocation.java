package dev.arenal.bench.confined;

import java.util.concurrent.TimeUnit;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
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

/**
 * {@link ArenaAllocation} with the stack of LWJGL, as its users write it: addresses are plain
 * numbers, and nothing checks a bound or a lifetime. Blocks are zeroed.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
    value = 5,
    jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"})
@State(Scope.Thread)
public class MemoryStackAllocation {
  /** What these figures belong to. */
  @Param({"lwjgl"})
  public String factory = "";

  /** Bytes of a block. */
  @Param({"5", "20", "100", "500", "2000", "8000"})
  public int sizeBytes;

  /** One block. */
  @Benchmark
  public int one() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      return block(stack);
    }
  }

  /** Three blocks. */
  @Benchmark
  public int three() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      return block(stack) + block(stack) + block(stack);
    }
  }

  /** Four blocks. */
  @Benchmark
  public int four() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      return block(stack) + block(stack) + block(stack) + block(stack);
    }
  }

  private int block(MemoryStack stack) {
    return sizeBytes == 0 ? 0 : touch(stack.ncalloc(1, sizeBytes, 1), sizeBytes);
  }

  static int touch(long address, int bytes) {
    MemoryUtil.memPutByte(address, (byte) 1);
    return MemoryUtil.memGetByte(address + bytes - 1);
  }
}
