package dev.arenal.lab.replay;

import dev.arenal.lab.trace.TraceSpace;

/**
 * The committed bytes of an allocator that knows the future: the measure of all that do not.
 *
 * <p>It knows which arenas die together, with no birth and no allocation between their deaths, and
 * packs all blocks of these, and no others, into OS pages; a page goes when nothing in it is live.
 * It moves nothing, wastes no byte inside a page, and fills the holes of blocks that are given back
 * early. The two spaces of a JVM have pages of their own. Arenas that never die are together too.
 */
final class ClairvoyantCurve {
  static final long PAGE_BYTES = 4096;
  private static final int SPACE_COUNT = TraceSpace.values().length;

  private final ReplayProgram program;

  /** By arena: the group that it dies with. */
  private final int[] groups;

  private final long[] liveBytes;
  private final long[] bytesOfArena;
  private final int[] slotWords;
  private int nextSlot;
  private long committedBytes;

  private ClairvoyantCurve(ReplayProgram program) {
    this.program = program;
    this.groups = new int[program.arenas().arenaCount()];
    int groupCount = findGroups();
    this.liveBytes = new long[groupCount * SPACE_COUNT];
    this.bytesOfArena = new long[groups.length];
    this.slotWords = new int[program.keptCount()];
  }

  /**
   * Committed bytes when so many operations are done.
   *
   * @param atOperations ascending
   */
  static long[] committedBytes(ReplayProgram program, long[] atOperations) {
    ClairvoyantCurve curve = new ClairvoyantCurve(program);
    long[] committed = new long[atOperations.length];
    long done = 0;
    for (int i = 0; i < atOperations.length; i++) {
      for (; done < atOperations[i]; done++) {
        curve.apply(program.operations().get(done));
      }
      committed[i] = curve.committedBytes;
    }
    return committed;
  }

  /** Numbers the groups from 1; those that never die are in group 0. */
  private int findGroups() {
    int group = 0;
    boolean isAmongDeaths = false;
    for (long i = 0; i < program.operationCount(); i++) {
      long operation = program.operations().get(i);
      if (Operation.code(operation) == Operation.DEATH) {
        group += isAmongDeaths ? 0 : 1;
        isAmongDeaths = true;
        groups[Operation.arena(operation)] = group;
      } else if (Operation.code(operation) != Operation.DEALLOCATE) {
        isAmongDeaths = false;
      }
    }
    return group + 1;
  }

  private void apply(long operation) {
    int arena = Operation.arena(operation);
    switch (Operation.code(operation)) {
      case Operation.ALLOCATE -> add(arena, Operation.sizeWords(operation));
      case Operation.ALLOCATE_KEPT -> {
        slotWords[nextSlot++] = Operation.sizeWords(operation);
        add(arena, Operation.sizeWords(operation));
      }
      case Operation.DEALLOCATE -> add(arena, -slotWords[Operation.slot(operation)]);
      case Operation.DEATH -> addBytes(arena, -bytesOfArena[arena]);
      default -> {}
    }
  }

  private void add(int arena, int words) {
    addBytes(arena, (long) words * Long.BYTES);
  }

  private void addBytes(int arena, long bytes) {
    int at = groups[arena] * SPACE_COUNT + program.arenas().space(arena).index();
    committedBytes -= pages(liveBytes[at]);
    liveBytes[at] += bytes;
    bytesOfArena[arena] += bytes;
    committedBytes += pages(liveBytes[at]);
  }

  private static long pages(long bytes) {
    return (bytes + PAGE_BYTES - 1) & -PAGE_BYTES;
  }
}
