package dev.arenal.page;

import dev.arenal.guard.BirthStack;
import dev.arenal.guard.StackReserve;
import dev.arenal.guard.WatchMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of one allocator that are watched and open, or were lost, with their places.
 *
 * <p>Refers to nothing of the allocator, which may be collected before them.
 */
final class BufferBirths {
  /** One in 128, as Netty does it. */
  private static final int SAMPLE_LOG = 7;

  /** Of each place the first lost buffer is warned of; the others are counted. */
  private static final int MOST_PLACES_TOLD = 100;

  /** More than a reader looks at; other lost buffers are not counted then. */
  private static final int MOST_GROUPS_LOST = 10_000;

  /** Stacks that stay are settled after a second, within about a tenth of one. */
  private static final long SETTLE_NANOS = 1_000_000_000;

  private static final int MOST_SETTLED = 5_000;
  private static final int MOST_STACKS_KNOWN = 1_000;

  final String allocator;
  private final WatchMode mode;
  private final Set<String> users;

  /** Of buffers that may be at hand; also for racks, each of which counts for itself. */
  final BufferSampler small;

  /** Of larger ones, which take longer than a stack: each, as long as they are not many. */
  private final BufferSampler large;

  private final Set<BufferBirth> open = ConcurrentHashMap.newKeySet();

  /** Guarded by its monitor. */
  private final Map<Kind, Sum> lost = new HashMap<>();

  /** Guarded by its monitor. */
  private final Map<List<StackTraceElement>, List<StackTraceElement>> stacks = new HashMap<>();

  /** By the thread of the cleaner. */
  private final Set<StackTraceElement> told = ConcurrentHashMap.newKeySet();

  /** Guarded by the monitor of {@link #stacks}. */
  private long settledNanos = System.nanoTime();

  /**
   * Of none yet.
   *
   * @param users those that take buffers for others, now and later
   */
  BufferBirths(String allocator, WatchMode mode, Set<String> users) {
    this.allocator = allocator;
    this.mode = mode;
    this.users = users;
    this.small = new BufferSampler(mode, SAMPLE_LOG, System.nanoTime());
    this.large = new BufferSampler(mode, 0, System.nanoTime());
  }

  /** The mark of a buffer that comes from a heap; 0 if it is not watched. */
  int nextMark(long sizeBytes) {
    return (sizeBytes > Racks.LARGEST_BYTES ? large : small).nextMark();
  }

  /**
   * Watches a buffer that no other thread knows yet.
   *
   * @return null where the Java heap or the stack is at its end: it is not watched then
   */
  @Nullable BufferBirth begin(PageBuffer buffer, PageAge age, int mark) {
    BufferBirth birth = null;
    boolean done = false;
    try {
      StackReserve.ensure(); // nothing ends in the middle of the books
      int weight = BufferSampler.weight(mark);
      birth = new BufferBirth(this, buffer.sizeBytes, age, weight, BirthStack.take());
      var _ = open.add(birth);
      birth.watch(buffer);
      done = true;
      return birth;
    } catch (StackOverflowError | OutOfMemoryError e) {
      return null;
    } finally {
      if (!done && birth != null) {
        remove(birth);
      }
    }
  }

  /**
   * The birth of a buffer of a confined arena: the same, if the Java heap is full, and then its
   * loss goes unnoticed. Called by the thread of the arena, with enough of the stack.
   */
  BufferBirth moved(BufferBirth birth, PageArena arena) {
    BufferBirth moved = null;
    boolean done = false;
    try {
      moved = new BufferBirth(birth, Thread.currentThread());
      var _ = open.add(moved);
      moved.watch(arena);
      done = true;
    } catch (OutOfMemoryError e) {
      return birth;
    } finally {
      if (!done && moved != null) {
        remove(moved);
      }
    }
    birth.end();
    return moved;
  }

  void remove(BufferBirth birth) {
    var _ = open.remove(birth);
  }

  /** The handle is gone: it is one of many from now on, and its stack can go. */
  void countLost(BufferBirth birth) {
    Kind kind = kindOf(birth, true);
    synchronized (lost) {
      if (lost.size() < MOST_GROUPS_LOST || lost.containsKey(kind)) {
        lost.computeIfAbsent(kind, _ -> new Sum()).add(birth);
      }
    }
  }

  /** Whether no lost buffer of that place was warned of before. */
  boolean isNews(StackTraceElement place) {
    return told.size() < MOST_PLACES_TOLD && told.add(place);
  }

  /** That of the first lost buffer of a place. */
  String warning(BufferBirth birth) {
    return "buffer was never closed: allocator="
        + allocator
        + (users.isEmpty() ? "" : ", users=" + users)
        + ", sizeBytes="
        + birth.sizeBytes
        + ", age="
        + birth.age
        + ", place="
        + birth.stack.place()
        + " (its memory stays, since its address may be held; close it where it was last used;"
        + (mode == WatchMode.ALL
            ? " others of that place are counted in openBuffers)"
            : " others of that place are counted in openBuffers, each with"
                + " -Darenal.leaks=all)");
  }

  /** Has stacks that stay refer to no class any more; regular work, of one thread at a time. */
  void settle(long nowNanos) {
    synchronized (stacks) {
      if (nowNanos - settledNanos < SETTLE_NANOS) {
        return;
      }
      settledNanos = nowNanos;
      int count = 0;
      for (BufferBirth birth : open) {
        if (!birth.stack.isSettled() && nowNanos - birth.bornNanos >= SETTLE_NANOS) {
          birth.stack.settle(stacks);
          if (++count == MOST_SETTLED) {
            return;
          }
        }
      }
      if (stacks.size() > MOST_STACKS_KNOWN) {
        stacks.clear();
      }
    }
  }

  /**
   * As {@link #groups}; none where the Java heap or the stack ends, since an error is under way.
   */
  List<OpenBuffers> groupsForMessage() {
    try {
      return groups();
    } catch (OutOfMemoryError | StackOverflowError e) {
      return List.of();
    }
  }

  /** Open and lost buffers by size, age and place; largest sum of bytes first. */
  List<OpenBuffers> groups() {
    Map<Kind, Sum> sums = new HashMap<>();
    for (BufferBirth birth : open) {
      if (birth.isOver) { // closed at the end of a stack
        birth.end();
      } else {
        sums.computeIfAbsent(kindOf(birth, false), _ -> new Sum()).add(birth);
      }
    }
    long nowNanos = System.nanoTime();
    List<OpenBuffers> groups = new ArrayList<>();
    sums.forEach((kind, sum) -> groups.add(sum.group(kind, nowNanos)));
    synchronized (lost) {
      lost.forEach((kind, sum) -> groups.add(sum.group(kind, nowNanos)));
    }
    groups.sort(
        Comparator.comparingLong(OpenBuffers::totalBytes)
            .reversed()
            .thenComparing(OpenBuffers::toString));
    return List.copyOf(groups);
  }

  private static Kind kindOf(BufferBirth birth, boolean isLost) {
    return new Kind(birth.sizeBytes, birth.age, birth.stack.place(), isLost, birth.hasEnded());
  }

  /** The common properties of the buffers of a group. */
  private record Kind(
      long sizeBytes, PageAge age, StackTraceElement place, boolean isLost, boolean isEnded) {}

  /** The others of it. */
  private static final class Sum {
    private long count;
    private long firstNanos;
    private boolean isEstimated;

    void add(BufferBirth birth) {
      firstNanos = count == 0 || birth.bornNanos - firstNanos < 0 ? birth.bornNanos : firstNanos;
      count += birth.weight;
      isEstimated |= birth.weight != 1;
    }

    OpenBuffers group(Kind kind, long nowNanos) {
      return new OpenBuffers(
          kind.sizeBytes,
          kind.age,
          kind.place,
          kind.isLost,
          kind.isEnded,
          isEstimated,
          count,
          Duration.ofNanos(Math.max(0, nowNanos - firstNanos)));
    }
  }
}
