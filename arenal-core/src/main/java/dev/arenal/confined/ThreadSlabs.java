package dev.arenal.confined;

import dev.arenal.guard.StackReserve;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * The slabs of one platform thread: a chain, the first of which is the one that is used nearly
 * always.
 */
final class ThreadSlabs {
  /**
   * Nested arenas of one thread that get a slab; the next one goes to the JDK. The same number as
   * in the JDK's own pool.
   */
  static final int MAX_COUNT_SLABS = 4;

  /**
   * The first slabs of recent threads by thread id: two loads instead of the search in a thread
   * local map, which costs as much as all the rest. Threads whose ids collide displace each other,
   * which costs them the search.
   */
  private static final Slab[] FIRST_SLABS = new Slab[1024];

  /**
   * Weakly: the registry has them, and what a thread of a server has in its locals keeps the class
   * loader of its class for as long as the thread lives.
   */
  private static final ThreadLocal<WeakReference<ThreadSlabs>> LOCAL = new ThreadLocal<>();

  private Slab first;

  ThreadSlabs(Slab first) {
    this.first = first;
  }

  /**
   * The slab that may be the first one of the thread. Read without order: {@link
   * Slab#isAvailablePlain} tells, since only the thread itself ever writes its id into a slab, and
   * ids are not used twice.
   */
  static @Nullable Slab firstRacy(long threadId) {
    return FIRST_SLABS[(int) threadId & (FIRST_SLABS.length - 1)];
  }

  /** An acquired slab of the current thread, made if there is none, or null. */
  static @Nullable Slab take(Thread thread) {
    long threadId = thread.threadId();
    WeakReference<ThreadSlabs> local = LOCAL.get();
    ThreadSlabs slabs = local == null ? null : local.get();
    if (slabs == null) {
      StackReserve.ensure();
      slabs = SlabRegistry.of(thread);
      LOCAL.set(new WeakReference<>(slabs));
    }
    int index = (int) threadId & (FIRST_SLABS.length - 1);
    if (FIRST_SLABS[index] != slabs.first) { // a nested arena comes here too: no needless writes
      FIRST_SLABS[index] = slabs.first;
    }
    return slabs.take(threadId);
  }

  private @Nullable Slab take(long threadId) {
    Slab slab = first;
    for (int i = 1; ; i++) {
      if (slab.isAvailablePlain(threadId)) {
        slab.acquirePlain(threadId);
        return slab;
      }
      if (slab.isEmptyPlain()) {
        StackReserve.ensure();
        slab.allocate(Pool.SLAB_BYTES, threadId);
        return slab;
      }
      if (slab.tryRecover()) {
        return slab;
      }
      if (i == MAX_COUNT_SLABS) {
        return null;
      }
      if (slab.next == null) {
        slab.next = new Slab();
      }
      slab = slab.next;
    }
  }

  Slab first() {
    return first;
  }

  /** Before the thread has used it: begins with the slab of another thread, which has ended. */
  void beginWith(Slab adopted) {
    first = adopted;
  }
}
