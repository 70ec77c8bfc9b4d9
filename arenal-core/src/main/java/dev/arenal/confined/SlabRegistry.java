package dev.arenal.confined;

import dev.arenal.guard.DaemonThreads;
import java.lang.foreign.Arena;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The slabs of all platform threads, so that those of a thread that has ended are given back.
 *
 * <p>There is no supported way to be told of the end of a thread. So a thread that gets its first
 * slab looks for ended ones, takes over one slab and frees the others; it looks only if there are
 * twice as many entries as were left by the last look, which keeps the price of a look constant for
 * each thread. To free a slab is a handshake with all threads, some 0.7 ms where there are a
 * thousand: so one look frees a few, and the next thread goes on. Where no thread comes any more,
 * the garbage collector tells when the thread object is gone, perhaps late ({@link
 * DaemonThreads#cleaner}); but not if this class may go itself, since what is registered for the
 * end of a thread keeps the class loader for as long as that thread lives.
 *
 * <p>A slab that an arena still has when its thread ends stays as it is: no thread can close that
 * arena any more, but native code may use its memory, as with the JDK's.
 */
@SuppressWarnings("ReferenceEquality") // a slab is a number too, but which one it is matters
final class SlabRegistry {
  private static final int MIN_COUNT_TO_LOOK = 16;

  /** Slabs that a look frees, and up to those of one thread more. */
  private static final int MOST_FREED = 4;

  /** Guards the fields below and all operations on slabs of ended threads. */
  private static final Object LOCK = new Object();

  /** By thread id; a thread whose locals were cleared finds its slabs here. */
  private static final ConcurrentHashMap<Long, Entry> ENTRIES = new ConcurrentHashMap<>();

  /** Whether the class loader of this class is one that never goes. */
  private static final boolean STAYS = isOfTheJvm(SlabRegistry.class.getClassLoader());

  /**
   * Where this class may go: the slabs of arenas that can no longer be closed, until it goes.
   * Guarded by the lock.
   */
  private static final List<Slab> NEVER_CLOSED = new ArrayList<>();

  private static int lookAtCount = MIN_COUNT_TO_LOOK;

  /** Longer than a refusal takes that is not worth to be remembered. */
  private static final long SLOW_NANOS = 100_000_000;

  /** No slab gets memory for so long after a refusal that took long. */
  private static final long REFUSED_NANOS = 10_000_000_000L;

  /** The last refusal; racy, since any recent one will do. Written before the flag. */
  private static volatile long refusedNanos;

  private static volatile boolean isRefused;

  private record Entry(WeakReference<Thread> thread, ThreadSlabs slabs) {
    boolean hasEnded() {
      Thread alive = thread.get();
      return alive == null || !alive.isAlive();
    }
  }

  /** No lambda: linking one takes a tenth of the time of a program's first arena. */
  private record End(long threadId) implements Runnable {
    @Override
    public void run() {
      ended(threadId);
    }
  }

  private SlabRegistry() {}

  @SuppressWarnings("ReferenceEquality") // the very loader is meant
  private static boolean isOfTheJvm(@Nullable ClassLoader loader) {
    ClassLoader each = ClassLoader.getSystemClassLoader();
    while (each != null && each != loader) {
      each = each.getParent();
    }
    return each == loader;
  }

  /**
   * Memory for a slab. Where this class may go, that of what is left goes with it; otherwise a
   * thread that notices the end of the slab's thread closes the arena.
   */
  static Arena newMemory() {
    if (STAYS) {
      return Arena.ofShared();
    }
    if (isRefusedNow()) {
      throw new OutOfMemoryError("no slab: direct memory has just been refused");
    }
    return Arena.ofAuto();
  }

  /** Whether memory has just been refused, so that none is asked for. */
  static boolean isRefusedNow() {
    return isRefused && System.nanoTime() - refusedNanos < REFUSED_NANOS;
  }

  /**
   * Notes that there was none, if that has taken long: memory that the collector frees counts as
   * direct memory, and the JDK tries for half a second to find some of it.
   */
  static void noteRefusal(long startNanos) {
    if (!STAYS && System.nanoTime() - startNanos > SLOW_NANOS) {
      refusedNanos = System.nanoTime();
      isRefused = true;
    }
  }

  /** Undoes {@link #newMemory}; may be called again if it fails. */
  static void release(Arena memory) {
    if (STAYS && memory.scope().isAlive()) {
      memory.close();
    }
  }

  /** The slabs of the current thread; new ones, perhaps with the memory of an ended thread. */
  static ThreadSlabs of(Thread thread) {
    long threadId = thread.threadId();
    Entry known = ENTRIES.get(threadId);
    if (known != null) {
      return known.slabs();
    }
    synchronized (LOCK) {
      // The Java heap first: if it is full, nothing has been taken from another thread.
      ThreadSlabs slabs = new ThreadSlabs(new Slab());
      if (STAYS) {
        var _ = DaemonThreads.cleaner().register(thread, new End(threadId));
      }
      ENTRIES.put(threadId, new Entry(new WeakReference<>(thread), slabs));
      if (ENTRIES.size() > lookAtCount) {
        boolean isAll = giveBackAllButOne(slabs, threadId);
        int rest = ENTRIES.size() - 1;
        lookAtCount = isAll ? Math.max(2 * rest, MIN_COUNT_TO_LOOK) : rest;
      }
      return slabs;
    }
  }

  /** The slabs of a thread, or null if it has none, for tests. */
  static @Nullable ThreadSlabs find(long threadId) {
    Entry entry = ENTRIES.get(threadId);
    return entry == null ? null : entry.slabs();
  }

  /** How many threads are known, ended ones among them, for tests. */
  static int threadCount() {
    return ENTRIES.size();
  }

  /** Called when the object of the thread is unreachable: it has ended. */
  private static void ended(long threadId) {
    synchronized (LOCK) {
      Entry entry = ENTRIES.get(threadId);
      if (entry != null) {
        var _ = freeAll(entry.slabs(), null); // should it fail, the next look finds the entry
        ENTRIES.remove(threadId);
        lookAtCount = Math.max(Math.min(lookAtCount, 2 * ENTRIES.size()), MIN_COUNT_TO_LOOK);
      }
    }
  }

  /** Returns how many there were. */
  private static int freeAll(ThreadSlabs slabs, @Nullable Slab kept) {
    int count = 0;
    for (Slab slab = slabs.first(); slab != null; slab = slab.next) {
      if (slab != kept) {
        slab.free();
        count++;
      }
    }
    return count;
  }

  /**
   * A step that fails leaves an entry whole, for the next look.
   *
   * @return false if there may be more
   */
  private static boolean giveBackAllButOne(ThreadSlabs heir, long threadId) {
    boolean isServed = false;
    int freedCount = 0;
    for (Iterator<Entry> entries = ENTRIES.values().iterator(); entries.hasNext(); ) {
      Entry entry = entries.next();
      if (entry.hasEnded()) {
        if (freedCount >= MOST_FREED) {
          return false;
        }
        Slab kept = isServed ? null : available(entry.slabs());
        if (!STAYS) {
          keepWhatIsNeverClosed(entry.slabs());
        }
        freedCount += freeAll(entry.slabs(), kept);
        entries.remove();
        if (kept != null) {
          kept.next = null;
          kept.adoptPlain(threadId);
          heir.beginWith(kept);
          isServed = true;
        }
      }
    }
    return true;
  }

  private static void keepWhatIsNeverClosed(ThreadSlabs slabs) {
    for (Slab slab = slabs.first(); slab != null; slab = slab.next) {
      if (!slab.isAvailable() && slab.hasMemory()) {
        NEVER_CLOSED.add(slab);
      }
    }
  }

  private static @Nullable Slab available(ThreadSlabs slabs) {
    Slab slab = slabs.first();
    while (slab != null && !slab.isAvailable()) {
      slab = slab.next;
    }
    return slab;
  }
}
