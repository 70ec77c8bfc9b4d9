package dev.arenal.lab.replay;

/**
 * The live bytes of a program, operation by operation: what every allocator has to keep, the same
 * for all of them.
 */
final class UsedCurve {
  private final long[] arenaWords;
  private final int[] arenaBlocks;
  private final int[] slotWords;
  private int nextSlot;
  private long usedWords;
  private long countBlocks;

  private UsedCurve(ArenaTable arenas, int countKept) {
    this.arenaWords = new long[arenas.countArenas()];
    this.arenaBlocks = new int[arenas.countArenas()];
    this.slotWords = new int[countKept];
  }

  /** Shows the state after each operation of the program to the observer. */
  static void walk(ReplayProgram program, Observer observer) {
    UsedCurve curve = new UsedCurve(program.arenas(), program.countKept());
    long countOperations = program.countOperations();
    for (long i = 0; i < countOperations; i++) {
      curve.apply(program.operations().get(i));
      observer.accept(i + 1, curve.usedWords * Long.BYTES, curve.countBlocks);
    }
  }

  private void apply(long operation) {
    int arena = Operation.arena(operation);
    switch (Operation.code(operation)) {
      case Operation.ALLOCATE -> addBlock(arena, Operation.sizeWords(operation));
      case Operation.ALLOCATE_KEPT -> {
        slotWords[nextSlot++] = Operation.sizeWords(operation);
        addBlock(arena, Operation.sizeWords(operation));
      }
      case Operation.DEALLOCATE -> {
        int sizeWords = slotWords[Operation.slot(operation)];
        arenaWords[arena] -= sizeWords;
        arenaBlocks[arena]--;
        usedWords -= sizeWords;
        countBlocks--;
      }
      case Operation.DEATH -> {
        usedWords -= arenaWords[arena];
        countBlocks -= arenaBlocks[arena];
        arenaWords[arena] = 0;
        arenaBlocks[arena] = 0;
      }
      default -> {}
    }
  }

  private void addBlock(int arena, int sizeWords) {
    arenaWords[arena] += sizeWords;
    arenaBlocks[arena]++;
    usedWords += sizeWords;
    countBlocks++;
  }

  /** Sees the state after each operation. */
  @FunctionalInterface
  interface Observer {
    void accept(long operation, long usedBytes, long countBlocks);
  }
}
