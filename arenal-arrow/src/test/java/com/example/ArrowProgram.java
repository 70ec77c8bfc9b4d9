package com.example;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;

/** Takes memory of Arrow. */
public final class ArrowProgram {
  private ArrowProgram() {}

  /** A buffer. */
  public static ArrowBuf take(BufferAllocator allocator, long sizeBytes) {
    return allocator.buffer(sizeBytes);
  }

  /** A vector. */
  public static BigIntVector fill(BufferAllocator allocator, int valueCount) {
    BigIntVector vector = new BigIntVector("numbers", allocator);
    vector.allocateNew(valueCount);
    return vector;
  }
}
