package dev.arenal.page.granule;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.OperatingSystem;
import dev.arenal.reserve.Ledger;
import dev.arenal.reserve.Reservation;
import dev.arenal.reserve.ReserveFailedException;
import dev.arenal.supply.Claim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The address space of a supply: one or more reservations, whose granules have numbers in the order
 * of addresses.
 *
 * <p>Between two reservations a number is left out, so that no range spans them. Commit state is
 * that of the {@link Reservation}s, to the OS page, because parts of a page in use may be
 * discarded.
 *
 * <p>Not thread-safe, apart from the translation between numbers and addresses.
 */
final class PageAddresses implements Claim.Reservations {
  private static final long GRANULE_BYTES = PageSupply.GRANULE_BYTES;

  /** Times the capacity: so that there is a hole for a large page next to scattered small ones. */
  private static final int ADDRESSES_PER_CAPACITY = 4;

  /** Half of the addresses of a process on x86-64; more is never asked for. */
  private static final long MOST_BYTES = 1L << 46;

  /** The capacity is not put together from smaller pieces than this part of it. */
  private static final int MOST_PIECES = 64;

  private final PageSettings settings;
  private final List<Piece> pieces;
  private final int granuleCount;

  /**
   * Counted against the budget, and not yet in any reservation; less than 0: counted here, and by
   * another owner already, to which it has moved. May be changed without the lock.
   */
  private final AtomicLong inFlightBytes = new AtomicLong();

  /** Whether memory can be moved: not in protect mode, and not after a move has failed for good. */
  private boolean canMove;

  /** While the kernel is asked for huge pages: that would move with the memory, and stay. */
  private boolean isStill;

  private record Piece(Reservation reservation, int first, int count) {
    long offsetBytes(int granule) {
      return (granule - first) * GRANULE_BYTES;
    }
  }

  private PageAddresses(PageSettings settings, List<Reservation> reservations) {
    this.settings = settings;
    List<Piece> list = new ArrayList<>();
    int first = 0;
    for (Reservation reservation : reservations) {
      int count = Math.toIntExact(reservation.sizeBytes() / GRANULE_BYTES);
      list.add(new Piece(reservation, first, count));
      first += count + 1;
    }
    this.pieces = list;
    this.granuleCount = first - 1;
    this.canMove = settings.commitMode() == CommitMode.DISCARD;
  }

  /**
   * Reserves four times the capacity, or as much as the kernel gives, but at least the capacity.
   *
   * @throws OutOfMemoryError if the kernel does not give that much
   */
  static PageAddresses reserve(PageSettings settings) {
    long capacityBytes = settings.capacityBytes();
    long leastBytes = Math.max(GRANULE_BYTES, capacityBytes & -GRANULE_BYTES);
    long wantedBytes =
        leastBytes > MOST_BYTES / ADDRESSES_PER_CAPACITY
            ? leastBytes
            : leastBytes * ADDRESSES_PER_CAPACITY;
    long largestBytes =
        Math.max(GRANULE_BYTES, settings.largestReservationBytes() & -GRANULE_BYTES);
    // With a capacity of its own: else it has no room before the first one is added.
    ArrayList<Reservation> reservations = new ArrayList<>(1);
    boolean done = false;
    try {
      reserveAll(settings, leastBytes, wantedBytes, largestBytes, reservations);
      if (reservations.size() > 1) {
        reservations.sort(Comparator.comparingLong(Reservation::baseAddress));
      }
      PageAddresses addresses = new PageAddresses(settings, reservations);
      done = true;
      return addresses;
    } finally {
      if (!done) {
        for (int i = 0; i < reservations.size(); i++) {
          var _ = reservations.get(i).release();
        }
      }
    }
  }

  @SuppressWarnings("NonApiType") // its capacity matters
  private static void reserveAll(
      PageSettings settings,
      long leastBytes,
      long wantedBytes,
      long largestBytes,
      ArrayList<Reservation> into) {
    long reservedBytes = 0;
    long pieceBytes = Math.min(wantedBytes, largestBytes);
    while (reservedBytes < wantedBytes) {
      long sizeBytes = Math.min(pieceBytes, wantedBytes - reservedBytes);
      into.ensureCapacity(into.size() + 1); // first: what is reserved must not be lost
      try {
        into.add(
            Reservation.reserve(
                settings.os(),
                sizeBytes,
                GRANULE_BYTES,
                settings.os().pageSizeBytes(),
                settings.commitMode() == CommitMode.PROTECT,
                Ledger.of(settings.budget())));
        reservedBytes += sizeBytes;
      } catch (ReserveFailedException e) {
        if (reservedBytes >= leastBytes) {
          return;
        }
        if (sizeBytes / 2 < Math.max(GRANULE_BYTES, leastBytes / MOST_PIECES)) {
          throw outOfAddresses(settings, reservedBytes, e);
        }
        pieceBytes = sizeBytes / 2 & -GRANULE_BYTES;
      }
    }
  }

  private static OutOfNativeMemoryError outOfAddresses(
      PageSettings settings, long reservedBytes, ReserveFailedException cause) {
    String message =
        "address space refused: allocator="
            + settings.name()
            + ", capacityBytes="
            + settings.capacityBytes()
            + ", reservedBytes="
            + reservedBytes
            + ", errno="
            + settings.os().describe(cause.errno())
            + " ("
            + OperatingSystem.adviceOnAddresses(cause.errno())
            + ")";
    OutOfNativeMemoryError error =
        Ledger.of(settings.budget()).refusal(message, settings.name(), settings.capacityBytes(), 0);
    var _ = error.initCause(cause);
    return error;
  }

  // ---- numbers and addresses ----

  /** Numbers that are in use, those between reservations included. */
  int granuleCount() {
    return granuleCount;
  }

  int pieceCount() {
    return pieces.size();
  }

  int firstOfPiece(int index) {
    return pieces.get(index).first;
  }

  int countOfPiece(int index) {
    return pieces.get(index).count;
  }

  /** One of its reservations; null behind the last. */
  @Nullable Reservation reservation(int index) {
    return index < pieces.size() ? pieces.get(index).reservation : null;
  }

  long address(int granule) {
    Piece piece = pieceOf(granule);
    return piece.reservation.baseAddress() + piece.offsetBytes(granule);
  }

  /**
   * Number of the granule of an address.
   *
   * @throws IllegalArgumentException if it is not one of this supply
   */
  int granule(long address) {
    for (int i = 0; i < pieces.size(); i++) { // no iterator: the Java heap may be full
      Piece piece = pieces.get(i);
      if (address >= piece.reservation.baseAddress() && address < piece.reservation.endAddress()) {
        return piece.first + (int) ((address - piece.reservation.baseAddress()) / GRANULE_BYTES);
      }
    }
    throw new IllegalArgumentException(
        "address belongs to no page: allocator="
            + settings.name()
            + ", address=0x"
            + Long.toHexString(address));
  }

  private Piece pieceOf(int granule) {
    int low = 0;
    int high = pieces.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (pieces.get(middle).first <= granule) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return pieces.get(low);
  }

  // ---- commit state; ranges of granules lie in one piece ----

  long reservedBytes() {
    long bytes = 0;
    for (int i = 0; i < pieces.size(); i++) {
      bytes += pieces.get(i).reservation.sizeBytes();
    }
    return bytes;
  }

  long committedBytes() {
    long bytes = 0;
    for (int i = 0; i < pieces.size(); i++) {
      bytes += pieces.get(i).reservation.committedBytes();
    }
    return bytes;
  }

  long committedBytes(int from, int count) {
    Piece piece = pieceOf(from);
    return piece.reservation.committedBytes(piece.offsetBytes(from), count * GRANULE_BYTES);
  }

  boolean isDirty(int from, int count) {
    Piece piece = pieceOf(from);
    return piece.reservation.isDirty(piece.offsetBytes(from), count * GRANULE_BYTES);
  }

  /** Notes that a range may have been written to; what is not committed in it reads as zero. */
  void markDirty(int granule, int count) {
    Piece piece = pieceOf(granule);
    long from = piece.offsetBytes(granule);
    long end = from + count * GRANULE_BYTES;
    from = piece.reservation.nextCommitted(from, end);
    while (from < end) {
      long to = piece.reservation.nextUncommitted(from, end);
      var _ = piece.reservation.markDirty(from, to - from);
      from = piece.reservation.nextCommitted(to, end);
    }
  }

  /** Makes room for the state of a range, so that noting it cannot run out of heap. */
  void prepare(int from, int count) {
    Piece piece = pieceOf(from);
    piece.reservation.prepare(piece.offsetBytes(from), count * GRANULE_BYTES);
  }

  void noteCommitted(int from, int count) {
    Piece piece = pieceOf(from);
    noteCommitted(piece.reservation, piece.offsetBytes(from), count * GRANULE_BYTES);
  }

  /** The same of a part of a reservation. */
  void noteCommitted(Reservation reservation, long offsetBytes, long sizeBytes) {
    reservation.committed(offsetBytes, sizeBytes);
    inFlightBytes.addAndGet(-sizeBytes); // no call of our own in between
  }

  /** Counts memory against the budget before it is recorded as committed, or refused. */
  boolean tryCount(long sizeBytes) {
    boolean isCounted = Ledger.of(settings.budget()).tryCommit(sizeBytes);
    if (isCounted) {
      inFlightBytes.addAndGet(sizeBytes);
    }
    return isCounted;
  }

  /** Takes memory off the budget that was counted there and could not be committed. */
  void uncountRefused(long sizeBytes) {
    Ledger.of(settings.budget()).uncommit(sizeBytes);
    inFlightBytes.addAndGet(-sizeBytes);
  }

  /** At the end of a damaged one: memory neither committed nor refused. */
  void uncountInFlight() {
    long sizeBytes = inFlightBytes.get();
    if (sizeBytes > 0) {
      uncountRefused(sizeBytes);
    }
  }

  /**
   * Whether memory may be moved: not in a mode that gives each granule its own access, nor when
   * Arenal has so many mappings, of which the kernel allows a number only to a process, that they
   * could be missed by what cannot do without.
   */
  boolean mayMove() {
    return canMove && !isStill && settings.os().hasMappingsToMove();
  }

  /** Whether nothing is to be moved from now on. */
  void keepStill(boolean still) {
    isStill = still;
  }

  /**
   * Whether the error says that it will not be different the next time, or that it costs addresses
   * each time.
   */
  static boolean endsMoving(int error) {
    return error == -Errno.ENOSYS
        || error == -Errno.EINVAL
        || error == -Errno.EPERM
        || error == -Errno.ENOTRECOVERABLE;
  }

  /** The kernel does not know how to move memory, or never does it here. */
  void moveNoMore() {
    canMove = false;
  }

  void noteMoved(int granule, int toGranule) {
    boolean wasDirty = isDirty(granule, 1);
    noteGiven(granule);
    noteTaken(toGranule, wasDirty, inFlightBytes); // which are as before
  }

  /** The memory of a granule has gone to another owner of the budget. */
  void noteGiven(int granule) {
    Piece piece = pieceOf(granule);
    piece.reservation.given(piece.offsetBytes(granule), GRANULE_BYTES, inFlightBytes);
  }

  /**
   * The memory of a granule has come from another owner of the budget.
   *
   * @param othersInFlightBytes that of the other one
   */
  void noteTaken(int granule, boolean isDirty, AtomicLong othersInFlightBytes) {
    Piece piece = pieceOf(granule);
    piece.reservation.taken(
        piece.offsetBytes(granule), GRANULE_BYTES, isDirty, othersInFlightBytes);
  }

  /** Bytes that are counted here or by another owner, but by the budget only once. */
  AtomicLong inFlightBytes() {
    return inFlightBytes;
  }

  /** Adds the committed memory of a range to a claim. */
  void addCommitted(int from, int count, Claim into) {
    Piece piece = pieceOf(from);
    into.addCommitted(piece.reservation, piece.offsetBytes(from), count * GRANULE_BYTES);
  }

  /** Excludes a granule: its addresses may belong to another mapping. */
  void exclude(int granule) {
    Piece piece = pieceOf(granule);
    piece.reservation.exclude(piece.offsetBytes(granule), GRANULE_BYTES);
  }

  /** The reservation of an address, for operations on parts of granules. */
  @Override
  public Reservation reservationOf(long address) {
    return pieceOf(granule(address)).reservation;
  }

  /** Bytes that another owner counts are not counted here; at the end, where some are left over. */
  private void leaveCount() {
    for (int i = 0; i < pieces.size() && inFlightBytes.get() < 0; i++) {
      inFlightBytes.addAndGet(pieces.get(i).reservation.leaveCount(-inFlightBytes.get()));
    }
  }

  /** Gives all of it back; memory that the kernel refuses to take back is not counted. */
  void abandon() {
    if (release() < 0) {
      for (int i = 0; i < pieces.size(); i++) {
        Reservation reservation = pieces.get(i).reservation;
        var _ = reservation.uncommitted(0, reservation.sizeBytes());
      }
    }
    uncountInFlight();
  }

  /** Discards all memory, and keeps the addresses, where buffers may still be in use. */
  void discardAll() {
    leaveCount();
    for (int i = 0; i < pieces.size(); i++) {
      pieces.get(i).reservation.discardAll();
    }
    pieces.clear();
  }

  /**
   * Gives all of it back.
   *
   * @return 0, or the last refusal of the kernel as a negative errno; what it refused is still
   *     there, and is tried the next time
   */
  int release() {
    leaveCount();
    int result = 0;
    for (int i = pieces.size() - 1; i >= 0; i--) {
      int error = pieces.get(i).reservation.release();
      if (error == 0) {
        pieces.remove(i);
      } else {
        result = error;
      }
    }
    return result;
  }
}
