package dev.arenal.lab.replay;

/**
 * A small program of the same kind as a large one, to warm up with: some of its loaders from birth
 * to death, and of each no more than a share of the allocations.
 *
 * <p>It takes every path in the proportions of the whole, so the compiler sees what it will see,
 * and it is small enough that an allocator forgets it.
 */
final class ThinnedProgram {
  private static final int SHARE_COUNT = 10;

  private final ReplayProgram program;
  private final boolean[] isChosen;
  private final long[] allocationsLeft;
  private final int[] slots;
  private final OperationList operations = new OperationList();
  private int nextOldSlot;
  private int nextNewSlot;
  private long allocationCount;

  private ThinnedProgram(ReplayProgram program, long targetAllocations) {
    int loaderCount = program.arenas().loaderCount();
    this.program = program;
    this.isChosen = new boolean[loaderCount];
    this.allocationsLeft = new long[loaderCount];
    this.slots = new int[program.keptCount()];
    choose(targetAllocations);
  }

  /** About so many allocations of the program; the program itself if it has no more. */
  static ReplayProgram of(ReplayProgram program, long targetAllocations) {
    if (program.allocationCount() <= targetAllocations) {
      return program;
    }
    ThinnedProgram thinned = new ThinnedProgram(program, targetAllocations);
    long operationCount = program.operationCount();
    for (long i = 0; i < operationCount; i++) {
      thinned.take(program.operations().get(i));
    }
    return new ReplayProgram(
        program.name(),
        thinned.operations,
        program.arenas(),
        thinned.allocationCount,
        thinned.nextNewSlot);
  }

  private void choose(long targetAllocations) {
    long[] byLoaderCount = new long[isChosen.length];
    for (long i = 0; i < program.operationCount(); i++) {
      long operation = program.operations().get(i);
      if (isAllocation(operation)) {
        byLoaderCount[loader(operation)]++;
      }
    }
    long most = Math.max(1, targetAllocations / SHARE_COUNT);
    long sum = 0;
    for (int loader = 0; loader < byLoaderCount.length; loader++) {
      allocationsLeft[loader] = Math.min(most, byLoaderCount[loader]);
      sum += allocationsLeft[loader];
    }
    int stride = (int) Math.max(1, Math.ceilDiv(sum, Math.max(1, targetAllocations)));
    for (int loader = 0; loader < isChosen.length; loader += stride) {
      isChosen[loader] = true;
    }
  }

  private void take(long operation) {
    int slot = Operation.code(operation) == Operation.ALLOCATE_KEPT ? nextOldSlot++ : -1;
    if (!isChosen[loader(operation)]) {
      return;
    }
    if (Operation.code(operation) == Operation.DEALLOCATE) {
      int newSlot = slots[Operation.slot(operation)] - 1;
      if (newSlot >= 0) {
        operations.add(Operation.pack(Operation.DEALLOCATE, Operation.arena(operation), newSlot));
      }
    } else if (!isAllocation(operation)) {
      operations.add(operation);
    } else if (allocationsLeft[loader(operation)]-- > 0) {
      operations.add(operation);
      allocationCount++;
      if (slot >= 0) {
        // Zero stands for a block that was left out.
        slots[slot] = ++nextNewSlot;
      }
    }
  }

  private int loader(long operation) {
    return program.arenas().loader(Operation.arena(operation));
  }

  private static boolean isAllocation(long operation) {
    int code = Operation.code(operation);
    return code == Operation.ALLOCATE || code == Operation.ALLOCATE_KEPT;
  }
}
