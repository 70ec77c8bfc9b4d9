package dev.arenal.reserve;

import dev.arenal.os.Errno;
import dev.arenal.os.OperatingSystem;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One reserved range of addresses whose granules are committed against a budget and given back one
 * by one.
 *
 * <p>Knows which granules are committed (INV-MEM-1: the mask is the truth, and {@link
 * #committedBytes()} its sum) and which may hold something else than zero (INV-MEM-2: a granule
 * that is committed and not dirty reads as zero). Offsets are in bytes from {@link #baseAddress()}.
 *
 * <p>Not thread-safe: the owner guards it.
 */
public final class Reservation {
  /** Returned by {@link #commit} if the budget, not the kernel, refuses. */
  public static final long REFUSED_BY_BUDGET = Long.MIN_VALUE;

  private final OperatingSystem os;
  private final long mappedAddress;
  private final long mappedSizeBytes;
  private final long baseAddress;
  private final long sizeBytes;
  private final int granuleShift;
  private final boolean isProtected;
  private final Ledger ledger;
  private final GranuleMask committed;
  private final GranuleMask dirty;
  private final NavigableMap<Long, Long> excludedSizesBytes = new TreeMap<>();

  /** Whether the Java heap was too full to note which addresses are excluded. */
  private boolean hasExcludedMore;

  private long committedBytes;
  private long everCommittedBytes;

  /**
   * The bytes that the budget has counted for {@link #commit}, changed right beside it: whatever
   * happens in between to the rest, the budget gets this back in the end.
   */
  private long countedBytes;

  /** Up to here it has been released, or the kernel has been asked to (INV-MEM-5). */
  private long releasedAddress;

  private Reservation(
      OperatingSystem os,
      long mappedAddress,
      long mappedSizeBytes,
      long baseAddress,
      long sizeBytes,
      long granuleBytes,
      boolean isProtected,
      Ledger ledger) {
    this.os = os;
    this.mappedAddress = mappedAddress;
    this.mappedSizeBytes = mappedSizeBytes;
    this.releasedAddress = mappedAddress;
    this.baseAddress = baseAddress;
    this.sizeBytes = sizeBytes;
    this.granuleShift = Long.numberOfTrailingZeros(granuleBytes);
    this.isProtected = isProtected;
    this.ledger = ledger;
    this.committed = new GranuleMask(sizeBytes >>> granuleShift);
    this.dirty = new GranuleMask(sizeBytes >>> granuleShift);
  }

  /**
   * Reserves {@code sizeBytes} bytes of address space, aligned to {@code alignmentBytes}.
   *
   * @param granuleBytes unit of commit, a power of two, at least a page
   * @param isProtected whether it is accessible only where it is committed
   * @param ledger counts committed bytes
   * @throws ReserveFailedException if the kernel refuses
   */
  public static Reservation reserve(
      OperatingSystem os,
      long sizeBytes,
      long alignmentBytes,
      long granuleBytes,
      boolean isProtected,
      Ledger ledger)
      throws ReserveFailedException {
    // The kernel aligns to pages only: ask for more and leave the ends unused. They cost addresses.
    // A full alignment more, so that two reservations never touch: blocks must not join across.
    long mappedSizeBytes = sizeBytes + alignmentBytes;
    if (mappedSizeBytes < 0) {
      throw new ReserveFailedException(sizeBytes, -Errno.ENOMEM);
    }
    long mapped = os.reserve(mappedSizeBytes, !isProtected);
    if (mapped < 0) {
      throw new ReserveFailedException(sizeBytes, mapped);
    }
    long base = (mapped + alignmentBytes - 1) & -alignmentBytes;
    Reservation reservation = null;
    try {
      reservation =
          new Reservation(
              os, mapped, mappedSizeBytes, base, sizeBytes, granuleBytes, isProtected, ledger);
      return reservation;
    } finally {
      if (reservation == null) { // the heap is full
        var _ = os.release(mapped, mappedSizeBytes);
      }
    }
  }

  /** Address of the first byte. */
  public long baseAddress() {
    return baseAddress;
  }

  /** Size in bytes. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** Bytes in committed granules. */
  public long committedBytes() {
    return committedBytes;
  }

  /** All bytes that were ever committed, also those that have gone back since. */
  public long everCommittedBytes() {
    return everCommittedBytes;
  }

  /** Estimate of the Java heap that knows the state of the granules. */
  public long metadataBytes() {
    return committed.metadataBytes() + dirty.metadataBytes();
  }

  /** Address of the byte behind the last one. */
  public long endAddress() {
    return baseAddress + sizeBytes;
  }

  /** Bytes of the granules in a range that are committed; the range must cover whole granules. */
  public long committedBytes(long offsetBytes, long rangeBytes) {
    long from = offsetBytes >>> granuleShift;
    return committed.count(from, from + (rangeBytes >>> granuleShift)) << granuleShift;
  }

  /** Whether the granule at this offset is committed. */
  public boolean isCommitted(long offsetBytes) {
    return committed.get(offsetBytes >>> granuleShift);
  }

  /**
   * Commits every granule that the range touches and that is not committed yet: all or none.
   *
   * @return bytes newly committed, or {@link #REFUSED_BY_BUDGET}, or a negative errno
   */
  public long commit(long offsetBytes, long rangeBytes) {
    long from = offsetBytes >>> granuleShift;
    long to = ((offsetBytes + rangeBytes - 1) >>> granuleShift) + 1;
    long wantedBytes = (to - from - committed.count(from, to)) << granuleShift;
    if (wantedBytes == 0) {
      return 0;
    }
    long result = -1;
    try {
      committed.prepare(from, to);
      dirty.prepare(from, to);
      result = commitPrepared(from, to, wantedBytes);
    } finally {
      if (result < 0) { // refused, or the heap is full
        committed.trim(from, to, dirty);
      }
    }
    return result;
  }

  private long commitPrepared(long from, long to, long wantedBytes) {
    if (!ledger.tryCommit(wantedBytes)) {
      return REFUSED_BY_BUDGET;
    }
    countedBytes += wantedBytes;
    if (isProtected) {
      int error = -1;
      try {
        error = allowAll(from, to);
      } finally {
        if (error < 0) {
          uncount(wantedBytes);
        }
      }
      if (error < 0) {
        return error;
      }
    }
    committed.set(from, to);
    committedBytes += wantedBytes;
    everCommittedBytes += wantedBytes;
    return wantedBytes;
  }

  private void uncount(long sizeBytes) {
    ledger.uncommit(sizeBytes);
    countedBytes -= sizeBytes;
  }

  /**
   * Marks the granules that the range touches as possibly not zero.
   *
   * @return whether any of them was marked before, so that the range must be zeroed before use
   */
  public boolean markDirty(long offsetBytes, long rangeBytes) {
    long from = offsetBytes >>> granuleShift;
    long to = ((offsetBytes + rangeBytes - 1) >>> granuleShift) + 1;
    boolean wasDirty = dirty.next(from, to, true) != to;
    dirty.set(from, to);
    return wasDirty;
  }

  /** Whether any granule that the range touches may hold something else than zero. */
  public boolean isDirty(long offsetBytes, long rangeBytes) {
    long from = offsetBytes >>> granuleShift;
    long to = ((offsetBytes + rangeBytes - 1) >>> granuleShift) + 1;
    return dirty.next(from, to, true) != to;
  }

  /** The first committed granule in the range as an offset; the end of the range if none is. */
  public long nextCommitted(long offsetBytes, long endBytes) {
    return committed.next(offsetBytes >>> granuleShift, endBytes >>> granuleShift, true)
        << granuleShift;
  }

  /** The first granule in the range that is not committed; the end of the range if all are. */
  public long nextUncommitted(long offsetBytes, long endBytes) {
    return committed.next(offsetBytes >>> granuleShift, endBytes >>> granuleShift, false)
        << granuleShift;
  }

  /** Makes room to note the state of a range, so that noting it cannot run out of heap. */
  public void prepare(long offsetBytes, long rangeBytes) {
    long from = offsetBytes >>> granuleShift;
    long to = from + (rangeBytes >>> granuleShift);
    committed.prepare(from, to);
    dirty.prepare(from, to);
  }

  /**
   * Notes that a range that was {@linkplain #prepare prepared} and had nothing committed is
   * committed now: its owner has counted it in the budget and, in protect mode, made it accessible.
   * For owners that make no system call under the lock that guards this object.
   */
  public void committed(long offsetBytes, long rangeBytes) {
    markCommitted(offsetBytes, rangeBytes);
    everCommittedBytes += rangeBytes;
    countedBytes += rangeBytes; // last: where it ends before, its owner still has it to give back
  }

  private void markCommitted(long offsetBytes, long rangeBytes) {
    long from = offsetBytes >>> granuleShift;
    long to = from + (rangeBytes >>> granuleShift);
    assert committed.count(from, to) == 0 : "already committed: offsetBytes=" + offsetBytes;
    committed.set(from, to);
    committedBytes += rangeBytes;
  }

  /**
   * Notes that the memory of a range, all of it committed, is in another one now, here or in
   * another reservation, which notes it by {@link #taken}: before or after, so that two locks may
   * guard the two. The budget, which both have, counts it as before.
   *
   * @param inFlightBytes grows by what the budget counts and this one does not any more
   */
  public void given(long offsetBytes, long rangeBytes, AtomicLong inFlightBytes) {
    countedBytes -= rangeBytes;
    inFlightBytes.addAndGet(rangeBytes); // no call of our own in between
    long from = offsetBytes >>> granuleShift;
    long end = from + (rangeBytes >>> granuleShift);
    assert committed.next(from, end, false) == end : "not committed: offsetBytes=" + offsetBytes;
    committed.clear(from, end);
    dirty.clear(from, end);
    committedBytes -= rangeBytes;
  }

  /**
   * The other half: the range was {@linkplain #prepare prepared} and had nothing committed.
   *
   * @param inFlightBytes loses what this one counts from now on; less than 0 as long as both count
   *     it
   */
  public void taken(long offsetBytes, long rangeBytes, boolean isDirty, AtomicLong inFlightBytes) {
    markCommitted(offsetBytes, rangeBytes);
    if (isDirty) {
      var _ = markDirty(offsetBytes, rangeBytes);
    }
    countedBytes += rangeBytes;
    inFlightBytes.addAndGet(-rangeBytes); // no call of our own in between
  }

  /**
   * Removes up to a number of bytes from the count, which another owner has counted; for the end of
   * an owner.
   *
   * @return how many
   */
  public long leaveCount(long mostBytes) {
    long sizeBytes = Math.min(mostBytes, countedBytes);
    countedBytes -= sizeBytes;
    return sizeBytes;
  }

  /**
   * Notes that the granules of a range have gone back to the kernel by a claim.
   *
   * @return bytes uncommitted
   */
  public long uncommitted(long offsetBytes, long rangeBytes) {
    long from = offsetBytes >>> granuleShift;
    long to = from + (rangeBytes >>> granuleShift);
    long uncommittedBytes = committed.count(from, to) << granuleShift;
    committed.clear(from, to);
    dirty.clear(from, to);
    committedBytes -= uncommittedBytes;
    uncount(uncommittedBytes);
    return uncommittedBytes;
  }

  /**
   * Excludes a range, which has nothing committed: its addresses may belong to another owner, since
   * a {@linkplain OperatingSystem#move move} has ended so. They are never released.
   */
  public void exclude(long offsetBytes, long rangeBytes) {
    boolean hadMore = hasExcludedMore;
    hasExcludedMore = true;
    try {
      excludedSizesBytes.put(baseAddress + offsetBytes, rangeBytes);
      hasExcludedMore = hadMore; // an earlier one that could not be noted stays unknown
    } catch (OutOfMemoryError e) { // of the Java heap: the caller is about to keep its own books
      Thread.onSpinWait();
    }
  }

  /**
   * Gives address space and all memory in it back to the kernel. Addresses for which an earlier
   * call has ended by an error of the JVM stay out of it, since they may be gone (INV-MEM-5).
   *
   * @return 0, or a negative errno; nothing has changed then, or, where addresses are excluded,
   *     what lies before some of them is gone: try again
   */
  public int release() {
    if (hasExcludedMore) { // none of them goes back, rather than one that has another owner
      uncount(countedBytes);
      committedBytes = 0;
      return 0;
    }
    int error =
        excludedSizesBytes.isEmpty() ? 0 : releaseUpToExcluded(); // nearly never: it needs the heap
    if (error < 0) {
      return error;
    }
    error = releaseUpTo(mappedAddress + mappedSizeBytes);
    if (error == 0) {
      uncount(countedBytes);
      committedBytes = 0;
    }
    return error;
  }

  /**
   * Discards all memory, as far as the kernel takes it, instead of a release: the addresses stay
   * mapped for ever, since a program may still read and write there.
   */
  public void discardAll() {
    try {
      long[] addresses = new long[1];
      long[] sizesBytes = new long[1];
      long end = sizeBytes >>> granuleShift;
      long start = committed.next(releasedGranules(end), end, true);
      while (start < end) {
        long stop = committed.next(start, end, false);
        addresses[0] = addressOf(start);
        sizesBytes[0] = (stop - start) << granuleShift;
        var _ = os.discard(addresses, sizesBytes, 1);
        start = committed.next(stop, end, true);
      }
    } catch (OutOfMemoryError e) { // of the Java heap: the memory stays, and is not counted
      Thread.onSpinWait();
    }
    uncount(countedBytes);
    committedBytes = 0;
    releasedAddress = mappedAddress + mappedSizeBytes;
  }

  private int releaseUpToExcluded() {
    for (Map.Entry<Long, Long> excluded : excludedSizesBytes.entrySet()) {
      int error = releaseUpTo(excluded.getKey());
      if (error < 0) {
        return error;
      }
      releasedAddress = Math.max(releasedAddress, excluded.getKey() + excluded.getValue());
    }
    return 0;
  }

  /** How many at the start may have another owner, since they were released; not above a count. */
  private long releasedGranules(long granuleCount) {
    long bytes = Math.max(0, releasedAddress - baseAddress);
    return Math.min(granuleCount, (bytes + (1L << granuleShift) - 1) >>> granuleShift);
  }

  /**
   * Noted before the kernel is asked: where an error of the JVM ends the call, it is unknown
   * whether the addresses have another owner, a stack of a thread perhaps, and they are not
   * released again (INV-MEM-5).
   */
  private int releaseUpTo(long address) {
    long from = releasedAddress;
    if (address <= from) {
      return 0;
    }
    releasedAddress = address;
    int error = os.release(from, address - from);
    if (error < 0) {
      releasedAddress = from;
    }
    return error;
  }

  private int allowAll(long from, long to) {
    long start = committed.next(from, to, false);
    while (start < to) {
      long end = committed.next(start, to, true);
      int error = os.allow(addressOf(start), (end - start) << granuleShift);
      if (error < 0) {
        revokeUncommitted(from, start);
        return error;
      }
      start = committed.next(end, to, false);
    }
    return 0;
  }

  /**
   * Undoes {@link #allowAll} up to {@code to}. A refusal here leaves pages accessible: harmless.
   */
  private void revokeUncommitted(long from, long to) {
    long start = committed.next(from, to, false);
    while (start < to) {
      long end = committed.next(start, to, true);
      var _ = os.revoke(addressOf(start), (end - start) << granuleShift);
      start = committed.next(end, to, false);
    }
  }

  private long addressOf(long granule) {
    return baseAddress + (granule << granuleShift);
  }
}
