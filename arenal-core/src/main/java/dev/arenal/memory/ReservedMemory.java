package dev.arenal.memory;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.guard.Damage;
import dev.arenal.guard.FirstUse;
import dev.arenal.guard.StackReserve;
import dev.arenal.guard.StackSafeLock;
import dev.arenal.guard.WatchMode;
import dev.arenal.os.Errno;
import dev.arenal.os.HugePages;
import dev.arenal.os.NativeMemory;
import dev.arenal.os.OperatingSystem;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchReport;
import dev.arenal.reserve.Ledger;
import dev.arenal.reserve.Reservation;
import dev.arenal.reserve.ReserveFailedException;
import dev.arenal.reserve.ResidentCount;
import dev.arenal.touch.TouchNeed;
import dev.arenal.touch.TouchRun;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A range of addresses for a program that manages memory itself: a table, a ring, an allocator of
 * its own. The program commits parts of it against a budget, pretouches them and gives them back.
 *
 * <pre>{@code
 * try (ReservedMemory table = ReservedMemory.reserve("table", 64L << 30, budget)) {
 *   table.pretouch(Pretouch.upTo(4L << 30)); // committed and resident, or refused with figures
 *   table.segment().set(JAVA_LONG, 0, 42);
 *   table.uncommit(1L << 30, 3L << 30); // reads zero from now on
 * }
 * }</pre>
 *
 * <p>The whole range can be read and written at any time. A write to a part that is not committed
 * takes memory that no budget counts. Offsets and sizes are whole OS pages. A kernel that does not
 * overcommit ({@code vm.overcommit_memory=2}) counts the whole size from the beginning. A handle
 * that is never closed leaks its memory and its share of the budget. When it is collected as
 * garbage, the log has a warning with its place of birth, unless {@code -Darenal.leaks=off} is set.
 *
 * <p><b>Threading:</b> all methods may be called by any thread; one lock is held while memory goes
 * back. <b>Cost:</b> a commit only counts; the kernel provides a page at its first touch, unless it
 * was pretouched.
 */
public final class ReservedMemory implements AutoCloseable {
  /** The alignment of huge pages, so that they fit. */
  private static final long ALIGNMENT_BYTES = HugePages.SIZE_BYTES;

  private final String name;
  private final OperatingSystem os;
  private final Budget budget;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;

  /** Guards all that follows, and the reservation. */
  final StackSafeLock lock = new StackSafeLock();

  final Reservation reservation;

  /** The range of a discard: made here, since an undo needs no Java heap. */
  private final long[] address = new long[1];

  private final long[] rangeBytes = new long[1];

  private final List<ReservedTouch> touches = new ArrayList<>();
  private boolean isClosed;
  private @Nullable ReservedLeak leak;

  /** Where it is noted, nothing is committed nor given back any more but by {@link #close}. */
  private final Damage damage;

  private ReservedMemory(
      String name, OperatingSystem os, Budget budget, Reservation reservation, long sizeBytes) {
    this.name = name;
    this.os = os;
    this.budget = budget;
    this.reservation = reservation;
    this.damage = new Damage("memory", name);
    this.segment = NativeMemory.segment(reservation.baseAddress(), sizeBytes, arena);
  }

  /**
   * Reserves addresses, without memory behind them.
   *
   * @param name the name that errors, reports and events show
   * @param sizeBytes the size, which is rounded up to whole OS pages
   * @param budget the budget that committed memory counts against
   * @throws IllegalArgumentException if the size is not positive
   * @throws OutOfNativeMemoryError if the operating system refuses the addresses
   * @throws UnsupportedOperationException on systems other than Linux on x86-64 or aarch64
   * @throws IllegalCallerException if native access is denied to this module
   */
  public static ReservedMemory reserve(String name, long sizeBytes, Budget budget) {
    return reserve(OperatingSystem.current(), name, sizeBytes, budget);
  }

  static ReservedMemory reserve(
      OperatingSystem system, String name, long sizeBytes, Budget budget) {
    FirstUse.ofMemory();
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(budget, "budget");
    OperatingSystem os = system.named(name);
    if (sizeBytes <= 0) {
      throw new IllegalArgumentException(
          "size is not positive: memory=" + name + ", sizeBytes=" + sizeBytes);
    }
    long pageBytes = os.pageSizeBytes();
    try {
      long wholeBytes = Math.addExact(sizeBytes, pageBytes - 1) & -pageBytes;
      Reservation reservation =
          Reservation.reserve(os, wholeBytes, ALIGNMENT_BYTES, pageBytes, false, Ledger.of(budget));
      ReservedMemory memory = null;
      try {
        memory = new ReservedMemory(name, os, budget, reservation, wholeBytes);
      } finally {
        if (memory == null) { // the Java heap is full
          var _ = reservation.release();
        }
      }
      return watched(memory);
    } catch (ReserveFailedException e) {
      throw outOfAddresses(name, sizeBytes, budget, e.errno(), os.describe(e.errno()));
    } catch (ArithmeticException e) {
      throw outOfAddresses(name, sizeBytes, budget, 0, "none");
    }
  }

  private static ReservedMemory watched(ReservedMemory memory) {
    boolean done = false;
    try {
      WatchMode.tellComplaint();
      memory.leak = ReservedLeak.watch(memory, memory.name, memory.reservation);
      done = true;
      return memory;
    } finally {
      if (!done) { // the Java heap is full
        memory.close();
      }
    }
  }

  private static OutOfNativeMemoryError outOfAddresses(
      String name, long sizeBytes, Budget budget, long errno, String description) {
    String message =
        "address space refused: memory="
            + name
            + ", sizeBytes="
            + sizeBytes
            + ", errno="
            + description
            + " ("
            + OperatingSystem.adviceOnAddresses(errno)
            + ")";
    return Ledger.of(budget).refusal(message, name, sizeBytes, 0);
  }

  /** The budget that committed memory counts against. */
  public Budget budget() {
    return budget;
  }

  /** The name it was reserved with. */
  public String name() {
    return name;
  }

  /** Size in bytes, whole OS pages. */
  public long sizeBytes() {
    return reservation.sizeBytes();
  }

  /** The whole range; accessible until this is closed. */
  public MemorySegment segment() {
    return segment;
  }

  /** Bytes that are committed. */
  public long committedBytes() {
    StackReserve.ensureShort();
    lock.lock();
    try {
      return reservation.committedBytes();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Committed bytes that are in physical memory, as the kernel reports.
   *
   * <p>A page is resident from its first touch until it goes back, except while it is swapped out.
   * A page that was only read counts, although all such pages are one page of physical memory; a
   * page that was written without being committed does not. While other threads commit, touch and
   * uncommit, the sum is not of one moment. <b>Cost:</b> the kernel looks at each committed page: a
   * quarter of a millisecond for a GiB, and a microsecond for each separate committed range. No
   * lock is held meanwhile.
   *
   * @return -1 if the kernel does not report it; 0 once this is closed
   */
  public long residentBytes() {
    StackReserve.ensure();
    return ResidentCount.count(os, lock, index -> index > 0 || isClosed ? null : reservation);
  }

  /** The size of an OS page in bytes: offsets and sizes of ranges are multiples of it. */
  public long pageBytes() {
    return os.pageSizeBytes();
  }

  /**
   * Commits a range: counts it against the budget. Bytes that are already committed do not count
   * again.
   *
   * @return the bytes that this call has committed
   * @throws IndexOutOfBoundsException if the range is not within the memory
   * @throws IllegalArgumentException if the range is not whole OS pages
   * @throws OutOfNativeMemoryError if the budget is used up, even after its reclaimers were called;
   *     nothing has changed then
   * @throws IllegalStateException if this is closed or damaged
   */
  public long commit(long offsetBytes, long sizeBytes) {
    requireWithin(offsetBytes, sizeBytes);
    StackReserve.ensure();
    long committedBytes = tryCommit(offsetBytes, sizeBytes);
    if (committedBytes < 0) {
      Ledger ledger = Ledger.of(budget);
      // 0 where another thread has just been given all there was.
      var _ = ledger.reclaim(budget, uncommittedBytes(offsetBytes, sizeBytes));
      int endedBefore = ledger.endedReclaimsVolatile();
      committedBytes = tryCommit(offsetBytes, sizeBytes);
      if (committedBytes < 0 && ledger.awaitOthers(endedBefore)) {
        committedBytes = tryCommit(offsetBytes, sizeBytes);
      }
      long startNanos = System.nanoTime();
      for (int i = 0;
          committedBytes < 0
              && Ledger.mayAskAgain(i, startNanos)
              && ledger.giveWay(budget, null, uncommittedBytes(offsetBytes, sizeBytes));
          i++) {
        committedBytes = tryCommit(offsetBytes, sizeBytes);
      }
    }
    if (committedBytes < 0) {
      throw budgetUsedUp(sizeBytes);
    }
    return committedBytes;
  }

  /** Bytes of a range that are not committed, and would count against the budget. */
  long uncommittedBytes(long offsetBytes, long sizeBytes) {
    lock.lock();
    try {
      return sizeBytes - reservation.committedBytes(offsetBytes, sizeBytes);
    } finally {
      lock.unlock();
    }
  }

  OutOfNativeMemoryError budgetUsedUp(long requestedBytes) {
    long ownBytes = committedBytes();
    long limitBytes = budget.limitBytes();
    String message =
        "native memory refused: memory="
            + name
            + ", requestedBytes="
            + requestedBytes
            + ", committedBytes="
            + ownBytes
            + ", budget="
            + budget.name()
            + ", limitBytes="
            + limitBytes
            + ", budgetCommittedBytes="
            + budget.committedBytes()
            + (requestedBytes <= limitBytes
                ? " (the budget is used up: uncommit something or raise its limit)"
                : " (expected at most the limit of the budget)");
    return Ledger.of(budget).refusal(message, name, requestedBytes, ownBytes);
  }

  private long tryCommit(long offsetBytes, long sizeBytes) {
    lock.lock();
    try {
      requireOpen();
      return sizeBytes == 0 ? 0 : commitFor(null, offsetBytes, sizeBytes);
    } finally {
      lock.unlock();
    }
  }

  /** Commits for a pretouch, or for the program; under the lock. */
  long commitFor(@Nullable ReservedTouch owner, long offsetBytes, long sizeBytes) {
    damage.check();
    try {
      long committedBytes = reservation.commit(offsetBytes, sizeBytes);
      if (committedBytes >= 0 && owner == null) {
        disown(null, offsetBytes, sizeBytes);
      }
      return committedBytes;
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      damage.cause = e; // without a call, for which there may be no stack
      throw e;
    }
  }

  /** A pretouch shares what others own of a range; under the lock. */
  void share(ReservedTouch owner, long offsetBytes, long sizeBytes) {
    for (int i = 0; i < touches.size(); i++) {
      if (touches.get(i) != owner) {
        owner.share(touches.get(i), offsetBytes, sizeBytes);
      }
    }
  }

  /** A pretouch that has failed leaves what others own, too; under the lock. */
  void leaveToOthers(ReservedTouch owner) {
    for (int i = 0; i < touches.size(); i++) {
      if (touches.get(i) != owner) {
        owner.leaveTo(touches.get(i));
      }
    }
  }

  /** All pretouches but one; without an iterator, since the Java heap may be full. */
  private void disown(@Nullable ReservedTouch owner, long offsetBytes, long sizeBytes) {
    for (int i = 0; i < touches.size(); i++) {
      if (touches.get(i) != owner) {
        touches.get(i).disown(offsetBytes, sizeBytes);
      }
    }
  }

  /**
   * Gives a range back to the operating system. It reads zero from now on, and no longer counts.
   * Parts that are not committed go back, too, since they may have been written to.
   *
   * @return the bytes of the range that were committed
   * @throws IndexOutOfBoundsException if the range is not within the memory
   * @throws IllegalArgumentException if the range is not whole OS pages
   * @throws IllegalStateException if this is closed or damaged; or if the operating system refuses,
   *     as Linux before 5.18 does for locked pages: the pages before those have gone back then, but
   *     still count
   */
  public long uncommit(long offsetBytes, long sizeBytes) {
    requireWithin(offsetBytes, sizeBytes);
    StackReserve.ensure();
    lock.lock();
    try {
      requireOpen();
      damage.check();
      if (sizeBytes == 0) {
        return 0;
      }
      int error = discard(offsetBytes, sizeBytes);
      if (error < 0) {
        throw new IllegalStateException(
            "memory was not taken back: memory="
                + name
                + ", offsetBytes="
                + offsetBytes
                + ", sizeBytes="
                + sizeBytes
                + ", errno="
                + Errno.name(error)
                + " (is it locked? try again)");
      }
      disown(null, offsetBytes, sizeBytes);
      return reservation.uncommitted(offsetBytes, sizeBytes);
    } catch (StackOverflowError | AssertionError e) {
      damage.cause = e; // without a call, for which there may be no stack
      throw e;
    } finally {
      lock.unlock();
    }
  }

  /** Bytes of a range that are not resident; -1 if the kernel does not say. */
  long absentBytes(long offsetBytes, long sizeBytes) {
    return os.absentBytes(reservation.baseAddress() + offsetBytes, sizeBytes);
  }

  int page(long offsetBytes) {
    return (int) Math.min(Integer.MAX_VALUE, offsetBytes / os.pageSizeBytes()); // 8 TiB
  }

  long offset(int page) {
    return page * os.pageSizeBytes();
  }

  /** Under the lock. */
  int discard(long offsetBytes, long sizeBytes) {
    address[0] = reservation.baseAddress() + offsetBytes;
    rangeBytes[0] = sizeBytes;
    return os.discard(address, rangeBytes, 1);
  }

  /**
   * Commits and touches the range from its beginning, up to the size that the settings name. Memory
   * in use keeps its contents. Other threads may use the range meanwhile, but should not write to
   * memory that is not committed yet: it goes back if the pretouch fails.
   *
   * @param settings how much memory, and how it is touched
   * @return the figures of this pretouch
   * @throws OutOfNativeMemoryError with all figures, if there is not enough memory or budget; the
   *     memory that the pretouch took has then gone back
   * @throws java.util.concurrent.CancellationException if the pretouch was cancelled; the memory
   *     that it took has then gone back
   * @throws IllegalArgumentException if the settings name a NUMA node that does not exist, or that
   *     has no processor for this process
   * @throws IllegalStateException if this is closed or damaged
   */
  public PretouchReport pretouch(Pretouch settings) {
    Objects.requireNonNull(settings, "settings");
    StackReserve.ensure();
    long pageBytes = os.pageSizeBytes();
    long mostBytes = Math.min(settings.mostBytes(), sizeBytes());
    long wantedBytes = (mostBytes + pageBytes - 1) & -pageBytes;
    TouchRun run = new TouchRun(os, settings, "memory=" + name);
    ReservedTouch source = new ReservedTouch(this, wantedBytes);
    boolean isDone = false;
    lock.lock();
    try {
      requireOpen();
      damage.check();
      touches.add(source);
    } finally {
      lock.unlock();
    }
    try {
      TouchNeed need = source.need();
      if (need.budgetBytes() > budget.availableBytes()) {
        // Here, where no lock is held.
        var _ = Ledger.of(budget).makeRoomInHoles(budget, need.budgetBytes());
        need = source.need();
      }
      run.check(need);
      PretouchReport report = run.run(source, wantedBytes);
      isDone = true;
      return report;
    } finally {
      lock.lock();
      try {
        if (isDone) { // it is the program's, whatever becomes of other pretouches
          disown(source, 0, wantedBytes);
        }
        touches.remove(source);
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Gives memory and addresses back. Has no effect if this is already closed.
   *
   * @throws IllegalStateException if a pretouch is running, or a native call uses the segment:
   *     nothing has changed then; or if the kernel does not take the addresses back: the segment is
   *     inaccessible then, and another close tries again
   */
  @Override
  public void close() {
    StackReserve.ensure();
    lock.lock();
    try {
      if (isClosed) {
        return;
      }
      if (!touches.isEmpty()) {
        throw new IllegalStateException(
            "memory is being pretouched: memory=" + name + " (expected a close after its end)");
      }
      if (arena.scope().isAlive()) {
        arena.close();
      }
      int error = reservation.release();
      if (error < 0) {
        throw new IllegalStateException(
            "address space was not given back: memory="
                + name
                + ", sizeBytes="
                + sizeBytes()
                + ", errno="
                + Errno.name(error)
                + " (close it again)");
      }
      isClosed = true;
      if (leak != null) {
        leak.cancel();
      }
    } finally {
      lock.unlock();
      // Pairs with ReservedLeak: this may be the last use of a handle that the program drops.
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Whether {@link #close} has given everything back; once true, it stays true. False after a close
   * whose addresses the kernel did not take back.
   */
  public boolean isClosed() {
    StackReserve.ensureShort();
    lock.lock();
    try {
      return isClosed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether this no longer serves requests, because an operation ended half-way: at the end of the
   * stack of its thread, or by an error of the library. Damage is permanent. {@link #close} gives
   * all memory back.
   */
  public boolean isDamaged() {
    return damage.isNoted();
  }

  @Override
  public String toString() {
    return "ReservedMemory[name="
        + name
        + ", sizeBytes="
        + sizeBytes()
        + ", committedBytes="
        + committedBytes()
        + "]";
  }

  private void requireOpen() {
    if (!arena.scope().isAlive()) {
      throw new IllegalStateException("memory is closed: memory=" + name);
    }
  }

  private void requireWithin(long offsetBytes, long sizeBytes) {
    long _ = Objects.checkFromIndexSize(offsetBytes, sizeBytes, sizeBytes());
    long pageBytes = os.pageSizeBytes();
    if (offsetBytes % pageBytes != 0 || sizeBytes % pageBytes != 0) {
      throw new IllegalArgumentException(
          "range is not whole OS pages: memory="
              + name
              + ", offsetBytes="
              + offsetBytes
              + ", sizeBytes="
              + sizeBytes
              + " (expected multiples of "
              + pageBytes
              + ")");
    }
  }
}
