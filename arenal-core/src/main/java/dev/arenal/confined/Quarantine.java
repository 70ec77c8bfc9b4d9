package dev.arenal.confined;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.List;

/**
 * Memory of closed checked arenas, filled with poison and kept until enough others are closed; if
 * the poison is not whole then, somebody wrote through an address that had outlived its arena.
 */
final class Quarantine {
  private static final int MAX_COUNT_ARENAS = 4096;
  private static final long MAX_BYTES = 64L << 20;

  private static final System.Logger LOGGER = System.getLogger("dev.arenal");

  private static final ArrayDeque<Entry> ENTRIES = new ArrayDeque<>(); // guarded by itself
  private static long heldBytes;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(Quarantine::releaseAll, "arenal-quarantine"));
  }

  private record Entry(
      Arena memory, List<CheckedArena.Block> blocks, Throwable opened, long sizeBytes) {}

  private Quarantine() {}

  /** Keeps the memory of a closed arena, and lets the oldest go if that is too much. */
  static void add(Arena memory, List<CheckedArena.Block> blocks, Throwable opened) {
    long sizeBytes = 0;
    for (CheckedArena.Block block : blocks) {
      sizeBytes += block.whole().byteSize();
    }
    synchronized (ENTRIES) {
      ENTRIES.add(new Entry(memory, blocks, opened, sizeBytes));
      heldBytes += sizeBytes;
      while (ENTRIES.size() > MAX_COUNT_ARENAS || heldBytes > MAX_BYTES) {
        releaseOldest();
      }
    }
  }

  /** Looks at all of it and lets it go: at the end of the program, and in tests. */
  static void releaseAll() {
    synchronized (ENTRIES) {
      while (!ENTRIES.isEmpty()) {
        releaseOldest();
      }
    }
  }

  private static void releaseOldest() {
    Entry entry = ENTRIES.remove();
    heldBytes -= entry.sizeBytes();
    for (CheckedArena.Block block : entry.blocks()) {
      long size = block.whole().byteSize();
      long at = CheckedArena.firstOther(block.whole(), 0, size, CheckedArena.POISON);
      if (at >= 0) {
        LOGGER.log(System.Logger.Level.ERROR, message(block, at), entry.opened());
      }
    }
    entry.memory().close();
  }

  private static String message(CheckedArena.Block block, long at) {
    return "native memory was written after its arena was closed: blockSizeBytes="
        + block.sizeBytes()
        + ", offset="
        + (at - block.offset())
        + ", found="
        + CheckedArena.hex(block.whole().get(ValueLayout.JAVA_BYTE, at))
        + "; an address was kept, see the stack for the arena";
  }
}
