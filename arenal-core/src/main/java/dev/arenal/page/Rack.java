package dev.arenal.page;

import static java.util.Objects.requireNonNull;

import dev.arenal.guard.StackReserve;
import dev.arenal.guard.WatchMode;
import dev.arenal.os.CarrierLock;
import dev.arenal.os.NativeMemory;
import dev.arenal.page.span.SizeClasses;
import dev.arenal.page.span.Span;
import dev.arenal.page.span.SpanTable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Magazines of all sizes and ages for the threads that come here, one at a time, behind a lock that
 * is tried and not waited for.
 *
 * <p>Whatever changes it, but a count of refusals, does so after its last call, so that the end of
 * the stack, or a full Java heap, finds it as it was or done.
 */
final class Rack {
  private static final VarHandle LOCK;

  static {
    try {
      LOCK = MethodHandles.lookup().findVarHandle(Rack.class, "lock", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Of a range a thirty-second part, and not more, is left unused. */
  private static final int MOST_WASTE_SHIFT = 5;

  /** Words before the first bit, and behind the last one. */
  private static final int GAP = 16;

  /** Of the limit: a refill of more would push out what others want. */
  private static final int REFILL_PARTS = 64;

  /** Of the limit: magazines with less are left in peace while others have more. */
  private static final int SPARED_PARTS = 128;

  /** Of the limit: a larger range would push out many buffers of other sizes. */
  private static final int PUSHING_PARTS = 32;

  /**
   * One of so many does push them out: the sizes that a program frees may have changed. Odd, so
   * that a program that frees sizes in turn does not always have the same one pushed.
   */
  private static final int PUSHING_TURNS = 17;

  private static final int SPINS = 100;
  private static final long PARK_NANOS = 50_000;

  private final Racks racks;
  private final SpanTable table;
  private final boolean isZeroed;
  private final BufferSampler sampler;

  /**
   * A bit for each magazine that may have something: one that has none may be marked. Nothing that
   * another rack writes is in its cache lines.
   */
  private final long[] filled;

  /** By age and size; made at the first request, so that a free needs no Java heap. */
  private final @Nullable Magazine[] magazines;

  // The fields that follow are written all the time, and nothing that another rack needs is in
  // their cache lines. HotSpot puts longs in their order; an int among them would go before all.
  @SuppressWarnings("unused")
  private long pad0, pad1, pad2, pad3, pad4, pad5, pad6, pad7;

  /**
   * 1 while a thread has it, which writes 0 in the end: here, to do so without a call. At the end
   * of the stack that of the shortest method may fail, and the lock would be kept.
   */
  volatile long lock;

  /** Memory in its magazines. */
  long cachedBytes;

  /**
   * Of open buffers that came from here, less those that went here. Written under the lock, whole:
   * platforms that write a long in halves are not supported.
   */
  long usedBytes;

  long allocatedBytes;

  /** Which request is watched next; a draw of the sampler. */
  private long draw;

  /** Large ranges that found no room since the last one that made others give way. */
  private long withoutRoomCount;

  @SuppressWarnings("unused")
  private long pad8, pad9, pad10, pad11, pad12, pad13, pad14, pad15;

  /** The magazine that was emptied last to make room. */
  private int hand;

  Rack(Racks racks, SpanTable table, boolean isZeroed, BufferSampler sampler, int magazineCount) {
    this.racks = racks;
    this.table = table;
    this.isZeroed = isZeroed;
    this.sampler = sampler;
    this.draw = sampler.draw();
    this.magazines = new @Nullable Magazine[magazineCount];
    this.filled = new long[GAP + ((magazineCount + 63) >>> 6) + GAP];
  }

  // ---- the lock ----

  boolean tryLock() {
    return lock == 0 && LOCK.compareAndSet(this, 0L, 1L);
  }

  /**
   * With a lock held: a virtual thread stays on its carrier for a while ({@link CarrierLock}). Not
   * interruptible; an interrupted thread would not be parked, nor leave its carrier then.
   */
  void lockWaiting() {
    boolean isInterrupted = false;
    long startNanos = System.nanoTime();
    try {
      for (int i = 0; !tryLock(); i++) {
        if (i < SPINS) {
          Thread.onSpinWait();
        } else if (CarrierLock.staysOnCarrier(startNanos)) {
          CarrierLock.sleepMoment();
        } else {
          isInterrupted |= Thread.interrupted();
          LockSupport.parkNanos(this, PARK_NANOS); // its thread may have lost the processor
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  // ---- buffers; the lock is held by the callers of all that follow ----

  /**
   * The last buffer of a magazine, or the last one that fits where they are ranges; unlocks then.
   * Else null.
   *
   * <p>The unlock is in here, and in {@link #put}, since a method for it might not be entered at
   * the end of the stack: a completed change would look incomplete.
   */
  @Nullable PageBuffer take(PageContext context, int index, long sizeBytes, long alignmentBytes) {
    Magazine magazine = magazines[index];
    if (magazine == null || magazine.count == 0) {
      return null;
    }
    int last = (int) magazine.count - 1;
    if (magazine.slotBytes == 0 && !hasLast(magazine, sizeBytes, alignmentBytes)) {
      return null;
    }
    long piece = magazine.entries[Magazine.FIRST + 2 * last];
    long address = magazine.entries[Magazine.FIRST + 2 * last + 1];
    long pieceBytes = magazine.slotBytes != 0 ? magazine.slotBytes : Magazine.rangeBytes(piece);
    boolean mustZero = isZeroed && !Magazine.isZero(piece);
    boolean isZeroedLater = mustZero && magazine.slotBytes == 0; // not under the lock
    if (mustZero && !isZeroedLater) {
      NativeMemory.zeroSlot(address, sizeBytes);
    }
    int toDo = isZeroedLater ? PageBuffer.ZERO : 0;
    long rest = 0;
    if (WatchMode.IS_ON) {
      rest = draw - BufferSampler.REQUEST;
      if (rest < 0) {
        toDo |= BufferSampler.mark(rest) << PageBuffer.MARK_SHIFT;
        rest = sampler.next();
      }
    }
    PageBuffer buffer = new PageBuffer(context, piece, index, address, sizeBytes, toDo);
    // No call from here on that may fail.
    magazine.count = last;
    if (last < magazine.lowest) {
      magazine.lowest = last;
    }
    cachedBytes -= pieceBytes;
    usedBytes += sizeBytes;
    allocatedBytes += sizeBytes;
    if (WatchMode.IS_ON) {
      draw = rest;
    }
    try {
      LOCK.setRelease(this, 0L);
    } catch (Throwable e) { // its first use wants Java heap
      lock = 0;
    }
    return buffer;
  }

  /** Moves the latest range that fits to the end, if there is one. */
  private boolean hasLast(Magazine magazine, long sizeBytes, long alignmentBytes) {
    long neededBytes = Racks.rangeBytes(sizeBytes);
    for (int i = (int) magazine.count - 1; i >= 0; i--) {
      long pieceBytes = Magazine.rangeBytes(magazine.piece(i));
      if (pieceBytes >= sizeBytes
          && pieceBytes - neededBytes <= pieceBytes >>> MOST_WASTE_SHIFT
          && (magazine.address(i) & (alignmentBytes - 1)) == 0) {
        magazine.moveToTheEnd(i);
        return true;
      }
    }
    return false;
  }

  private Span spanOf(long piece) {
    return requireNonNull(table.getRacy(Magazine.id(piece)));
  }

  /** Fills half a magazine with committed slots of a heap; false if there are none. */
  boolean refill(int index, AgeHeaps heaps, int sizeClass) {
    StackReserve.ensureShort(); // to slots that are committed the way is not far
    int slotBytes = SizeClasses.slotBytes(sizeClass);
    Magazine magazine = magazines[index];
    if (magazine == null) {
      return false;
    }
    long limitBytes = racks.limitBytes(); // once: it may fall meanwhile
    long wanted = Math.min(magazine.half(), Math.max(1, limitBytes / REFILL_PARTS / slotBytes));
    int most = (int) Math.min(wanted, limitBytes / slotBytes);
    if (most == 0) {
      return false;
    }
    long mostOthersBytes = limitBytes - (long) most * slotBytes;
    if (cachedBytes > mostOthersBytes) {
      StackReserve.ensure();
      if (!makeRoom(mostOthersBytes, false)) {
        return false;
      }
    }
    long before = magazine.count;
    try {
      heaps.takeCommitted(sizeClass, magazine, most);
    } finally { // also where a step after it fails
      cachedBytes += (magazine.count - before) * slotBytes;
      filled[GAP + (index >>> 6)] |= 1L << index;
    }
    return magazine.count > before;
  }

  /**
   * Fills a magazine that is empty with the latest slots of another rack, as many as a refill would
   * fetch: two threads that hand buffers to each other need no heap for that. Both locks are held.
   *
   * @return false if there is no room without emptying others
   */
  boolean moveFrom(Rack other, int index) {
    Magazine to = magazines[index];
    Magazine from = other.magazines[index];
    if (to == null || from == null || to.count != 0) {
      return false;
    }
    long slotBytes = to.slotBytes;
    long room = (racks.limitBytes() - cachedBytes) / slotBytes;
    int moved = (int) Math.min(room, Math.min(from.count, to.half()));
    if (moved <= 0) {
      return false;
    }
    // No call from here on that may fail.
    int rest = (int) from.count - moved;
    int at = Magazine.FIRST + 2 * rest;
    for (int i = Magazine.FIRST; i < Magazine.FIRST + 2 * moved; i++) {
      to.entries[i] = from.entries[at++];
    }
    filled[GAP + (index >>> 6)] |= 1L << index;
    to.count = moved;
    from.count = rest;
    if (rest < from.lowest) {
      from.lowest = rest;
    }
    cachedBytes += moved * slotBytes;
    other.cachedBytes -= moved * slotBytes;
    return true;
  }

  /** Whether there is a magazine; any thread. */
  boolean hasRacy(int index) {
    return magazines[index] != null;
  }

  /** How many there were in a magazine a moment ago; any thread. */
  int countRacy(int index) {
    Magazine magazine = magazines[index];
    return magazine == null ? 0 : (int) magazine.count;
  }

  /**
   * Makes a magazine, if there is none; under the lock of {@link Racks}. A thread that has the lock
   * sees it at once or later, empty.
   */
  void make(int index, boolean isOfSlots, long pieceBytes) {
    if (magazines[index] == null) {
      magazines[index] = new Magazine(isOfSlots, pieceBytes);
    }
  }

  /** Makes all magazines that another one has; the same. */
  void makeLike(Rack other) {
    for (int i = 0; i < magazines.length; i++) {
      Magazine magazine = other.magazines[i];
      if (magazine != null) {
        make(i, magazine.slotBytes != 0, magazine.pieceBytes);
      }
    }
  }

  /**
   * Keeps the memory of a closed buffer, and unlocks then.
   *
   * @param isEnsured whether the operation has ensured the stack: it may not be asked again then,
   *     from farther down, in the middle of it
   * @return false if it has no place here
   */
  boolean put(PageBuffer buffer, boolean isEnsured) {
    Magazine magazine = magazines[buffer.magazine];
    if (magazine == null) {
      return false;
    }
    long piece = buffer.piece;
    long pieceBytes = magazine.slotBytes != 0 ? magazine.slotBytes : Magazine.rangeBytes(piece);
    // A range may begin below its buffer, which was aligned.
    long address =
        magazine.slotBytes != 0 ? buffer.address : spanOf(piece).addressOf(Magazine.from(piece));
    long sizeBytes = buffer.sizeBytes;
    long limitBytes = racks.limitBytes(); // once: it may fall meanwhile
    if (magazine.count == magazine.capacity || cachedBytes + pieceBytes > limitBytes) {
      // Only others make room where the magazine itself is not full.
      boolean isPushing = pieceBytes > limitBytes / PUSHING_PARTS && !magazine.isFull();
      if (pieceBytes > limitBytes || (isPushing && ++withoutRoomCount < PUSHING_TURNS)) {
        return false;
      }
      boolean mayGoOn = isEnsured || StackReserve.isThere();
      if (!mayGoOn || !makeRoomFor(magazine, limitBytes - pieceBytes)) {
        return false;
      }
      if (isPushing) {
        withoutRoomCount = 0;
      }
    }
    // No call from here on that may fail.
    long count = magazine.count;
    int at = Magazine.FIRST + 2 * (int) count;
    magazine.entries[at] = piece & ~Magazine.ZERO;
    magazine.entries[at + 1] = address;
    magazine.count = count + 1;
    if (count == 0) {
      int index = buffer.magazine;
      filled[GAP + (index >>> 6)] |= 1L << index;
    }
    cachedBytes += pieceBytes;
    usedBytes -= sizeBytes;
    try {
      LOCK.setRelease(this, 0L);
    } catch (Throwable e) { // its first use wants Java heap
      lock = 0;
    }
    return true;
  }

  private boolean makeRoomFor(Magazine magazine, long mostBytes) {
    return (!magazine.isFull() || spill(magazine, magazine.half(), false))
        && makeRoom(mostBytes, false);
  }

  /**
   * Empties one magazine after the other, until no more than that, or nothing, is left.
   *
   * @param mayWait whether to wait for heaps
   * @return false if a heap was not to be had
   */
  boolean makeRoom(long mostBytes, boolean mayWait) {
    // To empty one that has little makes little room.
    long leastBytes = racks.limitBytes() / SPARED_PARTS;
    int turns = 0;
    while (cachedBytes > Math.max(0, mostBytes)) {
      int next = nextFilled(hand + 1);
      if (next < 0) {
        return true;
      }
      if (next <= hand && ++turns == 2) {
        leastBytes = 0; // all have been looked at
      }
      hand = next;
      Magazine magazine = requireNonNull(magazines[next]);
      if (magazine.count == 0) {
        filled[GAP + (next >>> 6)] &= ~(1L << next);
      } else if (magazine.count * magazine.pieceBytes >= leastBytes) {
        if (!spill(magazine, (int) magazine.count, mayWait)) {
          return false;
        }
      }
    }
    return true;
  }

  /** The first from there on, round the end, that may have something; -1 if there is none. */
  private int nextFilled(int from) {
    int words = filled.length - 2 * GAP;
    int word = from >>> 6;
    long bits = word < words ? filled[GAP + word] & (-1L << from) : 0;
    for (int i = 0; i < words && bits == 0; i++) {
      word = word + 1 < words ? word + 1 : 0;
      bits = filled[GAP + word];
    }
    return bits == 0 ? -1 : (word << 6) + Long.numberOfTrailingZeros(bits);
  }

  /**
   * Gives the oldest ones back to their heaps; the caller has ensured the stack for it.
   *
   * @param mayWait whether to wait for heaps: a thread that frees a buffer need not, since it can
   *     leave it at its heap
   * @return false if a heap was not to be had
   */
  private boolean spill(Magazine magazine, int oldestCount, boolean mayWait) {
    magazine.turnOldestToTheEnd(oldestCount);
    int rest = (int) magazine.count - oldestCount;
    boolean isDone = true;
    while (isDone && magazine.count > rest) {
      long last = magazine.piece((int) magazine.count - 1);
      isDone = LockedHeap.of(spanOf(last)).takeBack(this, magazine, rest, mayWait);
    }
    magazine.lowest = (int) Math.min(magazine.lowest, magazine.count);
    return isDone;
  }

  /**
   * Gives back what was not needed since the last cycle, or all, and begins another cycle.
   *
   * @param evenSinceCycle all of it
   */
  void giveBack(boolean evenSinceCycle) {
    for (Magazine magazine : magazines) {
      if (magazine != null) {
        long count = evenSinceCycle ? magazine.count : Math.min(magazine.lowest, magazine.count);
        if (count > 0) {
          spill(magazine, (int) count, true);
        }
        magazine.lowest = (int) magazine.count;
      }
    }
  }

  /**
   * INV-RACK-1: its entries are in use for their heaps, each is there once, and their sum known.
   */
  void verify(Set<Long> seen) {
    long sumBytes = 0;
    for (int at = 0; at < magazines.length; at++) {
      Magazine magazine = magazines[at];
      for (int i = 0; magazine != null && i < magazine.count; i++) {
        long piece = magazine.piece(i);
        Span span = table.getRacy(Magazine.id(piece));
        int from = Magazine.from(piece);
        int count = Magazine.count(piece);
        boolean isNew = seen.add(piece & ~Magazine.ZERO);
        long address = magazine.address(i);
        if (span == null
            || !isNew
            || (filled[GAP + (at >>> 6)] & (1L << at)) == 0
            || !span.isInUse(from, count)
            || address != span.addressOf(from)) {
          throw new AssertionError(
              "INV-RACK-1 entry is not a buffer in use: span="
                  + span
                  + ", from="
                  + from
                  + ", count="
                  + count
                  + ", address=0x"
                  + Long.toHexString(address)
                  + ", isNew="
                  + isNew
                  + ", magazine="
                  + at);
        }
        sumBytes += (long) count * span.stepBytes;
      }
    }
    if (sumBytes != cachedBytes) {
      throw new AssertionError(
          "INV-RACK-1 sum is wrong: cachedBytes=" + cachedBytes + ", sumBytes=" + sumBytes);
    }
  }
}
