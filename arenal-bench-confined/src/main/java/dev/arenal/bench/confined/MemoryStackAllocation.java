package dev.arenal.bench.confined;

import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * {@link ArenaAllocation} with the stack of LWJGL, as its users write it: addresses are plain
 * numbers, and nothing checks a bound or a lifetime. Blocks are zeroed.
 */
@State(Scope.Thread)
public class MemoryStackAllocation extends ConfinedBenchmark {
  /** The contender of these figures. */
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
