package dev.arenal.lab.replay;

import dev.arenal.lab.heap.RawMemory;

/**
 * The loop that does what a program says with one allocator, and writes every word of every block.
 */
final class ReplayDriver implements Measurement.Driver {
  private final ReplayProgram program;
  private final ReplayAllocator allocator;
  private int nextSlot;

  ReplayDriver(ReplayProgram program, ReplayAllocator allocator) {
    this.program = program;
    this.allocator = allocator;
  }

  @Override
  public void run(long from, long to) {
    program.operations().forEachRun(from, to, this::run);
  }

  private void run(long[] chunk, int first, int last) {
    for (int i = first; i < last; i++) {
      long operation = chunk[i];
      int arena = Operation.arena(operation);
      switch (Operation.code(operation)) {
        case Operation.ALLOCATE -> {
          int sizeWords = Operation.sizeWords(operation);
          long address = allocator.allocate(arena, (long) sizeWords * Long.BYTES);
          RawMemory.fill(address, sizeWords, operation);
        }
        case Operation.ALLOCATE_KEPT -> {
          int sizeWords = Operation.sizeWords(operation);
          long sizeBytes = (long) sizeWords * Long.BYTES;
          long address = allocator.allocateKept(arena, sizeBytes, nextSlot++);
          RawMemory.fill(address, sizeWords, operation);
        }
        case Operation.DEALLOCATE -> allocator.deallocate(arena, Operation.slot(operation));
        case Operation.BIRTH -> allocator.birth(arena);
        case Operation.DEATH -> allocator.death(arena);
        default -> throw new AssertionError("operation=" + operation);
      }
    }
  }
}
