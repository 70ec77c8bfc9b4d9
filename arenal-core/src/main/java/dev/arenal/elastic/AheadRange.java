package dev.arenal.elastic;

import org.jspecify.annotations.Nullable;

/**
 * The committed part of an arena's stretch beyond what the arena has taken, and how the arena
 * grows.
 *
 * <p>The range belongs to the space: the owner of the arena takes of it under the lock of the
 * space, which may as well give it back to the kernel. So memory can be made ready before it is
 * needed and costs nothing where it turns out not to be. All fields are guarded by that lock.
 */
final class AheadRange {
  final ChunkedArena arena;

  /** Committed and not taken: {@code start} to {@code end}, whole granules. */
  long start;

  long end;

  /** Bytes that the arena has taken since another one took the last. */
  long visitBytes;

  /** Bytes that it took in a visit before. */
  long usualVisitBytes;

  /** The arena that took memory after this one's last visit, and is expected next time. */
  @Nullable AheadRange next;

  /** Its pages are being populated; they may be taken meanwhile. */
  boolean touching;

  /** Its pages are on their way to the kernel; they must not be taken. */
  boolean revoking;

  /** Its arena is being closed: nothing new is to begin. */
  boolean closing;

  /** Neighbours in the order in which ranges were made ready; only where there is a range. */
  @Nullable AheadRange older;

  @Nullable AheadRange newer;

  AheadRange(ChunkedArena arena) {
    this.arena = arena;
  }

  long sizeBytes() {
    return end - start;
  }

  boolean isBusy() {
    return touching || revoking;
  }

  /** Notes that the arena has taken all up to an address. */
  void taken(long to) {
    start = to;
    end = Math.max(end, to);
  }

  /** The arena is about to take memory after another one did. */
  void beginVisit() {
    usualVisitBytes = usualVisitBytes == 0 ? visitBytes : (usualVisitBytes + visitBytes + 1) / 2;
    visitBytes = 0;
  }
}
