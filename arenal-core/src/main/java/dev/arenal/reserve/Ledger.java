package dev.arenal.reserve;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.guard.StackReserve;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The count behind a budget: the bytes committed against a limit, and the reclaimers to ask where
 * that is refused.
 *
 * <p>A program has the budget, which shows the count; only the library has this, which changes it.
 *
 * <p>Thread-safe; a commit costs one compare-and-set.
 */
public final class Ledger {
  /** Opens budgets; set before there is one, by each, as a class that must not fail has none. */
  private static volatile @Nullable Key key;

  private final String name;
  private volatile long limitBytes;
  private final AtomicLong committedBytes = new AtomicLong();

  /**
   * Changes when it falls. Not atomic, and counted without a call, which might fail at the end of
   * the stack after the bytes were: of two falls at once a thread may see one, or none. One that
   * waits looks again by itself.
   */
  private volatile long uncommitCount;

  /** A reclaimer may wait for a lock that the thread has that waits for it. */
  private static final long MOST_AWAIT_NANOS = 300_000_000;

  private static final long PARK_NANOS = 100_000;

  /** How often a request asks while others take what it was given, for a moment at most. */
  private static final int MOST_ROUNDS = 64;

  /** Calls of reclaimers that have begun, and that have ended. */
  private final AtomicInteger begunCount = new AtomicInteger();

  private final AtomicInteger endedCount = new AtomicInteger();

  /** Threads that are just calling reclaimers of this budget, and the object that needs memory. */
  private final Map<Thread, Request> reclaiming = new ConcurrentHashMap<>();

  /** Weak: a budget outlives the spaces that use it, and must not keep them alive. */
  private final CopyOnWriteArrayList<WeakReference<LongSupplier>> reclaimers =
      new CopyOnWriteArrayList<>();

  /**
   * Those of the program, which learn how many bytes are wanted. They are asked first: what they
   * close is free memory of the others.
   */
  private final CopyOnWriteArrayList<WeakReference<LongUnaryOperator>> reclaimersOfProgram =
      new CopyOnWriteArrayList<>();

  /** Weak as well: what the caches do not give, for a request that would be refused. */
  private final CopyOnWriteArrayList<WeakReference<Holes>> holes = new CopyOnWriteArrayList<>();

  /** Weak as well: threads wait in an allocator, which a budget must not keep alive. */
  private final CopyOnWriteArrayList<WeakReference<Listener>> listeners =
      new CopyOnWriteArrayList<>();

  /** Hears of more room where the count does not tell. */
  public interface Listener {
    /** The limit has changed. Called without any lock held; returns at once. */
    void limitChanged();
  }

  /**
   * Free memory of one owner in the middle of memory in use: it serves the next small requests of
   * that owner, and nothing else. No lock is held at a call, and no code of the program is run.
   */
  public interface Holes {
    /** Bytes of which no more can go, a recent value, without a look at each hole. */
    long freeBytes();

    /** Bytes that can go, a recent value; it need not be counted beyond {@code mostBytes}. */
    long countHoles(long mostBytes);

    /** Has so many bytes go back to the kernel, or a little more; returns the bytes that went. */
    long giveHoles(long mostBytes);
  }

  /** Knows the ledger of a budget, whose type is above this one. */
  public interface Key {
    /** The ledger of an object that is a budget. */
    Ledger ledgerOf(Object budget);
  }

  private Ledger(String name, long limitBytes) {
    this.name = Objects.requireNonNull(name, "name");
    requireLimit(limitBytes);
    this.limitBytes = limitBytes;
  }

  /** The ledger of a budget that is being made. */
  public static Ledger open(String name, long limitBytes, Key key) {
    Ledger.key = key;
    return new Ledger(name, limitBytes);
  }

  /** The ledger of a budget. */
  public static Ledger of(Object budget) {
    return Objects.requireNonNull(key).ledgerOf(budget);
  }

  /** The name of the budget. */
  public String name() {
    return name;
  }

  /** The limit in bytes; {@link Long#MAX_VALUE} if there is none. */
  public long limitBytes() {
    return limitBytes;
  }

  /**
   * Changes the limit. Less than is committed takes nothing away; those that wait for more hear of
   * it.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public void setLimitBytes(long newLimitBytes) {
    requireLimit(newLimitBytes);
    limitBytes = newLimitBytes;
    for (WeakReference<Listener> reference : listeners) {
      Listener listener = reference.get();
      if (listener != null) {
        listener.limitChanged();
      }
    }
  }

  /**
   * Tells {@code listener} of each change of the limit.
   *
   * @param listener held weakly: keep a reference to it
   */
  public void addListener(Listener listener) {
    add(listener, listeners);
  }

  private void requireLimit(long newLimitBytes) {
    if (newLimitBytes < 0) {
      throw new IllegalArgumentException(
          "budget limit is negative: budget="
              + name
              + ", limitBytes="
              + newLimitBytes
              + " (expected 0 or more)");
    }
  }

  /** Bytes committed now. */
  public long committedBytes() {
    return committedBytes.get();
  }

  /** Changes when bytes are uncommitted: a refusal from before may be out of date then. */
  public long uncommitCountVolatile() {
    return uncommitCount;
  }

  /**
   * Counts {@code sizeBytes} more bytes as committed if the limit allows it.
   *
   * @return false if it does not; nothing has changed then
   * @throws IllegalArgumentException if the size is negative
   */
  public boolean tryCommit(long sizeBytes) {
    requireNotNegative(sizeBytes);
    long current = committedBytes.get();
    while (sizeBytes == 0 || sizeBytes <= limitBytes - current) {
      long witness = committedBytes.compareAndExchange(current, current + sizeBytes);
      if (witness == current) {
        return true;
      }
      current = witness;
    }
    return false;
  }

  /**
   * Counts {@code sizeBytes} bytes as no longer committed.
   *
   * @throws IllegalArgumentException if the size is negative
   * @throws IllegalStateException if less than that is committed; nothing has changed then
   */
  @SuppressWarnings("NonAtomicVolatileUpdate")
  public void uncommit(long sizeBytes) {
    requireNotNegative(sizeBytes);
    long current = committedBytes.get();
    while (sizeBytes <= current) {
      long witness = committedBytes.compareAndExchange(current, current - sizeBytes);
      if (witness == current) {
        uncommitCount++;
        return;
      }
      current = witness;
    }
    throw new IllegalStateException(
        "uncommit exceeds what is committed: budget="
            + name
            + ", committedBytes="
            + current
            + ", requestedBytes="
            + sizeBytes);
  }

  /**
   * Asks {@code reclaimer} when a commit is refused, without any lock held.
   *
   * @param reclaimer gives back memory that is not needed now and returns the number of bytes. Held
   *     weakly: keep a reference to it
   */
  public void addReclaimer(LongSupplier reclaimer) {
    add(Objects.requireNonNull(reclaimer, "reclaimer"), reclaimers);
  }

  /** The same for one of the program, which is asked before those of spaces and allocators. */
  public void addReclaimerOfProgram(LongUnaryOperator reclaimer) {
    add(Objects.requireNonNull(reclaimer, "reclaimer"), reclaimersOfProgram);
  }

  /**
   * Counts on these for {@link #giveWay}.
   *
   * @param added held weakly: keep a reference to it
   */
  public void addHoles(Holes added) {
    add(added, holes);
  }

  /** Undoes {@link #addHoles}; no effect if they are not known. */
  public void removeHoles(Holes removed) {
    remove(removed, holes);
  }

  private static <T> void add(T added, CopyOnWriteArrayList<WeakReference<T>> list) {
    for (WeakReference<T> reference : list) { // no lambda: a first use would link it
      if (reference.get() == null) {
        list.remove(reference);
      }
    }
    list.add(new WeakReference<>(added));
  }

  /** Undoes {@link #addReclaimer}; no effect if it is not known. */
  public void removeReclaimer(LongSupplier reclaimer) {
    remove(reclaimer, reclaimers);
  }

  /** Undoes {@link #addReclaimerOfProgram}; no effect if it is not known. */
  public void removeReclaimerOfProgram(LongUnaryOperator reclaimer) {
    remove(reclaimer, reclaimersOfProgram);
  }

  private static <T> void remove(T reclaimer, CopyOnWriteArrayList<WeakReference<T>> list) {
    for (WeakReference<T> reference : list) { // no lambda: closes call this
      T known = reference.get();
      if (known == null || known.equals(reclaimer)) {
        list.remove(reference);
      }
    }
  }

  /**
   * Asks all reclaimers to give back memory that they do not need. The caller must hold no lock
   * that a reclaimer may take.
   *
   * @param owner the owner that keeps its own cache meanwhile, since it needs the memory itself:
   *     its reclaimer is asked, too, and looks at {@link #isReclaimingFor}; or any other object
   * @param wantedBytes for those of the program: the bytes that a request needs, or {@link
   *     Long#MAX_VALUE}
   * @return bytes given back; 0 if the calling thread is in a reclaimer of this budget
   */
  public long reclaim(Object owner, long wantedBytes) {
    return reclaim(owner, wantedBytes, wantedBytes == Long.MAX_VALUE ? 0 : wantedBytes);
  }

  /**
   * The same for a request that may be served with fewer bytes than it asks for. One that is above
   * the limit, and above all that is committed, is refused whatever others give back: then only
   * reclaimers of the program are asked, which may raise the limit, and caches stay.
   *
   * @param leastBytes that have to be committed for the request
   */
  public long reclaim(Object owner, long wantedBytes, long leastBytes) {
    return reclaim(owner, wantedBytes, leastBytes, true);
  }

  private long reclaim(Object owner, long wantedBytes, long leastBytes, boolean evenOfProgram) {
    StackReserve.ensure();
    Thread thread = Thread.currentThread();
    boolean isAny = !reclaimers.isEmpty() || (evenOfProgram && !reclaimersOfProgram.isEmpty());
    if (!isAny || reclaiming.containsKey(thread)) {
      return 0;
    }
    var _ = begunCount.incrementAndGet();
    try {
      // Here: a map that cannot grow has the thread, and throws.
      reclaiming.put(thread, new Request(owner, leastBytes));
      long sizeBytes = 0;
      if (evenOfProgram) {
        for (WeakReference<LongUnaryOperator> reference : reclaimersOfProgram) {
          sizeBytes = sum(sizeBytes, ask(reference.get(), null, wantedBytes));
        }
      }
      if (leastBytes <= Math.max(limitBytes, committedBytes())) {
        for (WeakReference<LongSupplier> reference : reclaimers) {
          sizeBytes = sum(sizeBytes, ask(null, reference.get(), wantedBytes));
        }
      }
      return sizeBytes;
    } finally {
      var _ = endedCount.incrementAndGet(); // first: a map that shrinks may want Java heap, too
      reclaiming.remove(thread);
    }
  }

  /**
   * The same for a pretouch. Where that is not enough, it also waits for those whom other threads
   * are just asking: a pretouch that is refused is over.
   *
   * @return whether another attempt is worth it
   */
  public boolean makeRoom(Object owner, long wantedBytes) {
    int endedBefore = endedCount.get();
    var _ = reclaim(owner, wantedBytes);
    return wantedBytes <= limitBytes - committedBytes() || awaitOthers(endedBefore);
  }

  /** The same, and then holes go back, as for other requests. */
  public boolean makeRoomInHoles(Object owner, long wantedBytes) {
    return makeRoomInHoles(owner, null, wantedBytes);
  }

  /**
   * The same, but some holes stay.
   *
   * @param kept of an allocator that is there: they are part of what its pretouch makes resident;
   *     null if it is not there yet
   */
  public boolean makeRoomInHoles(Object owner, @Nullable Holes kept, long wantedBytes) {
    boolean helps = makeRoom(owner, wantedBytes);
    return giveWay(owner, null, kept, wantedBytes) || helps;
  }

  /** Whether the calling thread is in {@link #reclaim} for that owner. */
  public boolean isReclaimingFor(Object owner) {
    Request request = request();
    return request != null && owner.equals(request.owner);
  }

  /** The request for which the calling thread is in {@link #reclaim}; or null. */
  public @Nullable Request request() {
    return reclaiming.get(Thread.currentThread());
  }

  /** The reclaimers that are asked, in their order, but for those of the program. */
  public Iterable<WeakReference<LongSupplier>> reclaimers() {
    return reclaimers;
  }

  /** How many calls of reclaimers have ended, for {@link #awaitOthers}. */
  public int endedReclaimsVolatile() {
    return endedCount.get();
  }

  /**
   * Waits until no other thread is in {@link #reclaim}, a moment at most. For a request that is
   * refused after it has asked: what another thread is just being given, it could not find.
   *
   * @param endedBefore {@link #endedReclaimsVolatile} just before the attempt that was refused
   * @return whether any has ended since, so that another attempt is worth it
   */
  public boolean awaitOthers(int endedBefore) {
    Thread thread = Thread.currentThread();
    boolean isInterrupted = false;
    long start = System.nanoTime();
    // In this order: a call that begins and ends between the two reads must not hide another one.
    while (endedCount.get() != begunCount.get()
        && !reclaiming.containsKey(thread)
        && System.nanoTime() - start < MOST_AWAIT_NANOS) {
      isInterrupted |= Thread.interrupted(); // else it would not park
      LockSupport.parkNanos(PARK_NANOS);
    }
    if (isInterrupted) {
      thread.interrupt();
    }
    return endedCount.get() != endedBefore;
  }

  /**
   * The last resort of a request that has asked, and would be refused for this budget all the same.
   * Others may have filled their caches since: these go once more, and if they are not enough,
   * holes go, those of the asking owner first. No hole goes where those of all are not enough, nor
   * under a limit that was lowered below what is committed, since the budget would not let it come
   * back. Reclaimers of the program are not called again. No lock is held.
   *
   * @param owner as for {@link #reclaim}
   * @param own of that owner; null if it has none
   * @param roomBytes that the budget has to have left
   * @return whether another attempt is worth it
   */
  public boolean giveWay(Object owner, @Nullable Holes own, long roomBytes) {
    return giveWay(owner, own, null, roomBytes);
  }

  private boolean giveWay(Object owner, @Nullable Holes own, @Nullable Holes kept, long roomBytes) {
    StackReserve.ensure();
    if (roomBytes > limitBytes - committedBytes()) {
      var _ = reclaim(owner, roomBytes, roomBytes, false);
    }
    long lackingBytes = committedBytes() + roomBytes - limitBytes;
    if (lackingBytes <= 0) {
      return true; // now, or since the last attempt
    }
    boolean isGiven =
        committedBytes() <= limitBytes
            && freeBytes() >= lackingBytes
            && askHoles(own, kept, lackingBytes, false) >= lackingBytes
            && askHoles(own, kept, lackingBytes, true) > 0;
    return isGiven || awaitOthers(endedCount.get()); // what these have in hand was not found
  }

  private long freeBytes() {
    long sizeBytes = 0;
    for (WeakReference<Holes> reference : holes) {
      Holes all = reference.get();
      sizeBytes += all == null ? 0 : all.freeBytes();
    }
    return sizeBytes;
  }

  /** Whether a request asks once more, which has asked so often, for the first time then. */
  public static boolean mayAskAgain(int askedCount, long startNanos) {
    return askedCount < MOST_ROUNDS && System.nanoTime() - startNanos < MOST_AWAIT_NANOS;
  }

  /** Counts them until there are as many, or has as many go. */
  private long askHoles(@Nullable Holes own, @Nullable Holes kept, long mostBytes, boolean give) {
    long sizeBytes = 0;
    if (own != null) { // an error of these is one of the request
      sizeBytes = give ? own.giveHoles(mostBytes) : own.countHoles(mostBytes);
    }
    for (WeakReference<Holes> reference : holes) {
      Holes other = reference.get();
      boolean isAsked = other != null && !other.equals(own) && !other.equals(kept);
      if (other != null && isAsked && sizeBytes < mostBytes) {
        sizeBytes += askHoles(other, give, mostBytes - sizeBytes);
      }
    }
    return sizeBytes;
  }

  private long askHoles(Holes asked, boolean give, long mostBytes) {
    try {
      return give ? asked.giveHoles(mostBytes) : asked.countHoles(mostBytes);
    } catch (Throwable e) {
      warn("holes were not given", e);
      return 0;
    }
  }

  private static long sum(long sizeBytes, long givenBackBytes) {
    return sizeBytes + Math.clamp(givenBackBytes, 0, Long.MAX_VALUE - sizeBytes);
  }

  /**
   * One of the two, if it is still there. An error of one does not keep others from being asked.
   */
  private long ask(
      @Nullable LongUnaryOperator ofProgram, @Nullable LongSupplier own, long wantedBytes) {
    try {
      if (ofProgram != null) {
        return ofProgram.applyAsLong(wantedBytes);
      }
      return own == null ? 0 : own.getAsLong();
    } catch (Throwable e) {
      warn("reclaimer has failed", e);
      return 0;
    }
  }

  private void warn(String what, Throwable e) {
    try {
      System.getLogger("dev.arenal").log(System.Logger.Level.WARNING, what + ": budget=" + name, e);
    } catch (Throwable again) {
      return; // the heap or the stack has ended: there is nothing to log with
    }
  }

  /**
   * The error for a refusal of one that has this budget.
   *
   * @param owner the name of that one
   */
  public OutOfNativeMemoryError refusal(
      String message, String owner, long requestedBytes, long ownCommittedBytes) {
    return new OutOfNativeMemoryError(
        message, owner, requestedBytes, ownCommittedBytes, name, limitBytes, committedBytes());
  }

  /**
   * A request for which others are asked.
   *
   * @param owner the owner that needs the memory
   * @param leastBytes that have to be committed for it
   */
  public record Request(Object owner, long leastBytes) {
    /**
     * Whether the limit of the budget is below it: then nothing that goes back to the kernel serves
     * it, since nothing is committed for it, and memory that is committed already may.
     */
    public boolean isAbove(long limitBytes) {
      return leastBytes > limitBytes;
    }
  }

  private void requireNotNegative(long sizeBytes) {
    if (sizeBytes < 0) {
      throw new IllegalArgumentException(
          "size is negative: budget=" + name + ", sizeBytes=" + sizeBytes);
    }
  }
}
