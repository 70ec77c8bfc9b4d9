package dev.arenal.page;

import static dev.arenal.page.Allocators.check;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The knowledge of a naive program about its buffers: those that are open, their places and
 * contents, and the sum of their sizes. Of a buffer on its way only the place is known, so that
 * several threads may use it.
 */
final class BufferOracle {
  private final List<Held> open = new ArrayList<>();
  private final TreeMap<Long, Held> byAddress = new TreeMap<>();
  private long usedBytes;
  private int markCount;

  record Held(PageBuffer buffer, MemorySegment segment, int mark) {
    void checkContents() {
      long at = Noise.mismatch(segment, mark);
      check(at < 0, () -> "contents are gone: at=" + at + ", " + buffer);
    }
  }

  /** A new buffer: it must not lie where another one is. */
  synchronized Held claim(PageBuffer buffer, MemorySegment segment) {
    Held held = new Held(buffer, segment, markCount++);
    usedBytes += buffer.sizeBytes();
    long address = segment.address();
    if (buffer.sizeBytes() > 0) {
      Map.Entry<Long, Held> below = byAddress.lowerEntry(address + buffer.sizeBytes());
      boolean isApart =
          below == null || below.getKey() + below.getValue().buffer.sizeBytes() <= address;
      check(isApart, () -> "buffers overlap: " + buffer + ", " + below);
      byAddress.put(address, held);
    }
    return held;
  }

  /** It has contents now, and any thread may take it. */
  synchronized void publish(Held held) {
    open.add(held);
  }

  /** One that no other thread gets meanwhile, to be published again or forgotten. */
  synchronized @Nullable Held take(int which) {
    return open.isEmpty() ? null : open.remove(which % open.size());
  }

  /** The same for each of so many. */
  synchronized List<Held> takeEach(int every) {
    List<Held> taken = new ArrayList<>();
    for (int i = open.size() - 1; i >= 0; i--) {
      if (i % every == 0) {
        taken.add(open.remove(i));
      }
    }
    return taken;
  }

  /** It is about to be closed. */
  synchronized void forget(Held held) {
    byAddress.remove(held.segment.address(), held);
    usedBytes -= held.buffer.sizeBytes();
  }

  synchronized List<Held> open() {
    return List.copyOf(open);
  }

  synchronized long usedBytes() {
    return usedBytes;
  }
}
