package dev.arenal.lab.replay;

/**
 * The live bytes of a program, operation by operation: what every allocator has to keep, the same
 * for all of them.
 */
final class UsedCurve {
  private final long[] arenaWords;
  private final int[] arenaBlocks;
  private final int[] slotWords;

  /** The same of all blocks that an arena has had: some allocators keep them until it ends. */
  private final long[] arenaKeptWords;

  private final int[] arenaKeptBlocks;
  private int nextSlot;
  private long usedWords;
  private long blockCount;
  private long keptWords;
  private long keptBlockCount;
  private long liveArenaCount;
  private long mostKeptWords;
  private long mostKeptBlocks;
  private long mostLiveArenas;

  private UsedCurve(ArenaTable arenas, int keptCount) {
    this.arenaWords = new long[arenas.arenaCount()];
    this.arenaBlocks = new int[arenas.arenaCount()];
    this.slotWords = new int[keptCount];
    this.arenaKeptWords = new long[arenas.arenaCount()];
    this.arenaKeptBlocks = new int[arenas.arenaCount()];
  }

  /**
   * The most of a whole program.
   *
   * @param keptBytes bytes of the arenas that live, of blocks that were freed early, too
   * @param keptBlocks the number of these blocks
   * @param liveArenas arenas that live
   */
  record Most(long keptBytes, long keptBlocks, long liveArenas) {}

  /** Shows the state after each operation of the program to the observer. */
  static Most walk(ReplayProgram program, Observer observer) {
    UsedCurve curve = new UsedCurve(program.arenas(), program.keptCount());
    long operationCount = program.operationCount();
    for (long i = 0; i < operationCount; i++) {
      curve.apply(program.operations().get(i));
      observer.accept(i + 1, curve.usedWords * Long.BYTES, curve.blockCount);
    }
    return new Most(curve.mostKeptWords * Long.BYTES, curve.mostKeptBlocks, curve.mostLiveArenas);
  }

  private void apply(long operation) {
    int arena = Operation.arena(operation);
    switch (Operation.code(operation)) {
      case Operation.BIRTH -> mostLiveArenas = Math.max(mostLiveArenas, ++liveArenaCount);
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
        blockCount--;
      }
      case Operation.DEATH -> {
        usedWords -= arenaWords[arena];
        blockCount -= arenaBlocks[arena];
        keptWords -= arenaKeptWords[arena];
        keptBlockCount -= arenaKeptBlocks[arena];
        arenaWords[arena] = 0;
        arenaBlocks[arena] = 0;
        liveArenaCount--;
      }
      default -> {}
    }
  }

  private void addBlock(int arena, int sizeWords) {
    arenaWords[arena] += sizeWords;
    arenaBlocks[arena]++;
    usedWords += sizeWords;
    blockCount++;
    arenaKeptWords[arena] += sizeWords;
    arenaKeptBlocks[arena]++;
    keptWords += sizeWords;
    keptBlockCount++;
    mostKeptWords = Math.max(mostKeptWords, keptWords);
    mostKeptBlocks = Math.max(mostKeptBlocks, keptBlockCount);
  }

  /** Sees the state after each operation. */
  @FunctionalInterface
  interface Observer {
    void accept(long operation, long usedBytes, long blockCount);
  }
}
