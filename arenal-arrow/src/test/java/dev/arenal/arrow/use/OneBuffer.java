package dev.arenal.arrow.use;

import dev.arenal.arrow.ArenalAllocationManager;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** One buffer of our manager; in whatever class loader or process this class is. */
public final class OneBuffer {
  private OneBuffer() {}

  /** Prints where the manager is, and the size of a buffer. */
  public static void main(String[] args) {
    System.out.println("module: " + ArenalAllocationManager.class.getModule().getName());
    System.out.println("buffer: " + sizeBytes());
  }

  /** Takes a buffer of 1,000 bytes and gives it back; returns its size. */
  public static long sizeBytes() {
    try (BufferAllocator root =
            new RootAllocator(
                RootAllocator.configBuilder()
                    .allocationManagerFactory(ArenalAllocationManager.FACTORY)
                    .build());
        ArrowBuf buffer = root.buffer(1000)) {
      buffer.setLong(0, 42);
      if (buffer.getLong(0) != 42) {
        throw new AssertionError("another value: buffer=" + buffer);
      }
      return buffer.capacity();
    }
  }
}
