package dev.arenal.lab.replay;

import dev.arenal.lab.heap.RawMemory;
import java.util.Arrays;

/**
 * The driver that checks instead of being fast: fresh blocks are zero where the allocator says so,
 * and every block still holds what was written into it when it is given back.
 *
 * <p>Each word tells its block and its place, so two blocks that overlap give each other away.
 */
final class VerifyingDriver implements Measurement.Driver {
  private static final long MIXER = 0x9E37_79B9_7F4A_7C15L;
  private static final int NONE = -1;

  private final ReplayProgram program;
  private final ReplayAllocator allocator;
  private final long[] addresses;
  private final int[] sizesWords;
  private final int[] olderBlocks;
  private final boolean[] isReturned;
  private final int[] newestBlocks;
  private final int[] slotBlocks;
  private int nextBlock;
  private int nextSlot;

  VerifyingDriver(ReplayProgram program, ReplayAllocator allocator) {
    int blockCount = Math.toIntExact(program.allocationCount());
    this.program = program;
    this.allocator = allocator;
    this.addresses = new long[blockCount];
    this.sizesWords = new int[blockCount];
    this.olderBlocks = new int[blockCount];
    this.isReturned = new boolean[blockCount];
    this.newestBlocks = new int[program.arenas().arenaCount()];
    this.slotBlocks = new int[program.keptCount()];
    Arrays.fill(newestBlocks, NONE);
  }

  @Override
  public void run(long from, long to) {
    for (long i = from; i < to; i++) {
      apply(program.operations().get(i));
    }
  }

  /** Checks all blocks that outlive the trace. */
  @Override
  public void finish() {
    for (int arena = 0; arena < newestBlocks.length; arena++) {
      checkArena(arena);
    }
  }

  private void apply(long operation) {
    int arena = Operation.arena(operation);
    int sizeWords = Operation.sizeWords(operation);
    long sizeBytes = (long) sizeWords * Long.BYTES;
    switch (Operation.code(operation)) {
      case Operation.ALLOCATE -> enter(arena, sizeWords, allocator.allocate(arena, sizeBytes));
      case Operation.ALLOCATE_KEPT -> {
        slotBlocks[nextSlot] = nextBlock;
        enter(arena, sizeWords, allocator.allocateKept(arena, sizeBytes, nextSlot++));
      }
      case Operation.DEALLOCATE -> {
        int block = slotBlocks[Operation.slot(operation)];
        checkBlock(arena, block);
        isReturned[block] = true;
        allocator.deallocate(arena, Operation.slot(operation));
      }
      case Operation.BIRTH -> allocator.birth(arena);
      case Operation.DEATH -> {
        checkArena(arena);
        newestBlocks[arena] = NONE;
        allocator.death(arena);
      }
      default -> throw new AssertionError("operation=" + operation);
    }
  }

  private void enter(int arena, int sizeWords, long address) {
    int block = nextBlock++;
    addresses[block] = address;
    sizesWords[block] = sizeWords;
    olderBlocks[block] = newestBlocks[arena];
    newestBlocks[arena] = block;
    if (address % Long.BYTES != 0) {
      throw new IllegalStateException(
          "block is not aligned: arena=%d, block=%d, address=0x%x (expected a multiple of 8)"
              .formatted(arena, block, address));
    }
    for (int word = 0; word < sizeWords; word++) {
      long wordAddress = address + (long) word * Long.BYTES;
      if (allocator.isZeroing() && RawMemory.getWord(wordAddress) != 0) {
        throw wrong("fresh block is not zero", arena, block, word, 0);
      }
      RawMemory.putWord(wordAddress, pattern(block, word));
    }
  }

  private void checkArena(int arena) {
    for (int block = newestBlocks[arena]; block != NONE; block = olderBlocks[block]) {
      if (!isReturned[block]) {
        checkBlock(arena, block);
      }
    }
  }

  private void checkBlock(int arena, int block) {
    for (int word = 0; word < sizesWords[block]; word++) {
      long expected = pattern(block, word);
      if (RawMemory.getWord(addresses[block] + (long) word * Long.BYTES) != expected) {
        throw wrong("block does not hold what was written", arena, block, word, expected);
      }
    }
  }

  private IllegalStateException wrong(String what, int arena, int block, int word, long expected) {
    return new IllegalStateException(
        "%s: arena=%d, block=%d, sizeWords=%d, word=%d, found=0x%x (expected 0x%x)"
            .formatted(
                what,
                arena,
                block,
                sizesWords[block],
                word,
                RawMemory.getWord(addresses[block] + (long) word * Long.BYTES),
                expected));
  }

  private static long pattern(int block, int word) {
    return (block + 1) * MIXER + word;
  }
}
