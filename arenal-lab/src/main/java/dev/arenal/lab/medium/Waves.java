package dev.arenal.lab.medium;

import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Buffers that are kept a while and die together, as in a heap with a collector: while one wave
 * fills, the one before is still alive, and the one before that is freed by all threads, some
 * buffers each time they come. So a thread that the scheduler stops in the middle holds up no other
 * thread.
 *
 * <p>Some survive and are copied, as a collector moves them to pages of old objects; of those the
 * oldest die when there are too many.
 */
final class Waves {
  private static final int ONE_SURVIVES_OF = 16;

  /** A wave is freed in a quarter of the time in which the next one fills. */
  private static final int FREED_PER_BUFFER = 4;

  private final PageAllocator allocator;
  private final long waveBytes;
  private final long mostOldBytes;
  private final SplittableRandom random;

  // All guarded by this; buffers are freed outside, so that no thread waits for it.
  private List<PageBuffer> filling = new ArrayList<>();
  private List<PageBuffer> alive = new ArrayList<>();
  private long fillingBytes;
  private final Deque<PageBuffer> dead = new ArrayDeque<>();
  private final Deque<PageBuffer> old = new ArrayDeque<>();
  private long oldBytes;

  Waves(PageAllocator allocator, long waveBytes, long mostOldBytes, long seed) {
    this.allocator = allocator;
    this.waveBytes = waveBytes;
    this.mostOldBytes = mostOldBytes;
    this.random = new SplittableRandom(seed);
  }

  /** Takes a buffer, and frees some that are dead. Any thread may call it. */
  void add(PageBuffer buffer) {
    List<PageBuffer> mine = new ArrayList<>();
    List<PageBuffer> survivors = new ArrayList<>();
    synchronized (this) {
      filling.add(buffer);
      fillingBytes += buffer.sizeBytes();
      if (fillingBytes >= waveBytes) {
        dead.addAll(alive);
        alive = filling;
        filling = new ArrayList<>();
        fillingBytes = 0;
      }
      for (int i = 0; i < FREED_PER_BUFFER && !dead.isEmpty(); i++) {
        (random.nextInt(ONE_SURVIVES_OF) == 0 ? survivors : mine).add(dead.removeFirst());
      }
    }
    survivors.forEach(this::promote);
    survivors.forEach(PageBuffer::close);
    mine.forEach(PageBuffer::close);
  }

  /** Frees what is left, when no thread comes any more. */
  synchronized void close() {
    for (Collection<PageBuffer> buffers : List.of(filling, alive, dead, old)) {
      buffers.forEach(PageBuffer::close);
      buffers.clear();
    }
  }

  private void promote(PageBuffer buffer) {
    PageBuffer copy = allocator.tryAllocate(buffer.sizeBytes(), PageAge.LONG_LIVED);
    if (copy == null) {
      // Nowhere to go: it dies with the others.
      return;
    }
    copy.segment().copyFrom(buffer.segment());
    List<PageBuffer> tooMany = new ArrayList<>();
    synchronized (this) {
      old.addLast(copy);
      oldBytes += copy.sizeBytes();
      while (oldBytes > mostOldBytes) {
        PageBuffer oldest = old.removeFirst();
        oldBytes -= oldest.sizeBytes();
        tooMany.add(oldest);
      }
    }
    tooMany.forEach(PageBuffer::close);
  }
}
