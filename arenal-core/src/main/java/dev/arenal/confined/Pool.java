package dev.arenal.confined;

import org.jspecify.annotations.Nullable;

/** Where an arena gets its slab from, and what the program's settings say about it. */
final class Pool {
  /** Read once: the JIT compiler treats these as constants. */
  static final int SLAB_BYTES;

  static final boolean IS_CHECKED = Boolean.getBoolean(CheckedArena.PROPERTY);

  static {
    PoolSettings settings = PoolSettings.parse(System.getProperty(PoolSettings.SIZE_PROPERTY));
    if (settings.complaint() != null) {
      System.getLogger("dev.arenal").log(System.Logger.Level.WARNING, settings.complaint());
    }
    SLAB_BYTES = PageAlignment.isAskedFor() ? 0 : settings.slabSizeBytes();
  }

  private Pool() {}

  /** An acquired slab for an arena of the current thread, or null. */
  static @Nullable Slab take(Thread thread) {
    long threadId = thread.threadId();
    Slab slab = ThreadSlabs.recentRacy(threadId);
    if (slab != null && slab.isAvailablePlain(threadId)) {
      slab.acquirePlain(threadId);
      return slab;
    }
    return takeOther(thread);
  }

  private static @Nullable Slab takeOther(Thread thread) {
    try {
      return thread.isVirtual() ? SharedSlots.take(thread.threadId()) : ThreadSlabs.take(thread);
    } catch (OutOfMemoryError e) {
      return null; // the regular path asks once more, and says so if there is none
    }
  }
}
