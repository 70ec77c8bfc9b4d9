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
  private long mostUsedWords;
  private long mostBlocks;
  private long mostKeptWords;
  private long mostKeptBlocks;
  private long mostLiveArenas;

  /** Before the first operation. */
  UsedCurve(ReplayProgram program) {
    int arenaCount = program.arenas().arenaCount();
    this.arenaWords = new long[arenaCount];
    this.arenaBlocks = new int[arenaCount];
    this.slotWords = new int[program.keptCount()];
    this.arenaKeptWords = new long[arenaCount];
    this.arenaKeptBlocks = new int[arenaCount];
  }

  /**
   * The most of a whole program.
   *
   * @param usedBytes the most bytes that are live at any time
   * @param blocks the number of live blocks
   * @param keptBytes bytes of the arenas that live, of blocks that were freed early, too
   * @param keptBlocks the number of these blocks
   * @param liveArenas arenas that live
   */
  record Most(long usedBytes, long blocks, long keptBytes, long keptBlocks, long liveArenas) {}

  /** Takes the next operation of the program. */
  void apply(long operation) {
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
    mostUsedWords = Math.max(mostUsedWords, usedWords);
    mostBlocks = Math.max(mostBlocks, blockCount);
    mostKeptWords = Math.max(mostKeptWords, keptWords);
    mostKeptBlocks = Math.max(mostKeptBlocks, keptBlockCount);
  }

  /** Bytes that are live now. */
  long usedBytes() {
    return usedWords * Long.BYTES;
  }

  /** Blocks that are live now. */
  long blockCount() {
    return blockCount;
  }

  /** The most until now. */
  Most most() {
    return new Most(
        mostUsedWords * Long.BYTES,
        mostBlocks,
        mostKeptWords * Long.BYTES,
        mostKeptBlocks,
        mostLiveArenas);
  }
}
