package dev.arenal.confined;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Memory of closed checked arenas, filled with poison and kept until enough others are closed; if
 * the poison is not whole then, a program wrote through an address that had outlived its arena.
 */
final class Quarantine {
  private static final int MAX_COUNT_ARENAS = 4096;
  private static final long MAX_BYTES = 64L << 20;

  // A deque in an array stores an entry before it finds no heap to grow.
  @SuppressWarnings("JdkObsolete")
  private static final LinkedList<Entry> ENTRIES = new LinkedList<>(); // guarded by itself

  private static long heldBytes;

  static {
    try {
      Runtime.getRuntime()
          .addShutdownHook(new Thread(Quarantine::releaseAtExit, "arenal-quarantine"));
    } catch (IllegalStateException e) {
      // The JVM is ending already: arenas closed from now on are not looked at again.
    }
  }

  private record Entry(
      Arena memory, List<CheckedArena.Block> blocks, Throwable opened, long sizeBytes) {}

  private Quarantine() {}

  /** Has this class initialized, with its hook for the end of the program. */
  static void prepare() {}

  /**
   * Keeps the memory of a closed arena, and lets the oldest go if that is too much. Where the Java
   * heap is full, it goes at once, and unseen.
   */
  static void add(Arena memory, List<CheckedArena.Block> blocks, Throwable opened) {
    List<Entry> oldest = List.of();
    boolean isKept = false;
    try {
      long sizeBytes = 0;
      for (CheckedArena.Block block : blocks) {
        sizeBytes += block.whole().byteSize();
      }
      Entry entry = new Entry(memory, blocks, opened, sizeBytes);
      oldest = new ArrayList<>();
      synchronized (ENTRIES) {
        ENTRIES.add(entry);
        heldBytes += sizeBytes;
        isKept = true;
        takeOldest(oldest);
      }
    } finally {
      if (!isKept) {
        memory.close();
      }
      release(oldest, Quarantine::log);
    }
  }

  private static void takeOldest(List<Entry> oldest) {
    while (ENTRIES.size() > MAX_COUNT_ARENAS || heldBytes > MAX_BYTES) {
      Entry entry = ENTRIES.getFirst();
      oldest.add(entry); // before it is removed: the heap may be full
      ENTRIES.removeFirst();
      heldBytes -= entry.sizeBytes();
    }
  }

  /** Looks at all of it and lets it go. */
  static void releaseAll() {
    release(takeAll(), Quarantine::log);
  }

  /** The same at the end of the program, when logging may have ended already. */
  private static void releaseAtExit() {
    release(
        takeAll(),
        (message, opened) -> {
          System.err.println("dev.arenal: " + message);
          opened.printStackTrace();
        });
  }

  private static List<Entry> takeAll() {
    synchronized (ENTRIES) {
      List<Entry> all = new ArrayList<>(ENTRIES);
      ENTRIES.clear();
      heldBytes = 0;
      return all;
    }
  }

  /**
   * Without the lock: a logger may use arenas itself. Should it fail, the others go all the same.
   */
  private static void release(List<Entry> entries, BiConsumer<String, Throwable> report) {
    Error failure = null;
    for (Entry entry : entries) {
      try {
        for (CheckedArena.Block block : entry.blocks()) {
          long size = block.whole().byteSize();
          long at = CheckedArena.firstOther(block.whole(), 0, size, CheckedArena.POISON);
          if (at >= 0) {
            report.accept(message(block, at), entry.opened());
          }
        }
      } catch (Error e) {
        failure = failure == null ? e : failure;
      } finally {
        entry.memory().close();
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static void log(String message, Throwable opened) {
    try {
      System.getLogger("dev.arenal").log(System.Logger.Level.ERROR, message, opened);
    } catch (RuntimeException e) {
      System.err.println("dev.arenal: " + message + " (and the logger failed: " + e + ")");
    }
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
