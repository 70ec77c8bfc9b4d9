package dev.arenal.supply;

import dev.arenal.os.OperatingSystem;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Free committed granules that {@link Peers} have claimed for another owner of their budget, which
 * moves their memory to addresses of its own and settles what has become of each.
 *
 * <p>Not thread-safe: it belongs to the thread that asked. After it is made nothing in it needs the
 * Java heap.
 */
public final class Transfer {
  private final OperatingSystem os;
  private final long granuleBytes;
  private final long[] addresses;
  private final AtomicLong[] inFlight;
  private final BitSet dirty;
  private final BitSet moved;
  private int count;

  /** Those that have added something, and how much there was then; for {@link Peers}. */
  final Peers.Peer[] peers;

  final int[] ends;
  int peerCount;

  Transfer(OperatingSystem os, long granuleBytes, int mostGranules, int mostPeers) {
    this.os = os;
    this.granuleBytes = granuleBytes;
    this.addresses = new long[mostGranules];
    this.inFlight = new AtomicLong[mostGranules];
    this.dirty = fullSize(mostGranules);
    this.moved = fullSize(mostGranules);
    this.peers = new Peers.Peer[mostPeers];
    this.ends = new int[mostPeers];
  }

  private static BitSet fullSize(int count) {
    BitSet bits = new BitSet(count);
    bits.set(count - 1);
    bits.clear();
    return bits;
  }

  /** The kernel that moves it; a peer that has another one offers nothing. */
  public OperatingSystem os() {
    return os;
  }

  /** Size and alignment of each of its granules. */
  public long granuleBytes() {
    return granuleBytes;
  }

  /** How many granules may still be added. */
  public int restGranules() {
    return addresses.length - count;
  }

  /**
   * Adds a granule, all of it committed, which only the asking thread will touch.
   *
   * @param inFlightBytes what the budget counts and the books of the peer do not; see {@code
   *     Reservation.given}
   */
  public void add(long address, boolean isDirty, AtomicLong inFlightBytes) {
    addresses[count] = address;
    inFlight[count] = inFlightBytes;
    dirty.set(count, isDirty);
    count++;
  }

  /** Whether another peer can add something. */
  boolean hasRoom() {
    return restGranules() > 0 && peerCount < peers.length;
  }

  /** Granules added from there on are settled by that peer. */
  void addedBy(Peers.Peer peer, int from) {
    if (count > from) {
      peers[peerCount] = peer;
      ends[peerCount] = count;
      peerCount++;
    }
  }

  /** Number of granules. */
  public int count() {
    return count;
  }

  /** The address of a granule at its peer, before it is moved. */
  public long address(int index) {
    return addresses[index];
  }

  /** Whether it may hold something else than zero. */
  public boolean isDirty(int index) {
    return dirty.get(index);
  }

  /** Of the peer: bytes that it counts and the asking owner, too, or that neither does. */
  public AtomicLong inFlightBytes(int index) {
    return inFlight[index];
  }

  /** Its memory is elsewhere now, or will be, and counted there. */
  public void noteMoved(int index) {
    moved.set(index);
  }

  /** Whether its memory is elsewhere. */
  public boolean isMoved(int index) {
    return moved.get(index);
  }
}
