package dev.arenal.bench.confined;

import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.system.libc.LibCString;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** {@link ArenaText} with the stack of LWJGL and its own way into native code. */
@State(Scope.Thread)
public class MemoryStackText extends ConfinedBenchmark {
  /** The contender of these figures. */
  @Param({"lwjgl"})
  public String factory = "";

  /** Characters of the text, one byte each. */
  @Param({"5", "20", "45", "100"})
  public int sizeBytes;

  private String text = "";
  private byte[] bytes = {};

  /** Makes the text. */
  @Setup(Level.Trial)
  public void make() {
    text = "x".repeat(sizeBytes);
    bytes = new byte[sizeBytes];
  }

  /** A C string. */
  @Benchmark
  public int string() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      long address = encoded(stack);
      MemoryUtil.memPutByte(address, (byte) 1);
      return MemoryUtil.memGetByte(address + sizeBytes);
    }
  }

  /** An array of bytes. */
  @Benchmark
  public int bytes() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      return stack.bytes(bytes).get(bytes.length - 1);
    }
  }

  /** A C string for a real native call. */
  @Benchmark
  public long strlen() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      return LibCString.nstrlen(encoded(stack));
    }
  }

  private long encoded(MemoryStack stack) {
    var _ = stack.nUTF8(text, true);
    return stack.getPointerAddress();
  }
}
