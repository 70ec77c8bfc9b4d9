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
 * <p>Any number of them may share one budget. Only their commits and uncommits change its count.
 *
 * <p><b>Threading:</b> all methods may be called by any thread. <b>Cost:</b> a commit costs one
 * compare-and-set. The idea is that of HotSpot's commit limiter.
 */
public final class Budget {
  private final Ledger ledger;

  /** The open registrations: their reclaimers must not be collected as garbage. */
  private final Set<Registration> registrations = ConcurrentHashMap.newKeySet();

  private Budget(String name, long limitBytes) {
    this.ledger = Ledger.open(name, limitBytes, new LedgerKey());
  }

  /**
   * Creates a budget of {@code limitBytes} bytes; {@link Long#MAX_VALUE} means no limit.
   *
   * @param name the name that errors and reports show
   * @throws IllegalArgumentException if the limit is negative
   */
  public static Budget limitedTo(String name, long limitBytes) {
    return new Budget(name, limitBytes);
  }

  /**
   * Creates a budget that counts and never refuses a commit.
   *
   * @param name the name that errors and reports show
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
   * until enough memory has gone back. {@link #reclaim} gives free memory back. A concurrent commit
   * may still use the previous limit.
   *
   * @param limitBytes the new limit; {@link Long#MAX_VALUE} for none
   * @throws IllegalArgumentException if the new limit is negative; the limit does not change then
   */
  public void setLimitBytes(long limitBytes) {
    ledger.setLimitBytes(limitBytes);
  }

  /** Whether there is a limit. */
  public boolean isLimited() {
    return limitBytes() != Long.MAX_VALUE;
  }

  /** Bytes committed against this budget now. May exceed a limit that was lowered. */
  public long committedBytes() {
    return ledger.committedBytes();
  }

  /** Bytes that can still be committed; {@link Long#MAX_VALUE} if there is no limit. */
  public long availableBytes() {
    long limitBytes = limitBytes();
    return limitBytes == Long.MAX_VALUE
        ? Long.MAX_VALUE
        : Math.max(0, limitBytes - ledger.committedBytes());
  }

  /**
   * Adds a callback that gives memory back when a commit is refused: for an owner of committed
   * memory that it can do without, such as a cache of buffers.
   *
   * <p><b>Order:</b> reclaimers are called in the order of their registration. Then the spaces and
   * allocators of this budget give back their free memory, including the memory of buffers and
   * arenas that a reclaimer has closed; they give none back for a request that exceeds the limit by
   * itself. The space or allocator of the request keeps its own free memory at first, because that
   * may serve the request; a space gives it back if the request is refused again. Holes in pages in
   * use go back last: as much of them as the budget lacks, and only if all holes together are
   * enough. The pretouch of an existing allocator gets no holes, because its own are part of it.
   *
   * <p><b>Calls:</b> a refused request calls reclaimers once, whatever they give back. A request
   * that waits for memory calls them up to twenty times a second. A pretouch may call them several
   * times, also from its own threads. Several threads may call a reclaimer at the same time. If
   * other threads are reclaiming, or take the memory that was freed for a refused request, the
   * request waits and asks caches again, for up to a second in all.
   *
   * <p><b>Restrictions:</b> a reclaimer may call any method of Arenal: free and trim, allocate,
   * close arenas and spaces. It must not depend on other reclaimers of the same budget: none is
   * called for a thread that is already in one, so that its request is refused if the budget has no
   * room. It must not close the arena whose allocation was refused: that allocation then throws an
   * {@code IllegalStateException}.
   *
   * @param reclaimer the callback. The thread whose commit was refused calls it, and holds no lock
   *     of Arenal meanwhile. Its exceptions are logged
   * @return a registration, whose close removes the reclaimer; the budget holds the reclaimer until
   *     then
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
   * Calls all reclaimers, and then makes all spaces and allocators of this budget give back memory
   * that they do not need. The caller must not hold a lock that a reclaimer may take.
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

  /** A callback that gives back committed memory that its owner can do without. */
  @FunctionalInterface
  public interface Reclaimer {
    /**
     * Gives memory back, if any is to spare.
     *
     * @param wantedBytes the bytes that the refused request needs, 0 or more: a hint for a cache
     *     that need not give up everything. Memory goes back in whole granules or pages, and the
     *     budget may still have room for a part of the request. {@link Long#MAX_VALUE} asks for all
     *     memory that is not needed
     * @return the bytes by which the room in the budget has grown. The memory of closed arenas of a
     *     space is included; that of closed buffers is not, because their page allocator gives its
     *     free pages back afterwards by itself. A negative number counts as 0
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

    /**
     * Removes the reclaimer. A call that has begun continues. Has no effect if this is already
     * closed.
     */
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
