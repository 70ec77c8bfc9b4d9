package dev.arenal.memory;

import dev.arenal.reserve.Ledger;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongUnaryOperator;

/**
 * An upper limit on committed memory, shared by all spaces, page allocators and {@linkplain
 * ReservedMemory reserved memory} built with it.
 *
 * <p>It is HotSpot's commit limiter as an object. Any number of users can count against one budget;
 * they alone change the count. Thread-safe; a commit costs one compare-and-set.
 */
public final class Budget {
  private final Ledger ledger;

  /** The open registrations: their reclaimers must not be collected as garbage. */
  private final Set<Registration> registrations = ConcurrentHashMap.newKeySet();

  private Budget(String name, long limitBytes) {
    this.ledger = Ledger.open(name, limitBytes, new LedgerKey());
  }

  /**
   * A budget of {@code limitBytes} bytes; {@link Long#MAX_VALUE} means no limit.
   *
   * @param name appears in errors and reports
   * @throws IllegalArgumentException if the limit is negative
   */
  public static Budget limitedTo(String name, long limitBytes) {
    return new Budget(name, limitBytes);
  }

  /**
   * A budget that counts and never refuses.
   *
   * @param name appears in errors and reports
   */
  public static Budget unlimited(String name) {
    return new Budget(name, Long.MAX_VALUE);
  }

  /** The name that errors and reports show. */
  public String name() {
    return ledger.name();
  }

  /** The limit in bytes; {@link Long#MAX_VALUE} if there is none. */
  public long limitBytes() {
    return ledger.limitBytes();
  }

  /**
   * Changes the limit.
   *
   * <p>After an increase, threads that wait for memory in the page allocators of this budget try
   * again at once. A limit below the committed bytes takes no memory away: commits are refused
   * until enough has gone back; {@link #reclaim} gives free memory back. A commit that runs at the
   * same moment may still use the previous limit.
   *
   * @param limitBytes {@link Long#MAX_VALUE} for none
   * @throws IllegalArgumentException if it is negative; the limit does not change then
   */
  public void setLimitBytes(long limitBytes) {
    ledger.setLimitBytes(limitBytes);
  }

  /** Whether there is a limit. */
  public boolean isLimited() {
    return limitBytes() != Long.MAX_VALUE;
  }

  /** Bytes committed against this budget now; more than the limit if that was lowered. */
  public long committedBytes() {
    return ledger.committedBytes();
  }

  /** Bytes that could still be committed; {@link Long#MAX_VALUE} if there is no limit. */
  public long availableBytes() {
    long limitBytes = limitBytes();
    return limitBytes == Long.MAX_VALUE
        ? Long.MAX_VALUE
        : Math.max(0, limitBytes - ledger.committedBytes());
  }

  /**
   * Adds a callback that gives back memory when a commit is refused: for an owner of committed
   * memory that it does not need, such as a cache of buffers.
   *
   * <p>Reclaimers are called in the order of their registration. After them the spaces and
   * allocators of this budget give back their free memory, including that of buffers and arenas
   * which a reclaimer has closed. They do not for a request that exceeds the limit by itself. The
   * space or allocator that asks keeps its own free memory meanwhile, since it may serve the
   * request; a space gives it back if the request is refused again. Holes in pages that have other
   * buffers go back last, as much as the budget lacks, if all of them are enough; not for the
   * pretouch of an allocator that is there, whose holes are part of it. A refused request calls
   * reclaimers once, whatever they give back; a request that waits for memory, up to twenty times a
   * second; a pretouch may call them several times, also from its own threads. Several threads may
   * call a reclaimer at a time. If other threads are reclaiming just then, or take what a refused
   * request was given, it waits and asks caches again, up to a second in all.
   *
   * <p>A reclaimer may call any method of Arenal: free and trim, allocate, close arenas and spaces.
   * It must not depend on reclaimers of the same budget itself: none is called for a thread that is
   * already in one, so its request is refused if the budget has no room. It must not close the
   * arena whose allocation was refused: that allocation then ends with an {@code
   * IllegalStateException}.
   *
   * @param reclaimer called by the thread whose commit was refused, without any lock of Arenal
   *     held. Exceptions that it throws are logged
   * @return a registration whose close removes the reclaimer; until then the budget keeps it
   */
  public Registration addReclaimer(Reclaimer reclaimer) {
    Registration registration =
        new Registration(this, Objects.requireNonNull(reclaimer, "reclaimer"));
    var _ = registrations.add(registration);
    boolean done = false;
    try {
      ledger.addReclaimerOfProgram(registration.asked);
      done = true;
      return registration;
    } finally {
      if (!done) { // the Java heap is full
        registrations.remove(registration);
      }
    }
  }

  /**
   * Calls all reclaimers, then has all spaces and allocators of this budget give back memory that
   * they do not need. The caller must hold no lock that a reclaimer may take.
   *
   * @return bytes given back; 0 if the calling thread is in a reclaimer of this budget
   */
  public long reclaim() {
    return ledger.reclaim(this, Long.MAX_VALUE);
  }

  @Override
  public String toString() {
    long limitBytes = limitBytes();
    return "Budget[name="
        + name()
        + ", limitBytes="
        + (limitBytes == Long.MAX_VALUE ? "none" : Long.toString(limitBytes))
        + ", committedBytes="
        + committedBytes()
        + "]";
  }

  /** Gives back committed memory that its owner does not need now. */
  @FunctionalInterface
  public interface Reclaimer {
    /**
     * Gives back memory, or none.
     *
     * @param wantedBytes the bytes that the refused request needs, 0 or more, so that a cache need
     *     not give up everything. A hint: memory goes back in whole granules or pages, and the
     *     budget may still have a part of it. {@link Long#MAX_VALUE}: all that is not needed
     * @return bytes by which the budget has more room now, including those that went back when
     *     arenas of a space were closed; not those of closed buffers, whose page allocator gives
     *     its free pages back itself afterwards. A negative number counts as 0
     */
    long reclaim(long wantedBytes);
  }

  /** The registration of a reclaimer, which is called until this is closed. */
  public static final class Registration implements AutoCloseable {
    private final Budget budget;
    private final Reclaimer reclaimer;

    /** One for each registration, also of the same reclaimer; the ledger holds it weakly. */
    private final LongUnaryOperator asked = this::ask;

    private volatile boolean isClosed;

    private Registration(Budget budget, Reclaimer reclaimer) {
      this.budget = budget;
      this.reclaimer = reclaimer;
    }

    private long ask(long wantedBytes) {
      return isClosed ? 0 : reclaimer.reclaim(wantedBytes);
    }

    /** Removes the reclaimer; a call that has begun goes on. Has no effect the second time. */
    @Override
    public void close() {
      isClosed = true; // first: a thread that asks all may come to it later
      budget.ledger.removeReclaimerOfProgram(asked);
      budget.registrations.remove(this);
    }
  }

  private static final class LedgerKey implements Ledger.Key {
    @Override
    public Ledger ledgerOf(Object budget) {
      return ((Budget) budget).ledger;
    }
  }
}
