package dev.arenal.page;

import static java.util.Objects.requireNonNull;

import dev.arenal.guard.WatchMode;
import dev.arenal.page.span.SearchDepth;
import dev.arenal.page.span.SpanTable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The one supply that all states of a stress test share, and heaps of their own over it. Their
 * pages are addresses: the memory is never touched, there is not enough for all states.
 */
final class StressPages {
  static final long MIB = 1 << 20;
  static final int SIZE_BYTES = 64;

  /** That of this size in a rack. */
  static final int INDEX = 3;

  /** Of which a rack asks its limit only: one for each state would fill the Java heap. */
  private static final Racks RACKS = new Racks(new SpanTable(), false, noSampler(), 1 << 30, 4);

  /** Held here: an unreachable allocator is given back. */
  private static final PageAllocator SYNCHRONIZED = open(true);

  private static final PageAllocator UNSYNCHRONIZED = open(false);

  private static long undosSeen;

  private StressPages() {}

  /** Watches nothing. */
  static BufferSampler noSampler() {
    return new BufferSampler(WatchMode.OFF, 0, 0);
  }

  private static PageAllocator open(boolean isSynchronized) {
    return PageAllocator.builder("stress")
        .capacityBytes(256L << 30)
        .uncommitDelay(Duration.ofDays(1))
        .refillExperiment(isSynchronized)
        .build();
  }

  private static PageContext context(PageAllocator pages) {
    return pages.state().heaps.getFirst().context;
  }

  static SmallHeap smallHeap() {
    return new SmallHeap(context(SYNCHRONIZED), 0, 0);
  }

  /** A buffer of {@link #SIZE_BYTES}. */
  static PageBuffer allocate(SmallHeap heap) {
    heap.lock.lock();
    try {
      return requireNonNull(heap.allocate(SIZE_BYTES, 1, SearchDepth.NEW_PAGE));
    } finally {
      heap.lock.unlock();
    }
  }

  /** A rack for such buffers of a heap. */
  static Rack rack(SmallHeap heap) {
    Rack rack = new Rack(RACKS, heap.context.spans(), false, noSampler(), INDEX + 1);
    rack.make(INDEX, true, SIZE_BYTES);
    return rack;
  }

  /** Puts a buffer there, with the lock. */
  static void put(Rack rack, PageBuffer buffer) {
    rack.lockWaiting();
    if (!rack.put(buffer, false)) {
      throw new AssertionError("no room in the rack");
    }
  }

  /** Takes a buffer, with the lock. */
  static @Nullable PageBuffer take(Rack rack, SmallHeap heap) {
    rack.lockWaiting();
    PageBuffer taken = takeWithoutTheLock(rack, heap);
    if (taken == null) {
      rack.lock = 0;
    }
    return taken;
  }

  static @Nullable PageBuffer takeWithoutTheLock(Rack rack, SmallHeap heap) {
    return rack.take(heap.context, INDEX, SIZE_BYTES, 1);
  }

  /** Heaps of one age, with one stripe and without medium pages. */
  static AgeHeaps heaps() {
    return new AgeHeaps(context(SYNCHRONIZED), 0, 64 * MIB, 0);
  }

  /**
   * Takes the memory of buffers back to their heap, whatever has it, and their page to the supply:
   * states that keep theirs fill the Java heap.
   */
  static void takeBack(SmallHeap heap, PageBuffer... buffers) {
    heap.lock.lock();
    try {
      for (PageBuffer buffer : buffers) {
        heap.takeBack(buffer.span(), Magazine.from(buffer.piece), Magazine.count(buffer.piece));
      }
    } finally {
      heap.lock.unlock();
    }
    heap.giveBackSpares();
  }

  /**
   * A medium heap without a page yet.
   *
   * @param pageBytes size of its pages at most
   */
  static MediumHeap mediumHeap(long pageBytes, boolean isSynchronized) {
    return new MediumHeap(context(isSynchronized ? SYNCHRONIZED : UNSYNCHRONIZED), 0, 0, pageBytes);
  }

  /**
   * Whether a page was undone since the last question, whichever state it was for: 1 or 0. Not
   * exact for one state where several threads ask, but where it is never to happen it is.
   */
  static synchronized int undone(MediumHeap heap) {
    long now = heap.supply.statistics().undos.get();
    int result = now > undosSeen ? 1 : 0;
    undosSeen = now;
    return result;
  }
}
