package dev.arenal.page;

import dev.arenal.os.CarrierLock;
import org.jspecify.annotations.Nullable;

/**
 * The confined arenas of one allocator that have buffers, in a few lists, so that threads do not
 * wait for each other. An arena is in the list of its thread from its first buffer to its close.
 *
 * <p><b>Threading:</b> any thread. Each list has a lock, after which nothing is taken.
 */
final class ConfinedArenas {
  /** A power of two. */
  private static final int LISTS = 16;

  /** Guarded by itself: a close takes it with other locks held. */
  static final class Head extends CarrierLock {
    private static final long serialVersionUID = 1;

    transient @Nullable ArenaBuffers first;
  }

  final Head[] heads = new Head[LISTS];

  ConfinedArenas() {
    for (int i = 0; i < LISTS; i++) {
      heads[i] = new Head();
    }
  }

  private Head headOf(ArenaBuffers buffers) {
    return heads[(int) buffers.number() & (LISTS - 1)];
  }

  /** An arena gets its first buffer. */
  void add(ArenaBuffers buffers) {
    Head head = headOf(buffers);
    head.lock();
    try {
      ArenaBuffers first = head.first;
      buffers.next = first;
      if (first != null) {
        first.previous = buffers;
      }
      head.first = buffers;
      buffers.isListed = true;
    } finally {
      head.unlock();
    }
  }

  /** An arena is closed; no effect if it has had no buffer. */
  void remove(ArenaBuffers buffers) {
    if (!buffers.isListed) { // written by this thread, or before it has found these
      return;
    }
    Head head = headOf(buffers);
    head.lock();
    try {
      ArenaBuffers previous = buffers.previous;
      ArenaBuffers next = buffers.next;
      if (previous == null) {
        head.first = next;
      } else {
        previous.next = next;
      }
      if (next != null) {
        next.previous = previous;
      }
      buffers.previous = null;
      buffers.next = null;
      buffers.isListed = false;
    } finally {
      head.unlock();
    }
  }

  /** Bytes of the buffers of arenas whose threads have ended. */
  long endedBytes() {
    long sizeBytes = 0;
    for (Head head : heads) {
      head.lock();
      try {
        for (ArenaBuffers at = head.first; at != null; at = at.next) {
          sizeBytes += at.hasEnded() ? at.sizeBytes() : 0;
        }
      } finally {
        head.unlock();
      }
    }
    return sizeBytes;
  }

  /** Closes the buffers of these; by one thread at a time. */
  void closeEnded() {
    for (Head head : heads) {
      for (ArenaBuffers at = firstEnded(head); at != null; at = firstEnded(head)) {
        at.close();
        remove(at);
      }
    }
  }

  private static @Nullable ArenaBuffers firstEnded(Head head) {
    head.lock();
    try {
      ArenaBuffers at = head.first;
      while (at != null && !at.hasEnded()) {
        at = at.next;
      }
      return at;
    } finally {
      head.unlock();
    }
  }
}
