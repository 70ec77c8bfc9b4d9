package dev.arenal.lab.replay;

import dev.arenal.lab.trace.TraceInfo;
import dev.arenal.lab.trace.TraceSpace;
import dev.arenal.lab.trace.TraceVisitor;
import java.io.IOException;
import java.util.Arrays;

/**
 * Turns a trace, event by event, into a {@link ReplayProgram}. Marks say what the recorded program
 * was doing; a replay does the same work with or without.
 */
final class ProgramBuilder implements TraceVisitor {
  /** A block's number, in an array that doubles and is copied. */
  private static final long BYTES_PER_DEALLOCATION = 3 * Integer.BYTES;

  /** Of the program, the plan and its samples, and for each arena if there are many. */
  private static final long OTHER_BYTES = 32L << 20;

  private static final long BYTES_PER_ARENA = 64;

  private static final long BYTES_PER_MIB = 1 << 20;

  private final OperationList operations = new OperationList();
  private final HotspotCurve hotspot = new HotspotCurve();
  private TraceSpace[] spaces = new TraceSpace[64];
  private int[] loaders = new int[64];
  private int arenaCount;
  private int loaderCount;
  private long allocationCount;
  private int[] deallocatedBlocks = new int[16];
  private int deallocationCount;

  @Override
  public void checked(TraceInfo info) throws IOException {
    checkHeap(info, Runtime.getRuntime().maxMemory());
  }

  /** Refuses a trace whose operations, eight bytes each, would fill the Java heap. */
  static void checkHeap(TraceInfo info, long maxHeapBytes) throws IOException {
    long neededBytes =
        info.eventCount() * Long.BYTES
            + info.deallocationCount() * BYTES_PER_DEALLOCATION
            + Math.max(OTHER_BYTES, info.arenaCount() * BYTES_PER_ARENA);
    if (neededBytes > maxHeapBytes) {
      throw new IOException(
          ("not enough Java heap to read the trace: trace=%s, events=%d, neededBytes=%d,"
                  + " maxHeapBytes=%d (expected a larger heap: set ARENAL_JAVA_OPTS=-Xmx%dm)")
              .formatted(
                  info.name(),
                  info.eventCount(),
                  neededBytes,
                  maxHeapBytes,
                  // Not all of it is for objects with every collector.
                  Math.ceilDiv(neededBytes + neededBytes / 8, BYTES_PER_MIB)));
    }
  }

  @Override
  public void birth(int arena, TraceSpace space, int loader) {
    if (arena == loaders.length) {
      spaces = Arrays.copyOf(spaces, 2 * arena);
      loaders = Arrays.copyOf(loaders, 2 * arena);
    }
    spaces[arena] = space;
    loaders[arena] = loader;
    arenaCount++;
    loaderCount = Math.max(loaderCount, loader + 1);
    operations.add(Operation.pack(Operation.BIRTH, arena, 0));
  }

  @Override
  public void allocate(int arena, int sizeWords, int block) {
    operations.add(Operation.pack(Operation.ALLOCATE, arena, sizeWords));
    allocationCount++;
  }

  @Override
  public void deallocate(int arena, int block) {
    if (deallocationCount == deallocatedBlocks.length) {
      deallocatedBlocks = Arrays.copyOf(deallocatedBlocks, 2 * deallocationCount);
    }
    deallocatedBlocks[deallocationCount++] = block;
    // The block stands where its slot will be: slots are known when all deallocations are.
    operations.add(Operation.pack(Operation.DEALLOCATE, arena, block));
  }

  @Override
  public void death(int arena) {
    operations.add(Operation.pack(Operation.DEATH, arena, 0));
  }

  @Override
  public void hotspotCommitted(TraceSpace space, long committedBytes) {
    hotspot.add(operations.count(), space, committedBytes);
  }

  /** The committed bytes of the recorded JVM, which are of no use to a replay. */
  HotspotCurve hotspot() {
    return hotspot;
  }

  ReplayProgram build(String name) {
    int[] kept = Arrays.copyOf(deallocatedBlocks, deallocationCount);
    Arrays.sort(kept);
    if (deallocationCount > 0) {
      assignSlots(kept);
    }
    ArenaTable table =
        new ArenaTable(
            loaderCount, Arrays.copyOf(spaces, arenaCount), Arrays.copyOf(loaders, arenaCount));
    return new ReplayProgram(name, operations, table, allocationCount, kept.length);
  }

  private void assignSlots(int[] keptBlocks) {
    int block = 0;
    int nextSlot = 0;
    for (long i = 0; i < operations.count(); i++) {
      long operation = operations.get(i);
      int arena = Operation.arena(operation);
      if (Operation.code(operation) == Operation.ALLOCATE) {
        if (nextSlot < keptBlocks.length && keptBlocks[nextSlot] == block) {
          int sizeWords = Operation.sizeWords(operation);
          operations.set(i, Operation.pack(Operation.ALLOCATE_KEPT, arena, sizeWords));
          nextSlot++;
        }
        block++;
      } else if (Operation.code(operation) == Operation.DEALLOCATE) {
        int slot = Arrays.binarySearch(keptBlocks, Operation.slot(operation));
        operations.set(i, Operation.pack(Operation.DEALLOCATE, arena, slot));
      }
    }
  }
}
