package dev.arenal.page;

import dev.arenal.guard.StackReserve;
import dev.arenal.guard.WatchMode;
import dev.arenal.stats.MemoryEvents;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of one allocator that are watched and open, or were lost: who holds what.
 *
 * <p>Refers to nothing of the allocator, which may be collected before them.
 */
final class BufferBirths {
  /** Of each place the first lost buffer is warned of; the others are counted. */
  private static final int MOST_PLACES_TOLD = 100;

  /** More than a reader looks at; buffers of other kinds are not counted then. */
  private static final int MOST_KINDS_LOST = 10_000;

  private final String allocator;
  private final WatchMode mode;
  private final BufferSampler sampler;
  private final Set<BufferBirth> open = ConcurrentHashMap.newKeySet();
  private final Map<OpenBuffers, LongAdder> lost = new ConcurrentHashMap<>();
  private final Set<StackTraceElement> told = ConcurrentHashMap.newKeySet();

  private BufferBirths(String allocator, WatchMode mode) {
    this.allocator = allocator;
    this.mode = mode;
    this.sampler = new BufferSampler(mode.period());
  }

  /** Null if none is watched. */
  static @Nullable BufferBirths of(String allocator, WatchMode mode) {
    return mode == WatchMode.OFF ? null : new BufferBirths(allocator, mode);
  }

  String allocator() {
    return allocator;
  }

  /** For how many buffers the next one stands; 0 if it is not watched. */
  int nextWeight() {
    return sampler.nextWeight();
  }

  /**
   * Watches a buffer that nobody else knows yet.
   *
   * @param weight for how many it stands
   * @return null where the Java heap or the stack is at its end: it is not watched then
   */
  @Nullable BufferBirth begin(PageBuffer buffer, PageAge age, int weight) {
    BufferBirth birth = null;
    boolean done = false;
    try {
      StackReserve.ensure(); // nothing ends in the middle of the books
      birth = BufferBirth.watch(buffer, this, age, weight);
      var _ = open.add(birth);
      birth.begin();
      done = true;
      return birth;
    } catch (StackOverflowError | OutOfMemoryError e) {
      return null;
    } finally {
      if (!done && birth != null) {
        birth.cancel();
      }
    }
  }

  void remove(BufferBirth birth) {
    var _ = open.remove(birth);
  }

  /** Called when the handle is gone: it is one of many from now on, and its stack can go. */
  void lost(BufferBirth birth) {
    OpenBuffers kind = kindOf(birth, true);
    if (lost.size() < MOST_KINDS_LOST || lost.containsKey(kind)) {
      lost.computeIfAbsent(kind, _ -> new LongAdder()).add(birth.weight);
    }
    remove(birth);
    MemoryEvents.bufferLost(
        allocator, birth.sizeBytes, birth.age.name(), birth.weight, birth.place().toString());
  }

  /** Whether no lost buffer of its place was warned of before. */
  boolean isNews(BufferBirth birth) {
    return told.size() < MOST_PLACES_TOLD && told.add(birth.place());
  }

  /** What a reader has to know about counts. */
  String howMany() {
    return mode == WatchMode.ALL
        ? "each buffer is watched"
        : "one buffer in " + mode.period() + " is watched, each with -Darenal.page.leaks=all";
  }

  /** Open and lost buffers by size, age and place; what has most bytes first. */
  List<OpenBuffers> groups() {
    Map<OpenBuffers, Long> counts = new HashMap<>();
    for (BufferBirth birth : open) {
      if (!birth.isOver) {
        var _ = counts.merge(kindOf(birth, false), (long) birth.weight, Long::sum);
      }
    }
    lost.forEach((kind, count) -> counts.put(kind, count.sum()));
    List<OpenBuffers> groups = new ArrayList<>();
    counts.forEach((kind, count) -> groups.add(kind.withCount(count)));
    groups.sort(
        Comparator.comparingLong(OpenBuffers::totalBytes)
            .reversed()
            .thenComparing(OpenBuffers::toString));
    return groups;
  }

  private OpenBuffers kindOf(BufferBirth birth, boolean isLost) {
    return new OpenBuffers(
        birth.sizeBytes, birth.age, birth.place(), isLost, mode != WatchMode.ALL, 0);
  }
}
