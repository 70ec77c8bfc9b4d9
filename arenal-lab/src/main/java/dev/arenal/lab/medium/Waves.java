package dev.arenal.lab.medium;

import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Buffers that are kept a while and die together, as in a heap with a collector: while one wave
 * fills, the one before is still alive, and whoever fills the last of a wave frees the one before
 * that.
 *
 * <p>Some survive and are copied, as a collector moves them to pages of old objects; of those the
 * oldest die when there are too many.
 */
final class Waves {
  private static final int ONE_SURVIVES_OF = 16;

  private final PageAllocator allocator;
  private final long waveBytes;
  private final long mostOldBytes;
  private final SplittableRandom random;

  // All guarded by this; buffers are freed outside, so that nobody waits for it.
  private List<PageBuffer> filling = new ArrayList<>();
  private List<PageBuffer> alive = new ArrayList<>();
  private long fillingBytes;
  private final Deque<PageBuffer> old = new ArrayDeque<>();
  private long oldBytes;

  Waves(PageAllocator allocator, long waveBytes, long mostOldBytes, long seed) {
    this.allocator = allocator;
    this.waveBytes = waveBytes;
    this.mostOldBytes = mostOldBytes;
    this.random = new SplittableRandom(seed);
  }

  /** Takes a buffer, and frees a wave if it is time. Any thread may call it. */
  void add(PageBuffer buffer) {
    List<PageBuffer> dead;
    synchronized (this) {
      filling.add(buffer);
      fillingBytes += buffer.sizeBytes();
      if (fillingBytes < waveBytes) {
        return;
      }
      dead = alive;
      alive = filling;
      filling = new ArrayList<>();
      fillingBytes = 0;
    }
    for (PageBuffer each : dead) {
      if (isSurvivor()) {
        promote(each);
      }
      each.close();
    }
  }

  /** Frees what is left. */
  void close() {
    List<PageBuffer> all = new ArrayList<>();
    synchronized (this) {
      all.addAll(filling);
      all.addAll(alive);
      all.addAll(old);
      filling.clear();
      alive.clear();
      old.clear();
    }
    all.forEach(PageBuffer::close);
  }

  private synchronized boolean isSurvivor() {
    return random.nextInt(ONE_SURVIVES_OF) == 0;
  }

  private void promote(PageBuffer buffer) {
    PageBuffer copy = allocator.tryAllocate(buffer.sizeBytes(), PageAge.LONG_LIVED);
    if (copy == null) {
      // Nowhere to go: it dies with the others.
      return;
    }
    copy.segment().copyFrom(buffer.segment());
    List<PageBuffer> dead = new ArrayList<>();
    synchronized (this) {
      old.addLast(copy);
      oldBytes += copy.sizeBytes();
      while (oldBytes > mostOldBytes) {
        PageBuffer oldest = old.removeFirst();
        oldBytes -= oldest.sizeBytes();
        dead.add(oldest);
      }
    }
    dead.forEach(PageBuffer::close);
  }
}
