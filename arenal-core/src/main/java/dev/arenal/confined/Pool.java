package dev.arenal.confined;

import dev.arenal.guard.StackReserve;
import dev.arenal.os.NativeMemory;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Where an arena gets its slab from, and what the program's settings say about it. */
final class Pool {
  /** Read once: the JIT compiler treats these as constants. */
  static final int SLAB_BYTES;

  static final boolean IS_CHECKED;

  private static final int PROBES = 4;
  private static final long SMALLEST_PAGE_BYTES = 4096;

  /** The complaint about the settings; null if there is none, or if it has been told. */
  private static final AtomicReference<@Nullable String> COMPLAINT = new AtomicReference<>();

  // Run by FirstUse, in a thread of its own.
  static {
    PoolSettings settings = PoolSettings.parse(System.getProperty(PoolSettings.SIZE_PROPERTY));
    COMPLAINT.set(settings.complaint());
    if (Boolean.getBoolean(CheckedArena.PROPERTY)) {
      IS_CHECKED = isAllowed();
      SLAB_BYTES = 0;
    } else {
      IS_CHECKED = false;
      SLAB_BYTES = settings.slabSizeBytes() == 0 || !isPossible() ? 0 : settings.slabSizeBytes();
    }
    if (IS_CHECKED) {
      Quarantine.prepare();
    }
  }

  /**
   * Whether a pool can work here; says so if not. Initialises what a first allocation needs: where
   * memory or stack end in the middle of that, programs go on without a pool instead of failing.
   */
  private static boolean isPossible() {
    try {
      NativeMemory.checkAllowed();
      NativeMemory.prepare();
      StackReserve.ensure();
      return ThreadSlabs.firstRacy(0) == null && !wantsWholePages();
    } catch (IllegalCallerException e) {
      complain("confined arenas are not pooled: " + e.getMessage());
    } catch (Throwable e) {
      complain("confined arenas are not pooled: " + e);
    }
    return false;
  }

  /**
   * Whether the program runs with {@code -Dsun.nio.PageAlignDirectMemory=true}: each allocation
   * then starts on a page, which a pool cannot give. There is no supported way to ask, so this
   * looks.
   */
  static boolean wantsWholePages() {
    try (Arena arena = Arena.ofConfined()) {
      for (int i = 0; i < PROBES; i++) {
        // By chance: one in 256 to the power of the number of probes.
        if (arena.allocate(PooledArena.BLOCK_BYTES).address() % SMALLEST_PAGE_BYTES != 0) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isAllowed() {
    try {
      NativeMemory.checkAllowed();
      return true;
    } catch (IllegalCallerException e) {
      complain("confined arenas are not checked: " + e.getMessage());
      return false;
    }
  }

  private static void complain(String more) {
    String known = COMPLAINT.get();
    COMPLAINT.set(known == null ? more : known + "; " + more);
  }

  /**
   * Logs what is wrong, once; not where the class is initialized, since a logger is the program's
   * code, which may want an arena.
   *
   * @return false if the stack is at its end, where a logger could not be made: to be told later
   */
  static boolean tellComplaint() {
    String told = COMPLAINT.get();
    if (told == null) {
      return true;
    }
    if (!StackReserve.isThere()) {
      return false;
    }
    if (COMPLAINT.compareAndSet(told, null)) {
      try {
        System.getLogger("dev.arenal").log(System.Logger.Level.WARNING, told);
      } catch (Throwable e) { // nothing to warn with is no reason to be unusable
        Thread.onSpinWait();
      }
    }
    return true;
  }

  private Pool() {}

  /** An acquired slab for an arena of the current thread, or null. */
  static @Nullable Slab take(Thread thread) {
    long threadId = thread.threadId();
    Slab slab = ThreadSlabs.firstRacy(threadId);
    if (slab != null && slab.isAvailablePlain(threadId)) {
      slab.acquirePlain(threadId);
      return slab;
    }
    return takeOther(thread);
  }

  private static @Nullable Slab takeOther(Thread thread) {
    try {
      return thread.isVirtual() ? SharedSlots.take(thread.threadId()) : ThreadSlabs.take(thread);
    } catch (OutOfMemoryError | StackOverflowError | LinkageError e) {
      // The regular path asks once more, and says so if there is no memory; it needs less stack. A
      // class that could not be initialised, for want of memory or stack, never can again.
      return null;
    }
  }
}
