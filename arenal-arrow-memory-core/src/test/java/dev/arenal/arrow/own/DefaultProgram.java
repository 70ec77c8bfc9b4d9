package dev.arenal.arrow.own;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;

/** A program as it was before there was anything of ours. */
final class DefaultProgram {
  private DefaultProgram() {}

  /**
   * Prints which manager Arrow has taken, and what a vector holds.
   *
   * @param args a class to be initialized before Arrow, if any
   */
  public static void main(String[] args) throws ClassNotFoundException {
    for (String name : args) {
      var _ = Class.forName(name);
    }
    try (BufferAllocator root = new RootAllocator();
        IntVector vector = new IntVector("numbers", root);
        ArrowBuf empty = root.buffer(0)) {
      vector.allocateNew(1000);
      vector.set(999, 42);
      System.out.println("vector: " + vector.get(999));
      System.out.println("empty: " + empty.capacity());
    }
    System.out.println("manager: " + Managers.current());
  }
}
