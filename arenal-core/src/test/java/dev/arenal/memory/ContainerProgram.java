package dev.arenal.memory;

import dev.arenal.pretouch.Pretouch;

/** The program of {@link ContainerLimitTest} in a container: pretouches, and prints the outcome. */
final class ContainerProgram {
  private static final double NANOS_PER_MILLI = 1e6;

  private ContainerProgram() {}

  /**
   * Sizes in bytes, one after the other; waits a moment at the end, with all of it in its hands.
   */
  public static void main(String[] sizesBytes) throws InterruptedException {
    for (String size : sizesBytes) {
      long sizeBytes = Long.parseLong(size);
      ReservedMemory memory = ReservedMemory.reserve("m", sizeBytes, Budget.unlimited("u"));
      long startNanos = System.nanoTime();
      try {
        System.out.println(memory.pretouch(Pretouch.all()));
      } catch (OutOfMemoryError e) {
        System.out.printf(
            "after %.0f ms: %s%n",
            (System.nanoTime() - startNanos) / NANOS_PER_MILLI, e.getMessage());
      }
    }
    Thread.sleep(1000);
    System.out.println("alive");
  }
}
