package dev.arenal.os;

import java.util.Arrays;

/**
 * How many mappings of this process are Arenal's, all of its reservations together, and how many
 * there may be: the kernel allows a number only ({@code vm.max_map_count}), and a JVM that finds
 * none left cannot start a thread, or ends.
 *
 * <p>Counts reservations and the edges inside them, which are addresses where the kernel may have
 * one mapping end and another begin. An edge is a <em>border</em> if memory is accessible on one
 * side of it only, and a <em>seam</em> if it is so on both, or if nothing is known of it: mappings
 * that were touched apart from each other stay apart when what lies between becomes accessible, and
 * so do those that were moved or advised differently. The kernel has as many mappings as are
 * counted here, or fewer.
 *
 * <p>Each change is noted before the call to the kernel, and taken back if the kernel refuses. All
 * methods are thread-safe; nothing is locked after this.
 */
final class Mappings {
  /** In the lowest bits of an edge, which is a multiple of the page size. */
  private static final int NO_EDGE = 0;

  private static final int BORDER = 1;
  private static final int SEAM = 2;

  /** Where a reservation begins: counted with it. */
  private static final int START = 3;

  /** A border that was a seam before: if the kernel refuses the change, it is one again. */
  private static final int BORDER_ON_SEAM = 4;

  private static final int KINDS = 7;

  /** The most that one call adds. */
  private static final int MOST_ADDED = 2;

  /** No monitor, which a virtual thread would wait for off its carrier, the owner's lock held. */
  private final CarrierLock lock = new CarrierLock();

  private final long mostCount;
  private final int pageShift;

  /** A hash table with open addressing: each edge with its kind; 0: nothing. */
  private long[] edges = new long[64];

  private int edgeCount;

  /** As a field of its own, so that it is read without a lock. */
  private volatile int count;

  Mappings(long mostCount, long pageBytes) {
    this.mostCount = mostCount;
    this.pageShift = Long.numberOfTrailingZeros(pageBytes);
  }

  /** Reservations and edges inside them. */
  int count() {
    return count;
  }

  /**
   * Notes a reservation.
   *
   * @return false if there would be too many mappings: nothing has changed then
   */
  boolean reserved(long address) {
    lock.lock();
    try {
      if (!mayAdd(1)) {
        return false;
      }
      put(address, START);
      count = edgeCount;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** All that was known of these addresses is over. */
  void released(long address, long sizeBytes) {
    lock.lock();
    try {
      long end = address + sizeBytes;
      removeBetween(address, end);
      remove(address);
      if (kind(end) != START) { // another reservation may begin there
        remove(end);
      }
      count = edgeCount;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Notes that a range without access becomes accessible.
   *
   * @return false if there would be too many mappings: nothing has changed then
   */
  boolean allow(long address, long sizeBytes) {
    lock.lock();
    try {
      long end = address + sizeBytes;
      boolean joinsLeft = isBorder(kind(address));
      boolean joinsRight = isBorder(kind(end));
      if (!mayAdd(added(address) + added(end))) {
        return false;
      }
      if (joinsLeft && joinsRight) {
        remove(address);
        put(end, SEAM); // both sides were touched apart, most likely
      } else {
        toggle(address);
        toggle(end);
      }
      count = edgeCount;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Notes that an accessible range loses its access.
   *
   * @return false if there would be too many mappings: nothing has changed then
   */
  boolean revoke(long address, long sizeBytes) {
    lock.lock();
    try {
      long end = address + sizeBytes;
      if (!mayAdd(added(address) + added(end))) {
        return false;
      }
      removeBetween(address, end);
      toggle(address);
      toggle(end);
      count = edgeCount;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Takes back {@link #allow} or {@link #revoke}, but for seams inside, which are forgotten. */
  void undo(long address, long sizeBytes) {
    lock.lock();
    try {
      toggleBack(address);
      toggleBack(address + sizeBytes);
      count = edgeCount;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Notes that a range becomes a mapping of its own, by a move or by advice.
   *
   * @return false if there would be too many mappings: nothing has changed then
   */
  boolean split(long address, long sizeBytes) {
    lock.lock();
    try {
      long end = address + sizeBytes;
      if (!mayAdd(Math.max(0, added(address)) + Math.max(0, added(end)))) {
        return false;
      }
      if (kind(address) == NO_EDGE) {
        put(address, SEAM);
      }
      if (kind(end) == NO_EDGE) {
        put(end, SEAM);
      }
      count = edgeCount;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Of an edge the side changes on which the caller's range lies. */
  private void toggle(long address) {
    switch (kind(address)) {
      case NO_EDGE -> put(address, BORDER);
      case BORDER, BORDER_ON_SEAM -> remove(address);
      case SEAM -> put(address, BORDER_ON_SEAM);
      default -> {} // a reservation begins here, whatever lies before it
    }
  }

  private void toggleBack(long address) {
    if (kind(address) == BORDER_ON_SEAM) {
      put(address, SEAM);
    } else {
      toggle(address);
    }
  }

  private static boolean isBorder(int kind) {
    return kind == BORDER || kind == BORDER_ON_SEAM;
  }

  /** The change of the count that {@link #toggle} would make. */
  private int added(long address) {
    return switch (kind(address)) {
      case NO_EDGE -> 1;
      case BORDER, BORDER_ON_SEAM -> -1;
      default -> 0;
    };
  }

  /** Also makes room, so that nothing that follows needs the Java heap. */
  private boolean mayAdd(int added) {
    return (added <= 0 || edgeCount + added <= mostCount) && hasRoom();
  }

  private boolean hasRoom() {
    if (2 * (edgeCount + MOST_ADDED) > edges.length) {
      try {
        long[] larger = new long[2 * edges.length];
        for (long edge : edges) {
          if (edge != 0) {
            larger[find(larger, edge & ~KINDS)] = edge;
          }
        }
        edges = larger;
      } catch (OutOfMemoryError e) { // of the Java heap: the kernel is not asked then
        return false;
      }
    }
    return true;
  }

  // ---- the table ----

  private int kind(long address) {
    return (int) edges[find(edges, address)] & KINDS;
  }

  private void put(long address, int kind) {
    int at = find(edges, address);
    edgeCount += edges[at] == 0 ? 1 : 0;
    edges[at] = address | kind;
  }

  private void remove(long address) {
    int at = find(edges, address);
    if (edges[at] != 0) {
      removeAt(at);
    }
  }

  private void removeAt(int at) {
    edges[at] = 0;
    edgeCount--;
    // An entry that came after it may have been on its way to this place.
    int mask = edges.length - 1;
    for (int next = (at + 1) & mask; edges[next] != 0; next = (next + 1) & mask) {
      long edge = edges[next];
      edges[next] = 0;
      edges[find(edges, edge & ~KINDS)] = edge;
    }
  }

  /** Those between two addresses, both left out. */
  private void removeBetween(long from, long to) {
    long pages = (to - from) >>> pageShift;
    if (pages <= edges.length) {
      for (long page = 1; page < pages; page++) {
        remove(from + (page << pageShift));
      }
      return;
    }
    for (int at = 0; at < edges.length; ) {
      if (isBetween(edges[at], from, to)) {
        removeAt(at); // by its place: then it is gone for certain, and another one may be here
      } else {
        at++;
      }
    }
  }

  private static boolean isBetween(long edge, long from, long to) {
    long address = edge & ~KINDS;
    return address > from && address < to;
  }

  private int find(long[] table, long address) {
    int mask = table.length - 1;
    int at = (int) (((address >>> pageShift) * 0x9E3779B97F4A7C15L) >>> 40) & mask;
    while (table[at] != 0 && (table[at] & ~KINDS) != address) {
      at = (at + 1) & mask;
    }
    return at;
  }

  @Override
  public String toString() {
    lock.lock();
    try {
      long[] sorted = Arrays.stream(edges).filter(edge -> edge != 0).sorted().toArray();
      return "Mappings[count=" + edgeCount + ", edges=" + Arrays.toString(sorted) + "]";
    } finally {
      lock.unlock();
    }
  }
}
